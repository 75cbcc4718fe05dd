// The only user of undici: one GET of JSON from a fixed host, with every limit that keeps a provider's bad day from
// becoming ours. No redirect is followed and no address of a caller is ever fetched.
import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import type { Clock, Log } from '../ports.ts';
import { createBreaker, type Health } from './breaker.ts';

export interface Limits {
  /** Of one call, from connecting to the last byte. */
  readonly attemptMilliseconds: number;
  /** With less time left a call is not begun. */
  readonly leastMilliseconds: number;
  /** Of the body, as sent and as decoded. */
  readonly maxBodyBytes: number;
  /** Per source and instance. */
  readonly maxInFlight: number;
  /** One of so many requests may be retried. */
  readonly requestsPerRetry: number;
  /** Retries that quiet times may save up. */
  readonly maxSavedRetries: number;
  readonly retryJitterMilliseconds: number;
}

export const PRODUCTION_LIMITS: Limits = {
  attemptMilliseconds: 3500,
  leastMilliseconds: 100,
  maxBodyBytes: 2 * 1024 * 1024,
  maxInFlight: 20,
  requestsPerRetry: 10,
  maxSavedRetries: 10,
  retryJitterMilliseconds: 150,
};

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

interface Attempt {
  readonly fetched: Fetched;
  readonly health: Health;
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
/** An unusable answer: the connection broke before its end. An idle one that the provider had closed looks the same. */
const BROKEN_OFF: ReadonlySet<string> = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** undici's parser errors have a name only. */
const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

const broken = (error: unknown): Attempt => {
  const why = nameOf(error);
  const noConnection = NO_CONNECTION.has(why);
  return {
    fetched: { kind: noConnection ? 'down' : 'failed', why },
    health: 'ill',
    mayRetry: noConnection || BROKEN_OFF.has(why),
  };
};

const heard = (fetched: Fetched): Attempt => ({ fetched, health: 'well', mayRetry: false });

const tooBusy = (status: number, retryAfter: string | undefined): Attempt => ({
  fetched: { kind: 'down', why: `status ${status}` },
  health: status === 429 ? 'closed' : 'ill',
  mayRetry: status >= 502 && status <= 504 && retryAfter === undefined,
  retryAfter,
});

const readBody = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | undefined> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return undefined; // leaving the loop destroys the stream and its socket
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};

const decode = (bytes: Buffer, encoding: string, maxBytes: number): Buffer | undefined => {
  if (encoding === '' || encoding === 'identity') return bytes;
  if (encoding !== 'gzip') return undefined; // we asked for nothing else
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
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

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const understand = (status: number, headers: Headers, bytes: Buffer | undefined, maxBytes: number): Fetched => {
  if (status >= 300 && status < 400) return { kind: 'failed', why: `redirect ${status}` };
  const type = first(headers['content-type']) ?? '';
  if (!JSON_TYPE.test(type)) return { kind: 'answer', status, json: undefined, isHtml: HTML_TYPE.test(type) };
  const encoding = (first(headers['content-encoding']) ?? '').trim().toLowerCase();
  const decoded = bytes && decode(bytes, encoding, maxBytes);
  if (decoded === undefined) return { kind: 'failed', why: 'body too large or damaged' };
  const parsed = parse(decoded);
  return parsed === undefined
    ? { kind: 'failed', why: 'not JSON' }
    : { kind: 'answer', status, json: parsed.json, isHtml: false };
};

interface Call {
  readonly agent: Agent;
  readonly url: string;
  readonly userAgent: string;
  readonly maxBodyBytes: number;
  readonly milliseconds: number;
  /** Less time than a call is entitled to: running out of it is no fault of the provider. */
  readonly cutShort: boolean;
}

const attempt = async ({ agent, url, userAgent, maxBodyBytes, milliseconds, cutShort }: Call): Promise<Attempt> => {
  const abort = new AbortController();
  let atTheDeadline: Attempt = {
    fetched: { kind: 'down', why: 'time-out' },
    health: cutShort ? 'unclear' : 'ill',
    mayRetry: false,
  };
  const exchange = async (): Promise<Attempt> => {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': userAgent },
      signal: abort.signal,
    });
    if (statusCode !== 429 && statusCode < 500) {
      return heard(understand(statusCode, headers, await readBody(body, maxBodyBytes), maxBodyBytes));
    }
    // The status says it all; the body is read for the sake of the connection.
    atTheDeadline = tooBusy(statusCode, first(headers['retry-after']));
    await readBody(body, maxBodyBytes).catch(() => undefined);
    return atTheDeadline;
  };
  const { promise: deadline, resolve } = Promise.withResolvers<Attempt>();
  const timer = setTimeout(() => {
    // A signal alone is not enough: undici looks at it only once it has a connection.
    resolve(atTheDeadline);
    abort.abort();
  }, milliseconds);
  try {
    return await Promise.race([exchange().catch(broken), deadline]);
  } finally {
    clearTimeout(timer);
  }
};

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** One request in so many may be sent twice, so that retries never double a provider's trouble. */
const createRetryCredit = ({ requestsPerRetry, maxSavedRetries }: Limits) => {
  let requests = requestsPerRetry;
  return {
    earn(): void {
      requests = Math.min(requests + 1, requestsPerRetry * maxSavedRetries);
    },
    spend(): boolean {
      if (requests < requestsPerRetry) return false;
      requests -= requestsPerRetry;
      return true;
    },
  };
};

export interface JsonClientOptions {
  /** For logs. */
  readonly source: string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly limits?: Limits;
}

export const createJsonClient = (options: JsonClientOptions): JsonClient => {
  const { source, userAgent, clock, log, random, limits = PRODUCTION_LIMITS } = options;
  const agent = new Agent({
    // Below what providers keep idle connections for, so that a reused socket is seldom a dead one.
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    connections: limits.maxInFlight,
    connect: { timeout: limits.attemptMilliseconds },
    allowH2: false,
  });
  const breaker = createBreaker(clock, random);
  const retryCredit = createRetryCredit(limits);
  let inFlight = 0;

  /** `why` where nothing was sent. */
  const send = async (url: string, { deadline }: Budget): Promise<Attempt | { readonly why: string }> => {
    const left = deadline - clock();
    if (left < limits.leastMilliseconds) return { why: 'no time left' };
    if (inFlight >= limits.maxInFlight) return { why: 'too many in flight' };
    const permit = breaker.admit();
    if (permit === undefined) return { why: 'breaker open' };
    const milliseconds = Math.min(limits.attemptMilliseconds, left);
    const cutShort = milliseconds < limits.attemptMilliseconds;
    const began = clock();
    inFlight += 1;
    const made = await attempt({ agent, url, userAgent, maxBodyBytes: limits.maxBodyBytes, milliseconds, cutShort });
    inFlight -= 1;
    permit.settle(made.health, made.retryAfter);
    const { fetched } = made;
    log({
      level: fetched.kind === 'answer' ? 'info' : 'warn',
      event: 'upstream',
      source,
      outcome: fetched.kind === 'answer' ? `status ${fetched.status}` : fetched.why,
      duration_ms: clock() - began,
    });
    return made;
  };

  return {
    async get(url, budget) {
      retryCredit.earn();
      const made = await send(url, budget);
      if ('why' in made) return { kind: 'down', why: made.why };
      const inTime = budget.deadline - clock() >= limits.retryJitterMilliseconds + limits.leastMilliseconds;
      if (!made.mayRetry || !inTime || budget.retries < 1 || !retryCredit.spend()) return made.fetched;
      budget.retries -= 1;
      await pause(random() * limits.retryJitterMilliseconds);
      const again = await send(url, budget);
      return 'why' in again ? made.fetched : again.fetched;
    },
  };
};
