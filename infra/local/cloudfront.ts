// One request through everything that stands before a function on AWS: CloudFront's edge function, its behaviors and
// shared cache, then API Gateway or the function URL.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { EDGE_HEADERS } from '../../shared/contract/headers.ts';
import { MAX_REQUEST_HEAD_BYTES } from '../../shared/contract/platform-problems.ts';
import { MAX_TARGET_BYTES } from '../../shared/http/pipeline.ts';
import {
  additionalBehaviors,
  CACHE_KEY_HEADERS,
  type CacheBehavior,
  type CacheBehaviorKind,
  DEFAULT_ORIGIN,
  FORWARDED_HEADERS,
  matchesPattern,
} from '../cache-behaviors.ts';
import { ACCEPT_ENCODING, normalAcceptEncoding } from './accept-encoding.ts';
import { type CanonicalRequest, type EdgeFunction, splitTarget, type ViewerRequest } from './edge-sandbox.ts';
import type { OriginHandler, OriginRequest } from './http-event.ts';
import { type Head, malformed } from './malformed-requests.ts';
import { jsonResponse, type OriginResponse } from './origin-response.ts';
import { type FetchFromOrigin, type SharedCache, withResult } from './shared-cache.ts';

const MAX_BODY_BYTES = 6 * 1024 * 1024; // Lambda's limit of a synchronous invocation

export interface CloudFrontOptions {
  /** `{base_url}` of the problems that are answered here. */
  readonly baseUrl: string;
  readonly edge: EdgeFunction;
  readonly api: OriginHandler;
  /** The function URL of the MCP server. */
  readonly mcp: OriginHandler;
  /** undefined: every request reaches its function. */
  readonly cache: SharedCache | undefined;
  readonly originSecret: string;
}

interface ViewerHttpRequest extends ViewerRequest {
  readonly body: Buffer;
}

const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** RFC 9112 section 3.2: a request may also name its target with scheme and host, or be about the server as a whole. */
const originForm = (target: string): string => {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
};

/** CloudFront refuses a longer target itself; here the door does it in its own words, so it has to see all of it. */
const withoutNormalization = ({ target, rawHeaders }: ViewerRequest): CanonicalRequest => {
  const [path, query] = splitTarget(target);
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  const authorization = at === -1 ? undefined : rawHeaders[at + 1];
  return { path, query, headers: authorization === undefined ? {} : { authorization } };
};

const behaviors = additionalBehaviors();

const DEFAULT_BEHAVIOR: CacheBehavior = { pattern: '*', key: 'honoured' };

/** CloudFront takes the first behavior that matches. */
const behaviorOf = (path: string): CacheBehavior =>
  behaviors.find(({ pattern }) => matchesPattern(pattern, path)) ?? DEFAULT_BEHAVIOR;

/** Accept-Encoding is in no list of a cache policy: it has a setting of its own, and counts in every key. */
const keyedHeaders = (kind: Exclude<CacheBehaviorKind, 'private'>): readonly string[] => [
  ...CACHE_KEY_HEADERS[kind].map((name) => name.toLowerCase()),
  ACCEPT_ENCODING,
];

/** What the distribution passes on of a viewer's headers; a body's type goes with the body. */
const forwarded = ({ path, headers }: CanonicalRequest): Readonly<Record<string, string>> => {
  const { key: kind } = behaviorOf(path);
  const { host, ...allButHost } = headers;
  if (kind === 'private') return allButHost;
  const names = [...keyedHeaders(kind), ...FORWARDED_HEADERS, 'content-type'];
  const known: Readonly<Record<string, string | undefined>> = {
    ...headers,
    [ACCEPT_ENCODING]: normalAcceptEncoding(headers[ACCEPT_ENCODING]),
  };
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = known[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

const originRequest = (
  incoming: ViewerHttpRequest,
  canonical: CanonicalRequest,
  originSecret: string,
): OriginRequest => ({
  method: incoming.method,
  path: canonical.path,
  query: canonical.query,
  headers: {
    'user-agent': 'Amazon CloudFront',
    ...forwarded(canonical),
    [EDGE_HEADERS.originSecret]: originSecret,
  },
  body: incoming.body,
  sourceIp: incoming.viewerIp,
});

const withHeader = (request: OriginRequest, name: string, value: string | undefined): OriginRequest =>
  value === undefined ? request : { ...request, headers: { ...request.headers, [name]: value } };

const cacheKey = (kind: Exclude<CacheBehaviorKind, 'private'>, { path, query, headers }: OriginRequest): string =>
  JSON.stringify([path, query, ...keyedHeaders(kind).map((name) => headers[name])]);

const answer = async (incoming: ViewerHttpRequest, options: CloudFrontOptions): Promise<OriginResponse> => {
  const { edge, cache, originSecret } = options;
  const canonical = incoming.target.length > MAX_TARGET_BYTES ? withoutNormalization(incoming) : edge(incoming);
  const request = originRequest(incoming, canonical, originSecret);
  const condition = canonical.headers['if-none-match'];
  const { key: kind, origin = DEFAULT_ORIGIN } = behaviorOf(canonical.path);
  const askOrigin = options[origin];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (cache === undefined || !isRead || kind === 'private') {
    return withResult(await askOrigin(withHeader(request, 'if-none-match', condition)), 'Miss');
  }
  // HEAD is answered from GET, so that what is stored has a body.
  const ask: FetchFromOrigin = (etag) => askOrigin(withHeader({ ...request, method: 'GET' }, 'if-none-match', etag));
  return cache({ key: cacheKey(kind, request), ifNoneMatch: condition }, ask);
};

const send = (response: ServerResponse, method: string, { status, headers, body }: OriginResponse): void => {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Of an answer to HEAD that came from the function itself, the length is not known.
  const hasLength = status !== 204 && status !== 304 && (method !== 'HEAD' || body.length > 0);
  if (hasLength) response.setHeader('Content-Length', body.length);
  response.end(method === 'HEAD' ? undefined : body);
};

/** RFC 9112 section 3.2: one Host, which only HTTP/1.0 may leave out. Why the head is refused; undefined: it is not. */
const refusedHead = (
  { httpVersion, rawHeaders, url = '/' }: IncomingMessage,
  baseUrl: string,
): OriginResponse | undefined => {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    return malformed('malformed_request', 'A request has exactly one Host header field.', baseUrl, url);
  }
  if (url.length > MAX_TARGET_BYTES) return undefined; // the function says so
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length + 2, url.length);
  if (bytes <= MAX_REQUEST_HEAD_BYTES) return undefined;
  return malformed('header_fields_too_large', `The head of the request has ${bytes} bytes.`, baseUrl, url);
};

/** IPv4 on a socket for both. */
const viewerIpOf = (socket: Duplex): string =>
  (socket instanceof Socket ? (socket.remoteAddress ?? '') : '').replace(/^::ffff:/, '');

const FAILED = jsonResponse(500, { message: 'Internal Server Error' });

/** Answers a request whose head Node's parser did not take, as any other. */
export const answerHead =
  (options: CloudFrontOptions) =>
  ({ method, target, rawHeaders }: Head, socket: Duplex): Promise<OriginResponse> => {
    const viewerIp = viewerIpOf(socket);
    const incoming = { method, target: originForm(target), rawHeaders, viewerIp, body: Buffer.alloc(0) };
    return answer(incoming, options).catch(() => FAILED);
  };

export const createCloudFront = (options: CloudFrontOptions): RequestListener => {
  const handle = async (request: IncomingMessage): Promise<OriginResponse> => {
    const refused = refusedHead(request, options.baseUrl);
    if (refused !== undefined) return refused;
    const body = await readBody(request);
    if (body === undefined) return jsonResponse(413, { message: 'Request Too Long' });
    const incoming = {
      method: request.method ?? 'GET',
      target: originForm(request.url ?? '/'),
      rawHeaders: request.rawHeaders,
      viewerIp: viewerIpOf(request.socket),
      body,
    };
    return answer(incoming, options);
  };
  return (request, response) => {
    void handle(request)
      .catch(() => FAILED)
      .then((reply) => send(response, request.method ?? 'GET', reply));
  };
};
