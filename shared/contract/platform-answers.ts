// Lists the answers that AWS creates without a function of the service: what a caller sees, and why it is not a problem
// document. Sources: CloudFront Developer Guide, "Troubleshooting error responses", "Quotas" and "Request and response
// behavior for custom origins"; API Gateway Developer Guide, "Quotas for HTTP APIs"; Lambda Developer Guide, "Function
// URLs" and "Quotas". Where these pages name no status, the row has every status that was reported.
import { MAX_REQUEST_HEAD_BYTES } from './platform-problems.ts';

export type PlatformLayer = 'CloudFront' | 'edge function' | 'AWS WAF' | 'HTTP API' | 'function URL';

export interface PlatformAnswer {
  readonly layer: PlatformLayer;
  readonly statuses: readonly number[];
  /** Completes "AWS answers ...". */
  readonly cause: string;
  readonly mediaType: 'text/html' | 'application/json' | 'text/plain';
  /** The body, if it is always the same. */
  readonly body?: Readonly<Record<string, string>>;
  /** Pages of other origins can read the answer: by the response headers policy, or by the headers of the web ACL. */
  readonly hasCors?: boolean;
  /**
   * `prevented`: no caller sees it, because of the configuration. `document`: the body is a problem document, of the
   * media type that AWS allows. `stays`: AWS offers no way to change it.
   */
  readonly outcome: 'prevented' | 'document' | 'stays';
  readonly reason: string;
}

const SHARED_STATUS =
  'An error page of CloudFront replaces every answer with its status, so it would replace the problem documents of the service.';

const NO_GATEWAY_RESPONSES =
  'An HTTP API maps only answers of its integration. It has no responses of its own that could be changed. A REST API has them, at a higher price.';

const NO_URL_RESPONSES = 'A function URL has no responses that could be changed.';

export const platformAnswers = {
  malformedRequest: {
    layer: 'CloudFront',
    statuses: [400],
    cause: 'a request that is not valid HTTP',
    mediaType: 'text/html',
    outcome: 'stays',
    reason: SHARED_STATUS,
  },
  wrongHost: {
    layer: 'CloudFront',
    statuses: [403, 421],
    cause: 'a host name that is not of this deployment',
    mediaType: 'text/html',
    outcome: 'stays',
    reason: 'The request belongs to no distribution.',
  },
  plainHttp: {
    layer: 'CloudFront',
    statuses: [403],
    cause: 'HTTP instead of HTTPS, for `/mcp`, `/api/…` and `/admin…`; other paths redirect',
    mediaType: 'text/html',
    outcome: 'stays',
    reason:
      'CloudFront answers before it runs the edge function. A redirect would be worse: programs would send their API key in clear each time, unnoticed.',
  },
  rejectedMethod: {
    layer: 'CloudFront',
    statuses: [403],
    cause: 'a GET with a body, or a method other than DELETE, GET, HEAD, OPTIONS, PATCH, POST and PUT',
    mediaType: 'text/html',
    outcome: 'stays',
    reason: `Every behavior allows all methods that CloudFront knows. ${SHARED_STATUS}`,
  },
  headTooLarge: {
    layer: 'CloudFront',
    statuses: [413],
    cause: `a target of more than 8,192 bytes, or a head of more than ${MAX_REQUEST_HEAD_BYTES.toLocaleString('en-US')} bytes`,
    mediaType: 'text/html',
    outcome: 'stays',
    reason: 'CloudFront closes the connection. Its error pages do not include 413.',
  },
  originUnreachable: {
    layer: 'CloudFront',
    statuses: [502, 504],
    cause: 'an origin that cannot be reached, or that is silent for 15 seconds',
    mediaType: 'text/html',
    outcome: 'stays',
    reason: `The functions end after 12 seconds. ${SHARED_STATUS} For 504, which the service never uses, the page would come from the same service, and if it cannot be fetched, its status replaces the 504.`,
  },
  edgeCapacity: {
    layer: 'CloudFront',
    statuses: [503],
    cause: 'an edge location of CloudFront without capacity',
    mediaType: 'text/html',
    outcome: 'stays',
    reason: 'CloudFront does not use an error page for this.',
  },
  edgeFunctionThrows: {
    layer: 'edge function',
    statuses: [503],
    cause: 'an edge function that throws',
    mediaType: 'text/html',
    outcome: 'prevented',
    reason: 'The function passes a request on as it is if it cannot normalize it.',
  },
  edgeFunctionTooSlow: {
    layer: 'edge function',
    statuses: [503],
    cause: 'an edge function that takes too long or gets too much load',
    mediaType: 'text/html',
    outcome: 'stays',
    reason:
      'The input is bounded, so the function is far from its limit. CloudFront does not use an error page for this.',
  },
  addressLimited: {
    layer: 'AWS WAF',
    statuses: [429],
    cause: 'an IP address with more requests than `wafRateLimit`',
    mediaType: 'application/json',
    hasCors: true,
    outcome: 'document',
    reason:
      'AWS WAF does not allow `application/problem+json`, and knows neither the path for `instance` nor a base URL that is not set.',
  },
  blocked: {
    layer: 'AWS WAF',
    statuses: [403],
    cause: 'a request that the rules of AWS in the web ACL block',
    mediaType: 'application/json',
    hasCors: true,
    outcome: 'document',
    reason: 'As above.',
  },
  unknownRoute: {
    layer: 'HTTP API',
    statuses: [404],
    cause: 'a path without a route',
    mediaType: 'application/json',
    body: { message: 'Not Found' },
    outcome: 'prevented',
    reason: 'The route `$default` leads to the function that answers `route_not_found`.',
  },
  preflight: {
    layer: 'HTTP API',
    statuses: [204],
    cause: 'OPTIONS, without the headers of the service',
    mediaType: 'text/plain',
    outcome: 'prevented',
    reason: 'The HTTP API and the function URL have no CORS configuration, so the functions answer.',
  },
  foreignHost: {
    layer: 'HTTP API',
    statuses: [403],
    cause: 'a host name that is not of the API',
    mediaType: 'application/json',
    body: { message: 'Forbidden' },
    outcome: 'prevented',
    reason: 'CloudFront does not forward `Host`.',
  },
  gatewayHeadTooLarge: {
    layer: 'HTTP API',
    statuses: [431],
    cause: 'a target and header fields of more than 10,240 bytes together',
    mediaType: 'application/json',
    body: { message: 'Request Header Fields Too Large' },
    hasCors: true,
    outcome: 'stays',
    reason: `CloudFront forwards few headers for public paths. ${NO_GATEWAY_RESPONSES}`,
  },
  bodyTooLarge: {
    layer: 'HTTP API',
    statuses: [413],
    cause: 'a body of more than 6 MB, also for `/mcp`',
    mediaType: 'application/json',
    body: { message: 'Request Too Long' },
    hasCors: true,
    outcome: 'stays',
    reason: `The functions answer 413 to smaller bodies that are too large. ${NO_GATEWAY_RESPONSES}`,
  },
  throttled: {
    layer: 'HTTP API',
    statuses: [429],
    cause: 'more requests than the account allows',
    mediaType: 'application/json',
    body: { message: 'Too Many Requests' },
    hasCors: true,
    outcome: 'stays',
    reason: `There is no throttle by default. ${NO_GATEWAY_RESPONSES}`,
  },
  functionFails: {
    layer: 'HTTP API',
    statuses: [500],
    cause: 'a function that crashes, ends after its timeout, may not be called, or answers more than 6 MB',
    mediaType: 'application/json',
    body: { message: 'Internal Server Error' },
    hasCors: true,
    outcome: 'stays',
    reason: `A function answers every error itself, within 8 seconds and 5.5 MB. ${NO_GATEWAY_RESPONSES}`,
  },
  functionBusy: {
    layer: 'HTTP API',
    statuses: [500, 503],
    cause: 'a function at the limit of its concurrency, or an API without an answer',
    mediaType: 'application/json',
    body: { message: 'Service Unavailable' },
    hasCors: true,
    outcome: 'stays',
    reason: NO_GATEWAY_RESPONSES,
  },
  urlForbidden: {
    layer: 'function URL',
    statuses: [403],
    cause: 'a request that the function URL does not admit',
    mediaType: 'application/json',
    body: { Message: 'Forbidden' },
    outcome: 'prevented',
    reason: 'Everybody may call the function URL. The function answers `forbidden_origin` to direct callers.',
  },
  urlThrottled: {
    layer: 'function URL',
    statuses: [429],
    cause: 'a function of `/mcp` at the limit of its concurrency',
    mediaType: 'application/json',
    outcome: 'stays',
    reason: NO_URL_RESPONSES,
  },
  urlFails: {
    layer: 'function URL',
    statuses: [502, 504],
    cause: 'a function of `/mcp` that crashes, ends after its timeout or answers more than 6 MB',
    mediaType: 'application/json',
    body: { Message: 'Internal Server Error' },
    outcome: 'stays',
    reason: `The function answers every error itself. ${NO_URL_RESPONSES}`,
  },
} as const satisfies Readonly<Record<string, PlatformAnswer>>;

export const platformAnswerRows: readonly PlatformAnswer[] = Object.values(platformAnswers);

/** Clients can only go by the status: these answers have no `code`. A redirect or preflight is no error. */
export const mayRetry = (status: number): boolean => status === 429 || status >= 500;
