// Declares the errors of an export.
import { CommandError } from '../request-text.ts';

export class ExportError extends CommandError {}

/** The service answered with a problem that a repetition does not solve. */
export class ProblemError extends ExportError {
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}
