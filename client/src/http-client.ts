// Sends requests: URL, API key, retries, validators of the cache, deprecation, and problems as exceptions.
import { createDeprecationPolicy, type DeprecationNotice, noticeOf } from './deprecation.ts';
import { errorOf, retryAfterOf, unexpectedResponse } from './postern-error.ts';

/** The longest time that a timer of JavaScript can wait; a longer time would end at once. */
const MAX_WAIT_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

/** The service never asks for less. A request that is repeated at once would be a flood. */
const MIN_WAIT_SECONDS = 1;

/** Waits for the seconds. @throws the reason of the signal as soon as it is aborted */
const wait = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** The part of `fetch` that the client needs. */
export type Fetch = (
  url: string,
  init: { readonly headers: Record<string, string>; readonly signal: AbortSignal | null },
) => Promise<Response>;

export interface RetryOptions {
  /** How often a request is repeated after 429 or 503; 0 turns retries off. Default: 2. */
  readonly limit?: number | undefined;
  /** The longest `Retry-After` to wait for, in seconds. A longer one is thrown at once. Default: 60. */
  readonly maxRetryAfter?: number | undefined;
}

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

const segment = (name: string, value = ''): string => {
  // URLs resolve these segments, so the request would reach another route.
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} must not be ${JSON.stringify(value)}`);
  return encodeURIComponent(value);
};

const urlOf = (baseUrl: string, { route, path = {}, query }: HttpRequest): string => {
  const filled = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, path[name]));
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : String(value)]],
  );
  return `${baseUrl}${filled}?${new URLSearchParams(parameters)}`;
};

/** @throws TypeError that names the option, because the errors of URL and fetch do not */
const baseOf = (baseUrl: string | URL): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.search}${url.hash}` === '')
    return url.href.replace(/\/+$/, '');
  throw new TypeError('baseUrl must be the URL of a Postern service, such as https://postern.example');
};

const isBusy = (status: number): boolean => status === 429 || status === 503;

/** @returns a function that sends a request and returns the response with its body */
export const createHttpClient = ({
  baseUrl,
  apiKey,
  fetch = (url, init) => globalThis.fetch(url, init),
  retry: { limit = 2, maxRetryAfter = 60 } = {},
  cache,
  onDeprecation = createDeprecationPolicy(),
}: ClientOptions) => {
  const base = baseOf(baseUrl);
  const longestWait = Math.min(maxRetryAfter, MAX_WAIT_SECONDS);

  const send = async (url: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> => {
    for (let retries = 0; ; retries += 1) {
      const response = await fetch(url, { headers, signal: signal ?? null }).catch((cause: unknown) => {
        // The error of a connection that failed. An abort is another error.
        throw cause instanceof TypeError
          ? new TypeError(`No answer from baseUrl ${base}: ${cause.message}`, { cause })
          : cause;
      });
      const retryAfter = isBusy(response.status) ? retryAfterOf(response.headers) : undefined;
      if (retryAfter === undefined || retries >= limit) return response;
      const seconds = Math.max(retryAfter, MIN_WAIT_SECONDS);
      if (seconds > longestWait) return response;
      await response.body?.cancel(); // frees the connection
      await wait(seconds, signal);
    }
  };

  return async (request: HttpRequest): Promise<{ readonly response: Response; readonly body: string }> => {
    const url = urlOf(base, request);
    const cached = cache?.get(url);
    const headers = {
      Accept: request.accept,
      ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
      ...(cached && { 'If-None-Match': cached.etag }),
    };
    const response = await send(url, headers, request.signal);
    const notice = noticeOf(request.route, response.headers);
    if (notice !== undefined) onDeprecation(notice);
    if (response.status === 304 && cached !== undefined) return { response, body: cached.body };

    const body = await response.text();
    if (!response.ok) throw errorOf(response, body);
    if (!response.headers.get('Content-Type')?.startsWith(request.accept)) throw unexpectedResponse(response);
    const etag = response.headers.get('ETag');
    if (etag !== null) cache?.set(url, { etag, body });
    return { response, body };
  };
};
