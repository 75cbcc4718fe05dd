// Sends one GET request for JSON to a configured host and classifies the response. It follows no redirect and never requests
// a URL of a caller.
import { gunzipSync } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
import { errorKind } from '../model/json.ts';
import { elapsed, NEVER_BEFORE } from '../model/time.ts';
import type { Clock, WallClock } from '../ports/system.ts';
import type { CallResult } from '../resilience/circuit-breaker.ts';
import type { ClientLimits } from './client-limits.ts';
import { readJson } from './read-json.ts';

const SECONDS = /^[0-9]+$/;
const UNIX_SECONDS = /^[0-9]{1,11}$/;
/** The three forms of RFC 9110 section 5.6.7. Date.parse also accepts texts that are no dates, such as `x 1`. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [A-Za-z0-9 -]+ [0-9]{2}:[0-9]{2}:[0-9]{2}(?: GMT| [0-9]{4})$/;

const waitUntil = (instant: number, wall: WallClock): number => instant - wall.now();

/**
 * How long a provider asks to be left alone: Retry-After (RFC 9110 section 10.2.3), or the end of its window that X sends
 * with a 429 in Unix seconds.
 *
 * @returns milliseconds, without an upper bound; undefined: the provider names no time to come
 */
export const retryAfterMilliseconds = (
  retryAfter: string | undefined,
  windowEnd: string | undefined,
  wall: WallClock,
): number | undefined => {
  const value = retryAfter?.trim() ?? '';
  const reset = retryAfter === undefined && windowEnd !== undefined && UNIX_SECONDS.test(windowEnd);
  let wait = 0;
  if (SECONDS.test(value)) wait = Number(value) * 1000;
  else if (HTTP_DATE.test(value)) wait = waitUntil(Date.parse(value), wall);
  else if (reset) wait = waitUntil(Number(windowEnd) * 1000, wall);
  return wait > 0 ? wait : undefined;
};

/** No connection was established. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection closed before the end of the response, or it was idle and the provider had closed it. */
const CONNECTION_CLOSED: ReadonlySet<string> = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Classifies an error of a connection to a provider.
 * - no connection: `down`, and the provider is at fault
 * - a connection that closed: `down`
 * - any other error, such as a response that is not HTTP: `failed`, which is not repeated
 */
export const connectionError = (error: unknown): AttemptResult => {
  const why = errorKind(error); // the errors of undici's parser have a name and no code
  const noConnection = NO_CONNECTION.has(why);
  const isUnanswered = noConnection || CONNECTION_CLOSED.has(why);
  return {
    fetched: { kind: isUnanswered ? 'down' : 'failed', why },
    health: noConnection ? 'failure' : 'suspect',
    mayRetry: isUnanswered,
  };
};

export type FetchResult =
  /** `json` is undefined if the response has another media type. */
  | { readonly kind: 'response'; readonly status: number; readonly json: unknown; readonly isHtml: boolean }
  | { readonly kind: 'failed'; readonly why: string; readonly isTooLarge?: true }
  | { readonly kind: 'down'; readonly why: string; readonly isStarved?: true; readonly isSkipped?: true };

export interface AttemptResult {
  readonly fetched: FetchResult;
  /** `suspect`: either the provider failed, or the requested subject made it fail. */
  readonly health: CallResult | 'suspect';
  readonly mayRetry: boolean;
  /** The status of a response that `fetched` does not have. */
  readonly status?: number;
  /** Milliseconds for which the provider asks to be left alone. */
  readonly retryAfter?: number | undefined;
}

const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\b/i;
const HTML_TYPE = /^text\/html\b/i;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

const success = (fetched: FetchResult): AttemptResult => ({ fetched, health: 'success', mayRetry: false });

const overloaded = (status: number, retryAfter: number | undefined): AttemptResult => ({
  fetched: { kind: 'down', why: `status ${status}` },
  health: status === 429 ? 'throttled' : 'suspect',
  mayRetry: status >= 502 && status <= 504 && retryAfter === undefined,
  status,
  retryAfter,
});

const retryAfterOf = (status: number, headers: Headers, wall: WallClock): number | undefined =>
  retryAfterMilliseconds(
    first(headers['retry-after']),
    status === 429 ? first(headers['x-rate-limit-reset']) : undefined,
    wall,
  );

const TOO_LARGE: FetchResult = { kind: 'failed', why: 'body too large', isTooLarge: true };
const DAMAGED: FetchResult = { kind: 'failed', why: 'body damaged' };

/** @returns a failed result if the body cannot be decoded */
const decode = (bytes: Buffer, encoding: string, maxBytes: number): Buffer | FetchResult => {
  if (encoding === '' || encoding === 'identity') return bytes;
  if (encoding !== 'gzip') return DAMAGED; // Accept-Encoding has only gzip
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    return errorKind(error) === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : DAMAGED;
  }
};

const decodeResponse = (status: number, headers: Headers, bytes: Buffer | undefined, maxBytes: number): FetchResult => {
  if (status >= 300 && status < 400) return { kind: 'failed', why: `redirect ${status}` };
  const type = first(headers['content-type']) ?? '';
  if (!JSON_TYPE.test(type)) return { kind: 'response', status, json: undefined, isHtml: HTML_TYPE.test(type) };
  const encoding = (first(headers['content-encoding']) ?? '').trim().toLowerCase();
  const decoded = bytes === undefined ? TOO_LARGE : decode(bytes, encoding, maxBytes);
  if (!Buffer.isBuffer(decoded)) return decoded;
  const json = readJson(decoded);
  return json === undefined ? { kind: 'failed', why: 'not JSON' } : { kind: 'response', status, json, isHtml: false };
};

/** The limits of the body of one call. */
interface BodyLimits {
  readonly maxBytes: number;
  /** A larger body needs a slot. */
  readonly freeBytes: number;
  /** @returns false if too many large bodies are in flight */
  acquireSlot(): boolean;
}

export interface RequestSenderOptions {
  readonly userAgent: string;
  /** Additional header fields. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly limits: Pick<ClientLimits, 'maxBodyBytes' | 'largeBodyBytes' | 'maxLargeInFlight' | 'attemptMilliseconds'>;
  readonly clock: Clock;
  readonly wall: WallClock;
}

export interface RequestLimits {
  readonly milliseconds: number;
  /** The call has less than its full time, so a time-out is not a fault of the provider. */
  readonly isReduced: boolean;
  /** The body may be one of the large ones. @default false */
  readonly mayBeLarge?: boolean;
}

interface Call {
  readonly handler: Dispatcher.DispatchHandler & { onResponseError(controller: unknown, error: unknown): void };
  /** Ends the call at its deadline and closes its connection. */
  end(): void;
}

const TOO_MANY_LARGE: AttemptResult = {
  fetched: { kind: 'down', why: 'too many large bodies' },
  health: 'inconclusive',
  mayRetry: false,
};

/** The reason of an abort, which reaches only the handler of the same call. */
const ENDED = new Error('the call has ended');

/**
 * Collects one response. It handles the events of undici itself, because the stream of undici's `request` takes a third of
 * the CPU time of a call.
 *
 * @param settle called once
 */
const createCall = (
  { maxBytes, freeBytes, acquireSlot }: BodyLimits,
  healthAtDeadline: AttemptResult['health'],
  wall: WallClock,
  settle: (result: AttemptResult) => void,
): Call => {
  let controller: Dispatcher.DispatchController | undefined;
  let isSettled = false;
  let status = 0;
  let headers: Headers = {};
  const chunks: Buffer[] = [];
  let size = 0;
  let hasSlot = false;
  let resultAtDeadline: AttemptResult = {
    fetched: { kind: 'down', why: 'time-out' },
    health: healthAtDeadline,
    mayRetry: false,
  };
  /** The body of such a response is read only so that the connection can be reused. */
  let isOverloaded = false;

  const finish = (result: AttemptResult): void => {
    if (isSettled) return;
    isSettled = true;
    settle(result);
  };
  /** @param body undefined: larger than the limit */
  const finishWith = (body: Buffer | undefined): void =>
    finish(isOverloaded ? resultAtDeadline : success(decodeResponse(status, headers, body, maxBytes)));

  return {
    handler: {
      onRequestStart(started) {
        // undici starts the request when it has a connection, which can be after the deadline.
        if (isSettled) started.abort(ENDED);
        controller = started;
      },
      onResponseStart(_, statusCode, fields) {
        if (statusCode < 200) return; // RFC 9110 section 15.2: the final response follows
        status = statusCode;
        headers = fields;
        isOverloaded = statusCode === 429 || statusCode >= 500;
        if (isOverloaded) resultAtDeadline = overloaded(statusCode, retryAfterOf(statusCode, fields, wall));
      },
      onResponseData(current, chunk) {
        size += chunk.length;
        const isTooLarge = size > maxBytes;
        hasSlot ||= size > freeBytes && !isTooLarge && acquireSlot();
        if (size <= freeBytes || (hasSlot && !isTooLarge)) {
          chunks.push(chunk);
          return;
        }
        if (isTooLarge) finishWith(undefined);
        else finish(TOO_MANY_LARGE);
        current.abort(ENDED);
      },
      onResponseEnd() {
        const [only] = chunks;
        finishWith(chunks.length === 1 ? only : Buffer.concat(chunks, size));
      },
      onResponseError: (_, error) => finish(isOverloaded ? resultAtDeadline : connectionError(error)),
    },
    end() {
      finish(resultAtDeadline);
      controller?.abort(ENDED);
    },
  };
};

/** Shorter than the time after which the providers close an idle connection. */
const MAX_IDLE_MILLISECONDS = 10_000;
/** An agent uses some connections seldom, and the clock does not tell how long each one was idle. */
const MAX_AGE_MILLISECONDS = 60_000;

/**
 * Lambda suspends the function between two events, and with it the timers of undici, which then writes to connections that
 * the provider has closed in the meantime. So the clock decides, too, until when an agent is used.
 *
 * @returns a function that returns the agent of the next call
 */
const createAgents = (create: () => Agent, clock: Clock): (() => Agent) => {
  let agent: Agent | undefined;
  let createdAt = NEVER_BEFORE;
  let usedAt = NEVER_BEFORE;
  return () => {
    const now = clock();
    if (
      agent === undefined ||
      elapsed(usedAt, now) > MAX_IDLE_MILLISECONDS ||
      elapsed(createdAt, now) > MAX_AGE_MILLISECONDS
    ) {
      void agent?.close(); // after the calls that it has
      agent = create();
      createdAt = now;
    }
    usedAt = now;
    return agent;
  };
};

/** Never rejects. @param url on a configured host */
export type SendRequest = (url: string, limits: RequestLimits) => Promise<AttemptResult>;

export const createRequestSender = (options: RequestSenderOptions): SendRequest => {
  const { userAgent, headers: more, limits, clock, wall } = options;
  let largeInFlight = 0;
  const createAgent = (): Agent =>
    new Agent({
      keepAliveTimeout: MAX_IDLE_MILLISECONDS,
      keepAliveMaxTimeout: MAX_AGE_MILLISECONDS,
      connect: { timeout: limits.attemptMilliseconds },
      allowH2: false,
    });
  const nextAgent = createAgents(createAgent, clock);
  const headers = { ...more, accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': userAgent };
  return (url, { milliseconds, isReduced, mayBeLarge }) => {
    const { promise, resolve } = Promise.withResolvers<AttemptResult>();
    let slots = 0;
    const bodyLimits: BodyLimits = {
      maxBytes: mayBeLarge ? limits.largeBodyBytes : limits.maxBodyBytes,
      freeBytes: limits.maxBodyBytes,
      acquireSlot() {
        if (largeInFlight >= limits.maxLargeInFlight) return false;
        largeInFlight += 1;
        slots = 1;
        return true;
      },
    };
    const call = createCall(bodyLimits, isReduced ? 'inconclusive' : 'suspect', wall, (result) => {
      clearTimeout(timer);
      largeInFlight -= slots;
      resolve(result);
    });
    const timer = setTimeout(call.end, milliseconds);
    try {
      const { origin, pathname, search } = new URL(url);
      nextAgent().dispatch({ origin, path: pathname + search, method: 'GET', headers }, call.handler);
    } catch (error) {
      call.handler.onResponseError(undefined, error);
    }
    return promise;
  };
};
