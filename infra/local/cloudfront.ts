// Emulates CloudFront: passes a request through the edge function, the cache behaviors and the shared cache to API
// Gateway or to the function URL.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { EDGE_HEADERS, HSTS_SECONDS, VIEWER_REQUEST_ID_HEADER } from '../../shared/contract/headers.ts';
import { MEDIA_PATTERN } from '../../shared/contract/other-functions.ts';
import { MAX_REQUEST_HEAD_BYTES } from '../../shared/contract/platform-problems.ts';
import { maxBodyBytes } from '../../shared/contract/request-bodies.ts';
import { acceptedCodings } from '../../shared/http/middleware/compression.ts';
import { MAX_TARGET_BYTES } from '../../shared/http/pipeline.ts';
import { keysOf, tableOf } from '../../shared/model/json.ts';
import {
  additionalBehaviors,
  CACHE_KEY_HEADERS,
  type CacheBehavior,
  type CacheBehaviorKind,
  DEFAULT_ORIGIN,
  FORWARDED_HEADERS,
  patternExpression,
} from '../cache-behaviors.ts';
import type { AnswerBounds } from './answer-bounds.ts';
import {
  type OriginHandler,
  type OriginRequest,
  type OriginResponse,
  originForm,
  platformResponses,
} from './api-gateway.ts';
import { MAX_HEAD_FIELDS } from './connections.ts';
import { compressed } from './edge-compression.ts';
import {
  type CanonicalRequest,
  type EdgeFunction,
  headerPairs,
  splitTarget,
  type ViewerRequest,
} from './edge-sandbox.ts';
import { type Head, malformed } from './malformed-requests.ts';
import type { MediaListener } from './media.ts';
import { createBodyReader, dropBody, endAfterBody, NO_BODY, type RequestBody } from './request-body.ts';
import { type RequestFacts, requestFacts } from './request-facts.ts';
import type { ServiceLog } from './service-log.ts';
import { type FetchFromOrigin, isFromCache, type SharedCache, withResult } from './shared-cache.ts';
import { type TrustedProxies, viewerOf } from './trusted-proxies.ts';

export const ACCEPT_ENCODING = 'accept-encoding';

/**
 * Normalizes Accept-Encoding as CloudFront does if the cache policy enables gzip and Brotli. The normalized field is part of
 * the cache key and is forwarded (CloudFront Developer Guide, "Compression support").
 *
 * @returns `br,gzip`, `br`, `gzip`, or undefined if the field is not forwarded
 */
export const normalAcceptEncoding = (field = ''): string | undefined => acceptedCodings(field).join() || undefined;

export interface CloudFrontOptions {
  /** `{base_url}` of the problem documents that this file creates. */
  readonly baseUrl: string;
  readonly edge: EdgeFunction;
  readonly api: OriginHandler;
  /** The function URL of the MCP server. */
  readonly mcp: OriginHandler;
  /** The proxies that are believed. @default none */
  readonly proxies?: TrustedProxies | undefined;
  /** If undefined, every request reaches its function. */
  readonly cache: SharedCache | undefined;
  readonly originSecret: string;
  /** @default no bounds */
  readonly bounds?: AnswerBounds;
  /** Answers the paths of MEDIA_PATTERN. If undefined, they are not of this service. */
  readonly media?: MediaListener;
  readonly reportRequest?: ServiceLog['reportRequest'];
}

interface ViewerHttpRequest extends ViewerRequest {
  /** `{base_url}` of the answer if no setting says it. */
  readonly baseUrl: string;
  /** @returns undefined if there is no room for the body */
  readBody(maxBytes: number): Promise<RequestBody | undefined>;
}

/**
 * CloudFront rejects a long target itself. Here the function rejects it, so it must get the whole target: the path is
 * percent-encoded once more, because the gateway decodes it.
 */
const withoutNormalization = ({ target, rawHeaders }: ViewerRequest): CanonicalRequest => {
  const [path, query] = splitTarget(target);
  const authorization = headerPairs(rawHeaders)
    .filter(([name]) => name === 'authorization')
    .slice(0, 1);
  return { path: path.replaceAll('%', '%25'), query, headers: Object.fromEntries(authorization) };
};

const behaviors = additionalBehaviors().map((behavior) => ({
  behavior,
  expression: patternExpression(behavior.pattern),
}));

const DEFAULT_BEHAVIOR: CacheBehavior = { pattern: '*', key: 'honoured' };

/** CloudFront applies the first behavior that matches. */
const behaviorOf = (path: string): CacheBehavior =>
  behaviors.find(({ expression }) => expression.test(path))?.behavior ?? DEFAULT_BEHAVIOR;

type PublicKind = Exclude<CacheBehaviorKind, 'private'>;

/** Accept-Encoding is in every cache key: cache policies have a separate setting for it and do not list it. */
const keyedHeaders: Readonly<Record<PublicKind, readonly string[]>> = tableOf(keysOf(CACHE_KEY_HEADERS), (kind) => [
  ...CACHE_KEY_HEADERS[kind].map((name) => name.toLowerCase()),
  ACCEPT_ENCODING,
]);

/** The headers that the distribution forwards. Content-Type is forwarded with a body. */
const forwarded = ({ headers }: CanonicalRequest, kind: CacheBehaviorKind): Readonly<Record<string, string>> => {
  const { host, ...allButHost } = headers;
  if (kind === 'private') return allButHost;
  const names = [...keyedHeaders[kind], ...FORWARDED_HEADERS, 'content-type'];
  const fieldOf = (name: string): string | undefined =>
    name === ACCEPT_ENCODING ? normalAcceptEncoding(headers[name]) : headers[name];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = fieldOf(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

/** CloudFront's ids have 56 characters. Node has random UUIDs in stock; random bytes take a twentieth of this emulation. */
const requestId = (): string => (randomUUID() + randomUUID()).replaceAll('-', '').slice(0, 56);

const originRequest = (
  viewerRequest: ViewerHttpRequest,
  canonical: CanonicalRequest,
  kind: CacheBehaviorKind,
  originSecret: string,
  body: Buffer,
): OriginRequest => ({
  method: viewerRequest.method,
  path: canonical.path,
  query: canonical.query,
  headers: {
    'user-agent': 'Amazon CloudFront',
    ...forwarded(canonical, kind),
    [EDGE_HEADERS.originSecret]: originSecret,
    // Replaces a field of the viewer with this name.
    [VIEWER_REQUEST_ID_HEADER]: requestId(),
  },
  body,
  sourceIp: viewerRequest.viewerIp,
  baseUrl: viewerRequest.baseUrl,
});

const withHeader = (request: OriginRequest, name: string, value: string | undefined): OriginRequest =>
  value === undefined ? request : { ...request, headers: { ...request.headers, [name]: value } };

const cacheKey = (kind: PublicKind, { path, query, headers, baseUrl }: OriginRequest): string =>
  JSON.stringify([baseUrl, path, query, ...keyedHeaders[kind].map((name) => headers[name])]);

interface Answer {
  readonly response: OriginResponse;
  /** Set if the shared cache had the response. */
  readonly cached?: RequestFacts;
}

const answer = async (viewerRequest: ViewerHttpRequest, options: CloudFrontOptions): Promise<Answer> => {
  const { edge, cache, originSecret, baseUrl, bounds } = options;
  const { method, target } = viewerRequest;
  const isTooLong = target.length > MAX_TARGET_BYTES;
  const canonical = isTooLong ? withoutNormalization(viewerRequest) : edge(viewerRequest);
  const { key: kind, origin = DEFAULT_ORIGIN } = behaviorOf(canonical.path);
  const maxBytes = isTooLong ? undefined : maxBodyBytes(method, canonical.path);
  const body = maxBytes === undefined ? NO_BODY : await viewerRequest.readBody(maxBytes);
  if (body === undefined) return { response: busy(baseUrl, target) };
  try {
    const request = originRequest(viewerRequest, canonical, kind, originSecret, body.bytes);
    const condition = canonical.headers['if-none-match'];
    const isRead = method === 'GET' || method === 'HEAD';
    const isCompressed = isRead && kind !== 'private';
    const work = async (given: OriginRequest): Promise<OriginResponse> => {
      const response = await options[origin](given);
      return isCompressed ? compressed(response, request.headers[ACCEPT_ENCODING]) : response;
    };
    const callOrigin: OriginHandler = async (given) =>
      bounds === undefined
        ? work(given)
        : ((await bounds.work(viewerRequest.viewerIp, () => work(given))) ?? busy(baseUrl, target));
    if (cache === undefined || !isRead || kind === 'private') {
      return { response: withResult(await callOrigin(withHeader(request, 'if-none-match', condition)), 'Miss') };
    }
    // HEAD is answered from GET, so that stored answers have a body.
    const fetchFromOrigin: FetchFromOrigin = (etag) =>
      callOrigin(withHeader({ ...request, method: 'GET' }, 'if-none-match', etag));
    const response = await cache({ key: cacheKey(kind, request), ifNoneMatch: condition }, fetchFromOrigin);
    const isLogged = options.reportRequest !== undefined && isFromCache(response);
    return isLogged ? { response, cached: requestFacts(request, response) } : { response };
  } finally {
    body.release();
  }
};

const send = (request: IncomingMessage, response: ServerResponse, { status, headers, body }: OriginResponse): void => {
  const { method } = request;
  // If the function itself answered HEAD, the length of the body is not known.
  const hasLength = status !== 204 && status !== 304 && (method !== 'HEAD' || body.length > 0);
  response.writeHead(status, { ...headers, ...(hasLength && { 'Content-Length': body.length }) });
  endAfterBody(request, response, method === 'HEAD' ? undefined : body);
};

/**
 * RFC 9112 section 3.2: a request has exactly one Host, which only HTTP/1.0 may omit.
 * @returns undefined if the head is valid
 */
const rejectHead = (
  { httpVersion, rawHeaders, url = '/' }: IncomingMessage,
  baseUrl: string,
): OriginResponse | undefined => {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    return malformed('malformed_request', 'A request has exactly one Host header field.', baseUrl, url);
  }
  if (url.length > MAX_TARGET_BYTES) return undefined; // the function answers 414
  if (rawHeaders.length > 2 * MAX_HEAD_FIELDS) {
    const detail = `The head of the request has more than ${MAX_HEAD_FIELDS} fields.`;
    return malformed('header_fields_too_large', detail, baseUrl, url);
  }
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length + 2, url.length);
  if (bytes <= MAX_REQUEST_HEAD_BYTES) return undefined;
  return malformed('header_fields_too_large', `The head of the request has ${bytes} bytes.`, baseUrl, url);
};

const viewerAt = (socket: Duplex, rawHeaders: readonly string[], { baseUrl, proxies }: CloudFrontOptions) => {
  const peer = socket instanceof Socket ? (socket.remoteAddress ?? '') : '';
  const { ip: viewerIp, isHttps, origin = baseUrl } = viewerOf(peer, rawHeaders, proxies);
  return { viewerIp, isHttps, baseUrl: origin };
};

const busy = (baseUrl: string, target: string): OriginResponse =>
  malformed('service_busy', 'The service works on as many requests as it has memory for.', baseUrl, target);

const CONTINUE = /^100-continue$/i;

/** The stack sends the same. Without https, browsers ignore it. */
const HSTS_FIELD = `max-age=${HSTS_SECONDS}`;

const FAILED: Answer = { response: platformResponses.functionFails };

/** The fault of a function was logged by its function host. */
const reported = async (
  { method, target }: Pick<ViewerRequest, 'method' | 'target'>,
  { reportRequest }: CloudFrontOptions,
  answering: () => Promise<Answer>,
): Promise<OriginResponse> => {
  const start = performance.now();
  const { response, cached } = await answering().catch(() => FAILED);
  if (reportRequest === undefined) return response;
  const [path] = splitTarget(target);
  const milliseconds = performance.now() - start;
  reportRequest({ method, path, status: response.status, milliseconds, cached });
  return response;
};

/** Answers a request whose head Node's parser rejected, as any other request. */
export const answerHead =
  (options: CloudFrontOptions) =>
  ({ method, target, rawHeaders }: Head, socket: Duplex): Promise<OriginResponse> => {
    const viewer = viewerAt(socket, rawHeaders, options);
    const viewerRequest = {
      ...viewer,
      method,
      target: originForm(target),
      rawHeaders,
      bounds: options.bounds,
      readBody: async () => NO_BODY,
    };
    return reported(viewerRequest, options, () => answer(viewerRequest, options));
  };

const MEDIA_EXPRESSION = patternExpression(MEDIA_PATTERN);

/**
 * @returns the listener of requests, also of those with an expectation: an unknown one may be ignored (RFC 9110 section
 * 10.1.1), and 100 is sent once the body is to be read
 */
export const createCloudFront = (options: CloudFrontOptions): RequestListener => {
  const { bounds } = options;
  const readBody = createBodyReader();
  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
    viewer: ReturnType<typeof viewerAt>,
  ): Promise<Answer> => {
    const rejection = rejectHead(request, options.baseUrl);
    if (rejection !== undefined) return { response: rejection };
    const { method = 'GET', url = '/', rawHeaders, headers } = request;
    const { viewerIp } = viewer;
    const onRead = (): void => {
      if (CONTINUE.test(headers.expect ?? '')) response.writeContinue();
    };
    const viewerRequest = {
      method,
      target: originForm(url),
      rawHeaders,
      ...viewer,
      readBody: (maxBytes: number) => readBody(request, { viewerIp, maxBytes, onRead }),
    };
    return answer(viewerRequest, options);
  };
  return (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const [path] = splitTarget(originForm(url));
    const viewer = viewerAt(request.socket, request.rawHeaders, options);
    if (viewer.isHttps) response.setHeader('Strict-Transport-Security', HSTS_FIELD);
    const media = url.length <= MAX_TARGET_BYTES && MEDIA_EXPRESSION.test(path) ? options.media : undefined;
    if (media !== undefined && rejectHead(request, options.baseUrl) === undefined) {
      void dropBody(request).then(() => media(request, response, viewer));
      return;
    }
    const answering = reported({ method, target: originForm(url) }, options, () => handle(request, response, viewer));
    void answering.then((result) => {
      send(request, response, result);
      bounds?.countUnsent(viewer.viewerIp, response, result.body.length);
    });
  };
};
