// Lists the problems (requirements: problems) and defines the exception that carries one. Status and title are constant
// per code.
import type { TombstoneReason } from '../model/post.ts';
import type { CacheClass } from './caching.ts';
import { ERRORS_PATH, REMOVAL_PATH } from './paths.ts';
import { fillBaseUrl } from './placeholders.ts';
import { READ_SAMPLE, SAMPLE_SENTENCE } from './sample.ts';

export interface ProblemRow {
  readonly status: number;
  readonly title: string;
  /** One imperative sentence for the author of a client. `{base_url}` is a placeholder. */
  readonly resolution: string;
  /** The resolutions of the reasons for which another one is right. */
  readonly resolutions?: Readonly<Partial<Record<TombstoneReason, string>>>;
  /** The seconds of Retry-After and `retry_after`, if they are constant. */
  readonly retryAfter?: number;
  /** The seconds until a retry in a tool result, if HTTP has no Retry-After. */
  readonly toolRetryAfter?: number;
  /** The cache class; undefined: `no-store`. */
  readonly cache?: CacheClass;
  /** The field `Link`, with the placeholder `{base_url}`. */
  readonly link?: string;
  /** The title on sample data, of a problem that makes a statement about X, which sample data cannot prove. */
  readonly sampleTitle?: string;
}

const DISCOVER = 'Find the route in {base_url}/api and correct the request.';
const WAIT_SECONDS = 30;
const WAIT_FOR_PROVIDER = `Wait ${WAIT_SECONDS} seconds and send the same request again.`;

export const problems = {
  missing_parameter: {
    status: 400,
    title: 'A required parameter is missing',
    resolution: 'Add the missing parameter and send the request again.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A parameter has a value that is not accepted',
    resolution: 'Correct the named parameter and send the request again.',
  },
  repeated_parameter: {
    status: 400,
    title: 'A parameter was given more than once',
    resolution: 'Send each parameter at most once.',
  },
  invalid_url: {
    status: 400,
    title: 'The url is not a URL',
    resolution: 'Pass url as https://x.com/{handle}/status/{id}, percent-encoded.',
  },
  unsupported_host: {
    status: 400,
    title: 'The url is not on X',
    resolution: 'Pass the URL of a post on x.com; short links such as t.co must be resolved by the caller.',
  },
  invalid_path: {
    status: 400,
    title: 'The url does not name a post',
    resolution: 'Pass the URL of one post: https://x.com/{handle}/status/{id}.',
  },
  invalid_handle: {
    status: 400,
    title: 'The handle is malformed',
    resolution: 'Pass 1 to 15 letters, digits or underscores, with at most one leading @.',
  },
  invalid_id: {
    status: 400,
    title: 'The id is malformed',
    resolution: 'Pass the id as decimal digits without a leading zero, at most 9223372036854775807.',
  },
  invalid_format: {
    status: 400,
    title: 'The format is unknown',
    resolution:
      'Pass format=markdown or format=json (posts also take format=obsidian, epub or csl, lists format=ndjson, lists of posts format=rss, atom or jsonfeed, followed accounts and timelines format=opml), or leave it out.',
  },
  missing_query: { status: 400, title: 'The search text is missing', resolution: 'Pass q with 1 to 512 characters.' },
  invalid_query: {
    status: 400,
    title: 'The search text is not accepted',
    resolution: 'Shorten or simplify q: at most 512 UTF-16 units, balanced quotes and operators.',
  },
  invalid_feed: {
    status: 400,
    title: 'The feed is unknown',
    resolution: 'Pass feed=latest, top, media or users, or leave it out.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor does not belong to this list',
    resolution: 'Pass next_cursor of the previous page unchanged, or start again without cursor.',
  },
  invalid_resource: {
    status: 400,
    title: 'The resource is unknown',
    resolution: 'Pass resource=profile, followers, following or search, or call the v1 route directly.',
  },
  invalid_key: {
    status: 401,
    title: 'The API key is unknown or disabled',
    resolution:
      'Drop the Authorization header to call anonymously, or ask the operator for a new key; do not retry this one.',
  },
  unauthorized: {
    status: 401,
    title: 'This route is private',
    resolution: 'Find the public route in {base_url}/openapi.json.',
  },
  post_protected: {
    status: 403,
    title: 'The post is not public',
    sampleTitle: 'The sample does not show this post',
    resolution: 'Do not retry: its author limits who can read it.',
    cache: 'missing',
  },
  profile_protected: {
    status: 403,
    title: 'The lists of this profile are not public',
    sampleTitle: 'The sample does not show these lists',
    resolution: 'Do not retry: its owner limits who can read them.',
    cache: 'missing',
  },
  forbidden_origin: {
    status: 403,
    title: 'The origin of the request is not allowed',
    resolution: 'Call the public URL of the service.',
  },
  route_not_found: { status: 404, title: 'No such route', resolution: DISCOVER, cache: 'route' },
  post_not_found: {
    status: 404,
    title: 'The post does not exist or is not available',
    sampleTitle: 'The sample has no such post',
    resolution: 'Check the id; do not retry soon.',
    resolutions: {
      deleted: 'Do not retry: a deleted post does not come back.',
      suspended: 'Do not retry soon: the post comes back only if the suspension of its author ends.',
      withheld: 'Do not retry: X does not show this post to visitors.',
    },
    cache: 'missing',
  },
  profile_not_found: {
    status: 404,
    title: 'The profile does not exist or is not available',
    sampleTitle: 'The sample has no such profile',
    resolution: 'Check the handle or the id; do not retry soon.',
    resolutions: {
      deleted: 'Do not retry: its owner closed the account, or has another handle now.',
      suspended: 'Do not retry soon: the account comes back only if its suspension ends.',
      withheld: 'Do not retry: X does not show this account to visitors.',
    },
    cache: 'missing',
  },
  key_not_found: { status: 404, title: 'No such key', resolution: 'List the keys and use an id from that list.' },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed on this route',
    resolution: 'Use one of the methods in the Allow header.',
  },
  not_acceptable: {
    status: 406,
    title: 'No offered type is acceptable',
    resolution: 'Ask for one of the types named in detail, or pass format.',
  },
  content_too_large: { status: 413, title: 'The request body is too large', resolution: 'Send a smaller body.' },
  uri_too_long: { status: 414, title: 'The URL is too long', resolution: 'Keep path and query within 8192 bytes.' },
  unsupported_media_type: {
    status: 415,
    title: 'The type of the request body is not supported',
    resolution: 'Send the body as application/json.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limit exceeded',
    resolution: 'Wait the number of seconds in Retry-After, then send the request again.',
  },
  withheld_by_operator: {
    status: 451,
    title: 'The operator of this service withholds the resource',
    resolution: `Do not retry: {base_url}${REMOVAL_PATH} says what is withheld, and how to object.`,
    // RFC 7725 section 4.
    link: `<{base_url}${REMOVAL_PATH}>; rel="blocked-by"`,
    cache: 'degraded',
  },
  internal_error: {
    status: 500,
    title: 'The service failed',
    resolution: 'Send the request again later; if it keeps failing, report the request id.',
  },
  format_not_implemented: {
    status: 501,
    title: 'The format is not implemented',
    resolution: 'Pass format=json or leave it out.',
  },
  not_available_here: {
    status: 501,
    title: 'No source of this service has this',
    sampleTitle: 'The sample does not have this',
    resolution: 'Do not retry soon: read it on X, or ask the operator for a source that has it.',
  },
  upstream_failed: {
    status: 502,
    title: 'The source of the data gave an unusable answer',
    sampleTitle: 'The sample has no usable answer',
    resolution: 'Send the request again later.',
    toolRetryAfter: WAIT_SECONDS,
  },
  upstream_unavailable: {
    status: 503,
    title: 'The source of the data does not answer',
    sampleTitle: 'The sample does not answer this',
    resolution: WAIT_FOR_PROVIDER,
    retryAfter: WAIT_SECONDS,
  },
} as const satisfies Readonly<Record<string, ProblemRow>>;

export type ProblemCode = keyof typeof problems;

export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}

/** Describes the requested page of X. The page of the error has this text. */
export interface PageOnX {
  readonly text: string;
  /** A page of this service that can be read instead. */
  readonly way?: { readonly href: string; readonly label: string };
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
  const { sampleTitle: title } = problemRow(error.code);
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
