// Sends requests: URL, API key, validators of the cache, deprecation, and problems as exceptions.
import { createDeprecationPolicy, type DeprecationNotice, noticeOf } from './deprecation.ts';
import { errorOf, unexpectedResponse } from './postern-error.ts';
import { delayOf, type RetryOptions, repeat } from './retry.ts';

/** The part of `fetch` that the client needs. */
export type Fetch = (
  url: string,
  init: { readonly headers: Record<string, string>; readonly signal: AbortSignal | null },
) => Promise<Response>;

/** An answer to validate with `If-None-Match`. */
export interface CachedResponse {
  readonly etag: string;
  readonly body: string;
}

/** Keeps answers by URL; a Map, or a cache with a bound. */
export interface ResponseCache {
  get(url: string): CachedResponse | undefined;
  set(url: string, response: CachedResponse): unknown;
}

export interface ClientOptions {
  /** First part of every URL, such as `https://postern.example`. */
  readonly baseUrl: string | URL;
  /** Raises the search allowance. Everything can be read without an API key. */
  readonly apiKey?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  readonly retry?: RetryOptions | undefined;
  /** Without a cache, every call reads a whole answer. */
  readonly cache?: ResponseCache | undefined;
  /**
   * Called with every answer of a deprecated route. What it throws is thrown by the call.
   * Default: warns once per route, and throws a SunsetError if the route has fewer than 30 days left.
   */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

export interface HttpRequest {
  /** Path template. */
  readonly route: string;
  /** The values of the template. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | Date | undefined>>;
  /** The expected media type. */
  readonly accept: string;
  readonly signal: AbortSignal | undefined;
}

interface HttpAnswer {
  readonly response: Response;
  readonly body: string;
}

const segment = (name: string, value = ''): string => {
  // URLs resolve these segments, so the request would reach another route.
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} must not be ${JSON.stringify(value)}`);
  return encodeURIComponent(value);
};

const urlOf = (base: string, { route, path = {}, query }: HttpRequest): string => {
  const filled = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, path[name]));
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : String(value)]],
  );
  return `${base}${filled}?${new URLSearchParams(parameters)}`;
};

/** @throws TypeError that names the option, because the errors of URL and fetch do not */
const baseOf = (baseUrl: string | URL): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.search}${url.hash}` === '')
    return url.href.replace(/\/+$/, '');
  throw new TypeError('baseUrl must be the URL of a Postern service, such as https://postern.example');
};

/** Creates what sends a request once. It throws a TypeError if the connection fails. */
export const createSender =
  (
    base: string,
    { apiKey, fetch = (url, init) => globalThis.fetch(url, init) }: Pick<ClientOptions, 'apiKey' | 'fetch'>,
  ) =>
  (url: string, headers: Record<string, string>, signal: AbortSignal | undefined): Promise<Response> =>
    fetch(url, {
      headers: { ...headers, ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }) },
      signal: signal ?? null,
    }).catch((cause: unknown) => {
      // The error of a connection that failed. An abort is another error.
      throw cause instanceof TypeError
        ? new TypeError(`No answer from baseUrl ${base}: ${cause.message}`, { cause })
        : cause;
    });

/** @returns the response, whose body is still to be read @throws PosternError if the service rejected the request */
export const requireOk = async (response: Response): Promise<Response> => {
  if (response.ok) return response;
  // The status counts, also if the connection breaks off. Reading frees the connection.
  throw errorOf(response, await response.text().catch(() => ''));
};

/** @returns a function that sends a request and returns the response with its body */
export const createHttpClient = ({ baseUrl, retry, cache, onDeprecation, ...options }: ClientOptions) => {
  const base = baseOf(baseUrl);
  const send = createSender(base, options);
  const delay = delayOf(retry);
  const report = onDeprecation ?? createDeprecationPolicy();

  const sendOnce = async (url: string, { route, accept, signal }: HttpRequest): Promise<HttpAnswer> => {
    const cached = cache?.get(url);
    const headers = { Accept: accept, ...(cached && { 'If-None-Match': cached.etag }) };
    const response = await send(url, headers, signal);
    const notice = noticeOf(route, response.headers);
    if (notice !== undefined) report(notice);
    if (response.status === 304 && cached !== undefined) return { response, body: cached.body };

    const body = await (await requireOk(response)).text();
    if (!response.headers.get('Content-Type')?.startsWith(accept)) throw unexpectedResponse(response);
    const etag = response.headers.get('ETag');
    if (etag !== null) cache?.set(url, { etag, body });
    return { response, body };
  };

  return async (request: HttpRequest): Promise<HttpAnswer> => {
    const url = urlOf(base, request);
    return repeat(() => sendOnce(url, request), delay, request.signal);
  };
};
