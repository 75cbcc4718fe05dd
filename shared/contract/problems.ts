// Defines the exception that carries a problem (requirements: problems), and what the tables say of it.
import type { TombstoneReason } from '../model/post.ts';
import { ERRORS_PATH } from './paths.ts';
import { fillBaseUrl } from './placeholders.ts';
import { type ProblemRow, problems } from './problem-rows.ts';
import type { PageOnX } from './problem-ways.ts';
import { READ_SAMPLE, SAMPLE_SENTENCE } from './sample.ts';

export type ProblemCode = keyof typeof problems;

export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}

export interface ProblemOptions {
  /** Describes this occurrence. It never contains text of a caller or a provider. */
  readonly detail?: string;
  /** Only of sample data. @default the title of the code */
  readonly title?: string;
  /** @default the resolution of the code */
  readonly resolution?: string;
  readonly errors?: readonly ParameterError[];
  readonly onX?: PageOnX;
  /** The reason that a post or profile cannot be read. */
  readonly reason?: TombstoneReason;
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Only for the log. */
  readonly cause?: unknown;
}

/** The only exception that use cases, handlers and middlewares throw on purpose. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.options = options;
  }
}

export const problem = (code: ProblemCode, options?: ProblemOptions): Problem => new Problem(code, options);

export const problemRow = (code: ProblemCode): ProblemRow => problems[code];

export const titleOf = ({ code, options }: Problem): string => options.title ?? problemRow(code).title;

export const resolutionOf = ({ code, options }: Problem, baseUrl: string): string => {
  const { resolution, resolutions = {} } = problemRow(code);
  return fillBaseUrl(options.resolution ?? resolutions[options.reason ?? 'unknown'] ?? resolution, baseUrl);
};

/** @returns the error; if it is a problem that makes a statement about X, one that names the sample instead */
export const sampleProblem = (error: unknown): unknown => {
  if (!(error instanceof Problem)) return error;
  const { sampleTitle, sampleTitleOfReason = sampleTitle } = problemRow(error.code);
  const title = (error.options.reason ?? 'unknown') === 'unknown' ? sampleTitle : sampleTitleOfReason;
  return title === undefined
    ? error
    : problem(error.code, { ...error.options, title, detail: SAMPLE_SENTENCE, resolution: READ_SAMPLE });
};

/** @returns the seconds after which a tool call can be repeated */
export const toolRetryAfterOf = ({ code, options }: Problem): number | undefined => {
  const { retryAfter, toolRetryAfter } = problemRow(code);
  return options.retryAfter ?? retryAfter ?? toolRetryAfter;
};

/** @returns the thrown problem; `internal_error` for another value */
export const toProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : problem('internal_error', { cause: error });

/**
 * The outcome of a request, which decides about a refund.
 * - `answered`: the charge stays
 * - `failed`: the service or the provider failed
 * - `rejected`: the request was invalid
 */
export type RequestOutcome = 'answered' | 'failed' | 'rejected';

export const requestOutcome = (error: unknown): RequestOutcome => {
  if (!(error instanceof Problem)) return 'failed';
  const { status } = problemRow(error.code);
  return isFailure(status) ? 'failed' : status === 400 ? 'rejected' : 'answered';
};

/** A fault of the service or of a provider. 501 is none: no later request can succeed. */
export const isFailure = (status: number): boolean => status >= 500 && status !== 501;

/** The problem document (RFC 9457 section 3). */
export const problemDocument = (
  thrown: Problem,
  at: { readonly baseUrl: string; readonly instance: string; readonly links?: readonly object[] },
): Readonly<Record<string, unknown>> => {
  const row = problemRow(thrown.code);
  const title = titleOf(thrown);
  const { detail, errors, reason } = thrown.options;
  const retryAfter = thrown.options.retryAfter ?? row.retryAfter;
  return {
    type: `${at.baseUrl}${ERRORS_PATH}#${thrown.code}`,
    title,
    status: row.status,
    code: thrown.code,
    detail: detail ?? `${title}.`,
    resolution: resolutionOf(thrown, at.baseUrl),
    instance: at.instance,
    ...(errors && { errors }),
    ...(reason !== undefined && { reason }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    ...(at.links && { links: at.links }),
  };
};
