// Turns the problem document of a failed request into an exception.
import type { Problem, ProblemCode } from './openapi.ts';

/** New codes may appear, so treat an unknown code by its `status`. */
export type ErrorCode = ProblemCode | 'unexpected_response' | 'timeout' | (string & {});

/** A request that the service rejected or could not answer (RFC 9457). */
export class PosternError extends Error {
  override readonly name = 'PosternError';
  /**
   * Stable code; `unexpected_response` if the answer is not of the service, such as the error page of a proxy; `timeout` if
   * there was no complete answer within the time limit.
   */
  readonly code: ErrorCode;
  /** The HTTP status; 0 if there was no complete answer. */
  readonly status: number;
  /** The same for every occurrence of a code. */
  readonly title: string;
  /** Describes this occurrence, for people. */
  readonly detail: string;
  /** Says what to do, for people. */
  readonly resolution: string;
  /** URL of the description of the code. */
  readonly type: string;
  /** The seconds of `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Every wrong parameter; empty if the request is not the cause. */
  readonly errors: NonNullable<Problem['errors']>;
  /** The reason that a post or profile cannot be read. */
  readonly reason: string | undefined;
  /** Names the request to the operator of the service. */
  readonly requestId: string | undefined;

  constructor(problem: Problem, { headers }: Pick<Response, 'headers'>, options?: { readonly cause?: unknown }) {
    super(`${problem.detail} ${problem.resolution} (${problem.status} ${problem.code})`, options);
    this.code = problem.code;
    this.status = problem.status;
    this.title = problem.title;
    this.detail = problem.detail;
    this.resolution = problem.resolution;
    this.type = problem.type;
    this.retryAfter = retryAfterOf(headers) ?? problem.retry_after;
    this.errors = problem.errors ?? [];
    this.reason = problem.reason;
    this.requestId = headers.get('X-Request-Id') ?? undefined;
  }
}

/** @returns the seconds; undefined without the header, or if it has another form, which the service never sends */
const retryAfterOf = (headers: Headers): number | undefined => {
  const value = headers.get('Retry-After');
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
};

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' &&
  value !== null &&
  ['type', 'title', 'code', 'detail', 'resolution', 'instance'].every(
    (name) => typeof Reflect.get(value, name) === 'string',
  ) &&
  typeof Reflect.get(value, 'status') === 'number';

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON, so no problem document
  }
};

/** @param body the problem document, or what something between client and service answered */
export const errorOf = (response: Response, body: string): PosternError => {
  // A firewall of AWS cannot name the media type of its problem documents.
  const isJson = /^application\/(?:problem\+)?json\b/.test(response.headers.get('Content-Type') ?? '');
  const problem = isJson ? jsonOf(body) : undefined;
  return isProblem(problem) ? new PosternError(problem, response) : unexpectedResponse(response);
};

export const timeoutError = (base: string, seconds: number): PosternError =>
  new PosternError(
    {
      type: 'about:blank',
      title: 'The request timed out',
      status: 0,
      code: 'timeout',
      detail: `There is no complete answer from baseUrl ${base} within ${seconds} s.`,
      resolution: 'Send the request again later, or raise timeout.',
      instance: '',
    },
    { headers: new Headers() },
  );

/** @param cause the error of the parser */
export const unexpectedResponse = (response: Response, cause?: unknown): PosternError =>
  new PosternError(
    {
      type: 'about:blank',
      title: 'The answer is not of the service',
      status: response.status,
      code: 'unexpected_response',
      detail: `The answer has the status ${response.status} and the type ${response.headers.get('Content-Type')}.`,
      resolution: 'Check baseUrl and proxies.',
      instance: '',
    },
    response,
    cause === undefined ? undefined : { cause },
  );
