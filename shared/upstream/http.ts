// Asks one source, with every limit that keeps a provider's bad day from becoming ours: a breaker, a bound on calls in
// flight, and few retries. What a single call may take and send back is in exchange.ts.
import { type Breaker, createBreaker, type Patience } from '../breaker.ts';
import type { Clock, Log } from '../ports.ts';
import { type Attempt, createExchange, type Fetched } from './exchange.ts';
import { createSlots } from './slots.ts';

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

const PATIENCE: Patience = { failures: 5, openMilliseconds: 5000 };

/** What one request of a caller may still use. */
export interface Budget {
  readonly deadline: number;
  retries: number;
}

export interface JsonClient {
  /** Never throws. @param url of a configured host */
  get(url: string, budget: Budget): Promise<Fetched>;
}

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
  /** Sent with every call beside our own. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Which of the source's limits an address falls under: one that is spent closes no other. @default one for all */
  readonly limitOf?: ((url: string) => string) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly limits?: Limits;
}

export const createJsonClient = (options: JsonClientOptions): JsonClient => {
  const { source, userAgent, headers, limitOf = () => '', clock, log, random, limits = PRODUCTION_LIMITS } = options;
  const exchange = createExchange({
    userAgent,
    ...(headers && { headers }),
    maxBodyBytes: limits.maxBodyBytes,
    connections: limits.maxInFlight,
    connectMilliseconds: limits.attemptMilliseconds,
  });
  const breakers = new Map<string, Breaker>();
  const breakerOf = (url: string): Breaker => {
    const limit = limitOf(url);
    const breaker = breakers.get(limit) ?? createBreaker(clock, random, PATIENCE);
    breakers.set(limit, breaker);
    return breaker;
  };
  const retryCredit = createRetryCredit(limits);
  const slots = createSlots(limits.maxInFlight);

  /** `why` where nothing was sent. */
  const send = async (url: string, { deadline }: Budget): Promise<Attempt | { readonly why: string }> => {
    const patience = Math.min(limits.attemptMilliseconds, deadline - clock() - limits.leastMilliseconds);
    if (patience < 0) return { why: 'no time left' };
    if (!(await slots.enter(patience))) return { why: 'too many in flight' };
    try {
      return await sendNow(url, deadline - clock());
    } finally {
      slots.leave();
    }
  };

  const sendNow = async (url: string, left: number): Promise<Attempt | { readonly why: string }> => {
    const permit = breakerOf(url).admit();
    if (permit === undefined) return { why: 'breaker open' };
    const milliseconds = Math.min(limits.attemptMilliseconds, left);
    const cutShort = milliseconds < limits.attemptMilliseconds;
    const began = clock();
    const made = await exchange(url, { milliseconds, cutShort });
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
