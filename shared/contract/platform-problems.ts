// Problems of requests that never reach a function: on AWS the platform answers them in its own words, the local service
// in these. They are no codes of v1, which are those of problems.ts.

export interface PlatformProblem {
  readonly status: number;
  readonly title: string;
  /** What to do, one sentence. */
  readonly resolution: string;
}

/** Request line and header fields, as CloudFront takes them. */
export const MAX_REQUEST_HEAD_BYTES = 20_480;

export const platformProblems = {
  malformed_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    resolution: 'Correct the request line and the header fields (RFC 9112) and send the request again.',
  },
  header_fields_too_large: {
    status: 431,
    title: 'The header fields are too large',
    resolution: `Send fewer or shorter header fields: at most ${MAX_REQUEST_HEAD_BYTES} bytes together with the request line.`,
  },
} as const satisfies Readonly<Record<string, PlatformProblem>>;

export type PlatformProblemCode = keyof typeof platformProblems;
