// The only user of undici: one GET of JSON from a fixed host, and what its answer amounts to. No redirect is followed
// and no address of a caller is ever fetched.
import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { errorKind } from '../model/errors.ts';
import { parseJson } from '../model/json.ts';
import type { CallResult } from '../resilience/circuit-breaker.ts';

export type FetchResult =
  /** `json` is undefined when the answer was of another type. */
  | { readonly kind: 'response'; readonly status: number; readonly json: unknown; readonly isHtml: boolean }
  | { readonly kind: 'failed'; readonly why: string; readonly isTooLarge?: true }
  | { readonly kind: 'down'; readonly why: string; readonly isStarved?: true };

export interface AttemptResult {
  readonly fetched: FetchResult;
  /** `suspect`: the provider may be ill, or what was asked for may be at fault. */
  readonly health: CallResult | 'suspect';
  readonly mayRetry: boolean;
  readonly retryAfter?: string | undefined;
}

const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\b/i;
const HTML_TYPE = /^text\/html\b/i;

/** No answer, since no connection came about. */
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
/** The connection was closed before the end of the answer. An idle connection that the provider had closed looks the same. */
const BROKEN_OFF: ReadonlySet<string> = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

const connectionError = (error: unknown): AttemptResult => {
  const why = errorKind(error); // the errors of undici's parser have a name and no code
  const noConnection = NO_CONNECTION.has(why);
  // All else is an answer that is not HTTP.
  const isUnanswered = noConnection || BROKEN_OFF.has(why);
  return {
    fetched: { kind: isUnanswered ? 'down' : 'failed', why },
    health: noConnection ? 'failure' : 'suspect',
    mayRetry: isUnanswered,
  };
};

const success = (fetched: FetchResult): AttemptResult => ({ fetched, health: 'success', mayRetry: false });

const overloaded = (status: number, retryAfter: string | undefined): AttemptResult => ({
  fetched: { kind: 'down', why: `status ${status}` },
  health: status === 429 ? 'throttled' : 'suspect',
  mayRetry: status >= 502 && status <= 504 && retryAfter === undefined,
  retryAfter,
});

/** To a 429 X says when its window ends, in Unix seconds: the same as a HTTP-date. */
const retryAfterOf = (status: number, headers: Headers): string | undefined => {
  const reset = status === 429 ? (first(headers['x-rate-limit-reset']) ?? '') : '';
  return first(headers['retry-after']) ?? (/^[0-9]{1,11}$/.test(reset) ? httpDateOf(Number(reset)) : undefined);
};

/** RFC 9110 section 5.6.7: IMF-fixdate, which is what toUTCString writes. */
const httpDateOf = (seconds: number): string => new Date(seconds * 1000).toUTCString();

/**
 * By events: iterating over the stream would cost more than all else here.
 *
 * @returns undefined when there is more than `maxBytes`; the stream and its socket are destroyed then
 */
const readBody = (body: Readable, maxBytes: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        resolve(undefined);
        body.destroy();
      }
    });
    body.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size)));
    body.on('error', reject);
  });

const TOO_LARGE: FetchResult = { kind: 'failed', why: 'body too large', isTooLarge: true };
const DAMAGED: FetchResult = { kind: 'failed', why: 'body damaged' };

/** @returns why not, where it is not to be decoded */
const decode = (bytes: Buffer, encoding: string, maxBytes: number): Buffer | FetchResult => {
  if (encoding === '' || encoding === 'identity') return bytes;
  if (encoding !== 'gzip') return DAMAGED; // we asked for nothing else
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
  const json = parseJson(decoded.toString('utf8'));
  return json === undefined ? { kind: 'failed', why: 'not JSON' } : { kind: 'response', status, json, isHtml: false };
};

export interface RequestSenderOptions {
  readonly userAgent: string;
  /** @default none beside our own */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the body, as sent and as decoded. */
  readonly maxBodyBytes: number;
  readonly connectMilliseconds: number;
}

export interface TimeLimit {
  readonly milliseconds: number;
  /** Less time than a call is entitled to: running out of it is no fault of the provider. */
  readonly isReduced: boolean;
}

/** Never throws. @param url of a configured host */
export type SendRequest = (url: string, time: TimeLimit) => Promise<AttemptResult>;

export const createRequestSender = (options: RequestSenderOptions): SendRequest => {
  const { userAgent, headers: more, maxBodyBytes, connectMilliseconds } = options;
  const agent = new Agent({
    // Below what providers keep idle connections for, so that a reused socket is seldom a dead one.
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    connect: { timeout: connectMilliseconds },
    allowH2: false,
  });
  return async (url, { milliseconds, isReduced }) => {
    // undici takes an emitter for a signal as well, and an AbortController costs several times as much.
    const abort = new EventEmitter();
    let atTheDeadline: AttemptResult = {
      fetched: { kind: 'down', why: 'time-out' },
      health: isReduced ? 'inconclusive' : 'suspect',
      mayRetry: false,
    };
    const answer = async (): Promise<AttemptResult> => {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: agent,
        method: 'GET',
        headers: { ...more, accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': userAgent },
        signal: abort,
      });
      if (statusCode !== 429 && statusCode < 500) {
        return success(decodeResponse(statusCode, headers, await readBody(body, maxBodyBytes), maxBodyBytes));
      }
      // The status says it all; the body is read for the sake of the connection.
      atTheDeadline = overloaded(statusCode, retryAfterOf(statusCode, headers));
      await readBody(body, maxBodyBytes).catch(() => undefined);
      return atTheDeadline;
    };
    const { promise: deadline, resolve } = Promise.withResolvers<AttemptResult>();
    const timer = setTimeout(() => {
      // A signal alone is not enough: undici looks at it only once it has a connection.
      resolve(atTheDeadline);
      abort.emit('abort');
    }, milliseconds);
    try {
      return await Promise.race([answer().catch(connectionError), deadline]);
    } finally {
      clearTimeout(timer);
    }
  };
};
