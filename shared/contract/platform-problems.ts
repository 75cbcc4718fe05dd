// Lists the problems of requests that never reach a Lambda: the local service answers requests with them that are malformed,
// too large or too many, and the web ACL of CloudFront the requests that it blocks. They are not problem codes of v1.

import type { ProblemRow } from './problem-rows.ts';

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
  service_busy: {
    status: 503,
    title: 'The service has no room for the request',
    resolution: 'Repeat the request.',
    retryAfter: 1,
  },
  request_blocked: {
    status: 403,
    title: 'The firewall blocks this request',
    resolution: 'Send the request from another address, or without unusual characters in path, headers and cookies.',
  },
} as const satisfies Readonly<Record<string, ProblemRow>>;

export type PlatformProblemCode = keyof typeof platformProblems;
