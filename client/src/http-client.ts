// Sends requests: URL, API key, validators of the cache, deprecation, and problems as exceptions.
import { createDeprecationPolicy, type DeprecationNotice, noticeOf } from './deprecation.ts';
import { errorOf, timeoutError, unexpectedResponse } from './postern-error.ts';
import { delayOf, LostConnection, type RetryOptions, repeat } from './retry.ts';
import { withTimeLimit } from './time-limit.ts';

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
  /** `false` turns retries off, as `{ limit: 0 }` does. */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * The longest time of one attempt of a request, up to the end of its answer, in seconds; 0 or false: no limit.
   * Default: 30, and no limit for a call with a `signal`, which decides in its place.
   */
  readonly timeout?: number | false | undefined;
  /** Without a cache, every call reads a whole answer. */
  readonly cache?: ResponseCache | undefined;
  /**
   * Called with every answer of a deprecated route. What it throws is thrown by the call.
   * Default: warns once per route, and throws a SunsetError if the route has fewer than 30 days left.
   */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

export type Query = Readonly<Record<string, string | number | Date | undefined>>;

export interface HttpRequest {
  /** Path template. */
  readonly route: string;
  /** The values of the template. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query: Query;
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

/** @throws a TypeError that names baseUrl if the connection is lost; an abort is another error */
const throwLost =
  (base: string) =>
  (cause: unknown): never => {
    throw cause instanceof TypeError
      ? new LostConnection(`No answer from baseUrl ${base}: ${cause.message}`, { cause })
      : cause;
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
    }).catch(throwLost(base));

/** @returns the response, whose body is still to be read @throws PosternError if the service rejected the request */
export const requireOk = async (response: Response): Promise<Response> => {
  if (response.ok) return response;
  // The status counts, also if the connection breaks off. Reading frees the connection.
  throw errorOf(response, await response.text().catch(() => ''));
};

const DEFAULT_TIMEOUT_SECONDS = 30;

/** @returns a function that sends a request and returns the response with its body */
export const createHttpClient = ({ baseUrl, retry, timeout, cache, onDeprecation, ...options }: ClientOptions) => {
  const base = baseOf(baseUrl);
  const send = createSender(base, options);
  const delay = delayOf(retry === false ? { limit: 0 } : retry);
  const report = onDeprecation ?? createDeprecationPolicy();

  const sendOnce = async (url: string, { route, accept, signal }: HttpRequest): Promise<HttpAnswer> => {
    const cached = cache?.get(url);
    const headers = { Accept: accept, ...(cached && { 'If-None-Match': cached.etag }) };
    const response = await send(url, headers, signal);
    const notice = noticeOf(route, response.headers);
    if (notice !== undefined) report(notice);
    if (response.status === 304 && cached !== undefined) return { response, body: cached.body };

    const body = await (await requireOk(response)).text().catch(throwLost(base));
    if (!response.headers.get('Content-Type')?.startsWith(accept)) throw unexpectedResponse(response);
    const etag = response.headers.get('ETag');
    if (etag !== null) cache?.set(url, { etag, body });
    return { response, body };
  };

  return async (request: HttpRequest): Promise<HttpAnswer> => {
    const url = urlOf(base, request);
    const { signal } = request;
    const seconds = timeout ?? (signal === undefined ? DEFAULT_TIMEOUT_SECONDS : false);
    const attempt = (): Promise<HttpAnswer> =>
      seconds === false || seconds === 0
        ? sendOnce(url, request)
        : withTimeLimit(
            seconds,
            (limited) => sendOnce(url, { ...request, signal: limited }),
            signal,
            () => timeoutError(base, seconds),
          );
    return repeat(attempt, delay, signal);
  };
};
