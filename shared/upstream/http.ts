// The only user of undici: one GET of JSON from a fixed host, with every limit that keeps a provider's bad day from
// becoming ours. No redirect is followed and no address of a caller is ever fetched.
import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import type { Clock, Log } from '../ports.ts';
import { type Breaker, createBreaker } from './breaker.ts';

const ATTEMPT_MILLISECONDS = 3500;
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_IN_FLIGHT = 20;
const RETRY_SHARE = 0.1;
const MAX_RETRY_CREDIT = 10;
const RETRY_JITTER_MILLISECONDS = 150;
const LEAST_USEFUL_MILLISECONDS = 100;

/** What one request of a caller may still use. */
export interface Budget {
  readonly deadline: number;
  retries: number;
}

export type Fetched =
  /** `json` is undefined when the answer was of another type. */
  | { readonly kind: 'answer'; readonly status: number; readonly json: unknown; readonly isHtml: boolean }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'down'; readonly why: string };

export interface JsonClient {
  /** Never throws. @param url of a configured host */
  get(url: string, budget: Budget): Promise<Fetched>;
}

type Attempt = Fetched & { readonly retry?: boolean; readonly retryAfter?: string | undefined };

const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\b/i;
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';

const failure = (error: unknown, timedOut: boolean): Attempt => {
  if (timedOut) return { kind: 'down', why: 'time-out' };
  const code = codeOf(error);
  // A connection that broke half-way gave an unusable answer; one that never came about gave none.
  return { kind: NO_CONNECTION.has(code) ? 'down' : 'failed', why: code, retry: true };
};

type Body = AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown };

const readBody = async (body: Body): Promise<Buffer | undefined> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined; // leaving the loop destroys the stream and its socket
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};

const decode = (bytes: Buffer, encoding: string | undefined): Buffer | undefined => {
  if (encoding === undefined || encoding === 'identity') return bytes;
  if (encoding !== 'gzip') return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch {
    return undefined; // damaged, or a bomb
  }
};

const parse = (bytes: Buffer): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return undefined;
  }
};

const attempt = async (agent: Agent, url: string, userAgent: string, milliseconds: number): Promise<Attempt> => {
  const abort = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    abort.abort();
  }, milliseconds);
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': userAgent },
      signal: abort.signal,
    });
    const bytes = await readBody(body);
    const status = statusCode;
    if (status === 429 || status >= 500) {
      return { kind: 'down', why: `status ${status}`, retry: status >= 502 && status <= 504, retryAfter: first(headers['retry-after']) };
    }
    if (status >= 300 && status < 400) return { kind: 'failed', why: `redirect ${status}` };
    const type = first(headers['content-type']) ?? '';
    if (!JSON_TYPE.test(type)) return { kind: 'answer', status, json: undefined, isHtml: /^text\/html\b/i.test(type) };
    const decoded = bytes && decode(bytes, first(headers['content-encoding'])?.toLowerCase());
    if (decoded === undefined) return { kind: 'failed', why: 'body too large or damaged' };
    const parsed = parse(decoded);
    return parsed === undefined
      ? { kind: 'failed', why: 'not JSON' }
      : { kind: 'answer', status, json: parsed.json, isHtml: false };
  } catch (error) {
    return failure(error, timedOut);
  } finally {
    clearTimeout(timer);
  }
};

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface JsonClientOptions {
  /** For logs. */
  readonly source: string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export const createJsonClient = ({ source, userAgent, clock, log, random }: JsonClientOptions): JsonClient => {
  // Below what providers keep idle connections for, so that a reused socket is seldom a dead one.
  const agent = new Agent({ keepAliveTimeout: 10_000, keepAliveMaxTimeout: 60_000, connections: MAX_IN_FLIGHT, allowH2: false });
  const breaker: Breaker = createBreaker(clock, random);
  let inFlight = 0;
  let retryCredit = 1;

  const guarded = async (url: string, budget: Budget): Promise<Attempt> => {
    const left = Math.min(ATTEMPT_MILLISECONDS, budget.deadline - clock());
    if (left < LEAST_USEFUL_MILLISECONDS) return { kind: 'down', why: 'no time left' };
    if (!breaker.admits()) return { kind: 'down', why: 'breaker open' };
    if (inFlight >= MAX_IN_FLIGHT) return { kind: 'down', why: 'too many in flight' };
    inFlight += 1;
    const began = clock();
    const result = await attempt(agent, url, userAgent, left);
    inFlight -= 1;
    breaker.record(result.kind !== 'down', result.retryAfter);
    log({
      level: result.kind === 'answer' ? 'info' : 'warn',
      event: 'upstream',
      source,
      outcome: result.kind === 'answer' ? `status ${result.status}` : result.why,
      duration_ms: clock() - began,
    });
    return result;
  };

  return {
    async get(url, budget) {
      retryCredit = Math.min(MAX_RETRY_CREDIT, retryCredit + RETRY_SHARE);
      const result = await guarded(url, budget);
      if (!result.retry || budget.retries < 1 || retryCredit < 1) return result;
      budget.retries -= 1;
      retryCredit -= 1;
      await pause(random() * RETRY_JITTER_MILLISECONDS);
      return guarded(url, budget);
    },
  };
};
