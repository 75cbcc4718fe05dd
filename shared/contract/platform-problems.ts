// Lists the problems of requests that never reach a Lambda. On AWS the platform answers such requests; the local service
// answers with these problems. They are not problem codes of v1.

export interface PlatformProblem {
  readonly status: number;
  readonly title: string;
  /** One imperative sentence for the author of a client. */
  readonly resolution: string;
}

/** The maximum of CloudFront for the request line and the header fields. */
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
