// Declares the errors of an export. Their messages are printed without a stack trace.

export class ExportError extends Error {}

/** The service answered with a problem that a repetition does not solve. */
export class ProblemError extends ExportError {
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}
