// Asks one source, with every limit that keeps a provider's bad day from becoming ours, and one caller's bad requests from
// becoming another's: for each kind of query a breaker, a bound on calls in flight, few retries, and a memory of subjects
// that fail. What a single call may take and send back is in exchange.ts.
import { type Breaker, createBreaker, type Patience, type Permit } from '../breaker.ts';
import type { Clock, Log } from '../ports.ts';
import { type Attempt, createExchange, type Fetched } from './exchange.ts';
import { createFaultAttribution, type FaultAttribution } from './fault-attribution.ts';
import { createRetryBudget, type RetryBudget } from './retry-budget.ts';
import { createSlots, type Slots } from './slots.ts';
import { record } from './wire.ts';

export interface Limits {
  /** Of one call, from connecting to the last byte. */
  readonly attemptMilliseconds: number;
  /** With less time left a call is not begun. */
  readonly leastMilliseconds: number;
  /** Of the body, as sent and as decoded. */
  readonly maxBodyBytes: number;
  /** Per source, kind of query and instance. */
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

/** A call was not made because of other calls of the same caller. */
export const STARVED = { kind: 'down', why: 'too many in flight', isStarved: true } as const;

/** By so much a timer may be late before it proves that the function was frozen meanwhile, as Lambda does it. */
const FROZEN_MILLISECONDS = 1000;

/** What one request of a caller may still use. */
export interface Budget {
  readonly deadline: number;
  retries: number;
  /** On whose behalf; equal for all requests of a caller. */
  readonly caller?: string | undefined;
  /** Set when a call was not made because of the caller's own calls: what came of the rest is for this caller alone. */
  isStarved?: boolean;
}

export interface JsonClient {
  /** Never throws. @param url of a configured host */
  get(url: string, budget: Budget): Promise<Fetched>;
}

/** How the queries of a source are told apart: trouble with one kind says nothing of another. */
export interface QueryKinds {
  /** Which kind of query asks for a URL. */
  kindOf(url: string): string;
  /** What a query of this kind is known to answer; undefined: nothing. */
  canaryUrlOf(kind: string): string | undefined;
}

const ONE_KIND: QueryKinds = { kindOf: () => '', canaryUrlOf: () => undefined };

/** What is kept apart for each kind of query. */
interface QueryState {
  readonly breaker: Breaker;
  readonly slots: Slots;
  readonly retryBudget: RetryBudget;
  readonly faults: FaultAttribution;
}

interface Sent {
  readonly made: Attempt;
  /** Tells the breaker what the call proves; this or the other once. */
  conclude(): void;
  /** The same of a call that was made again. */
  supersede(): void;
}

/** A call that is over, and what was known when it began. */
interface Settling {
  readonly state: QueryState;
  readonly url: string;
  readonly caller: string | undefined;
  readonly beganAt: number;
  readonly permit: Permit;
  readonly made: Attempt;
}

/** Nothing was sent, and why. */
interface Unsent {
  readonly why: string;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** With HTTP 200 the body of FxTwitter may know better. */
const isFound = (fetched: Fetched): boolean => {
  if (fetched.kind !== 'answer' || fetched.status !== 200 || fetched.json === undefined) return false;
  const code = record(fetched.json)?.['code'];
  return code === undefined || code === 200;
};

export interface JsonClientOptions {
  /** For logs. */
  readonly source: string;
  readonly userAgent: string;
  /** Sent with every call beside our own. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default one kind for all, of which nothing is known to be answered */
  readonly queryKinds?: QueryKinds | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly limits?: Limits;
}

export const createJsonClient = (options: JsonClientOptions): JsonClient => {
  const { source, userAgent, headers, clock, log, random } = options;
  const { queryKinds = ONE_KIND, limits = PRODUCTION_LIMITS } = options;
  const exchange = createExchange({
    userAgent,
    ...(headers && { headers }),
    maxBodyBytes: limits.maxBodyBytes,
    connectMilliseconds: limits.attemptMilliseconds,
  });

  /** One call, and its line in the log. */
  const call = async (url: string, milliseconds: number, role?: 'canary'): Promise<Attempt> => {
    const began = clock();
    const made = await exchange(url, { milliseconds, cutShort: milliseconds < limits.attemptMilliseconds });
    const { fetched } = made;
    log({
      level: fetched.kind === 'answer' ? 'info' : 'warn',
      event: 'upstream',
      source,
      outcome: fetched.kind === 'answer' ? `status ${fetched.status}` : fetched.why,
      duration_ms: clock() - began,
      ...(role && { role }),
    });
    return made;
  };

  /** Past the breaker and the bound on calls in flight: what it says must be about the provider alone. */
  const isCanaryAnswered = async (url: string): Promise<boolean | undefined> => {
    const began = clock();
    const { fetched } = await call(url, limits.attemptMilliseconds, 'canary');
    if (isFound(fetched)) return true;
    return clock() - began > limits.attemptMilliseconds + FROZEN_MILLISECONDS ? undefined : false;
  };

  const states = new Map<string, QueryState>();
  const stateOf = (url: string): QueryState => {
    const kind = queryKinds.kindOf(url);
    const known = states.get(kind);
    if (known !== undefined) return known;
    const canaryUrl = queryKinds.canaryUrlOf(kind);
    const state: QueryState = {
      breaker: createBreaker(clock, random, PATIENCE),
      slots: createSlots(limits.maxInFlight),
      retryBudget: createRetryBudget(limits),
      faults: createFaultAttribution({ canaryUrl, isAnswered: isCanaryAnswered, clock }),
    };
    states.set(kind, state);
    return state;
  };

  /** Tells the breaker what a call proves, once that is known: the caller does not wait for it. */
  const settle = async ({ state, url, caller, beganAt, permit, made }: Settling): Promise<void> => {
    const { breaker, faults } = state;
    const { health, retryAfter, fetched } = made;
    if (isFound(fetched)) faults.recordSuccess(url, caller);
    if (health !== 'suspect') return permit.settle(health, retryAfter);
    // Another request may find out meanwhile.
    permit.settle('unclear');
    const fault = await faults.attribute({ url, caller, beganAt });
    if (fault !== 'unknown') breaker.record(fault === 'provider' ? 'ill' : 'well', retryAfter);
  };

  const sendNow = async (state: QueryState, url: string, budget: Budget): Promise<Sent | Unsent> => {
    const beganAt = clock();
    const left = budget.deadline - beganAt;
    if (left < limits.leastMilliseconds) return { why: 'no time left' };
    const permit = state.breaker.admit(budget);
    if (permit === undefined) return { why: 'breaker open' };
    const made = await call(url, Math.min(limits.attemptMilliseconds, left));
    const settling: Settling = { state, url, caller: budget.caller, beganAt, permit, made };
    return {
      made,
      conclude: () => void settle(settling),
      // A failure that is followed by another try proves nothing yet.
      supersede: () => (made.health === 'suspect' ? permit.settle('unclear') : void settle(settling)),
    };
  };

  const send = async (state: QueryState, url: string, budget: Budget): Promise<Sent | Unsent> => {
    const { slots, faults } = state;
    if (faults.hasFailed(url)) return { why: 'failed a moment ago' };
    const patience = Math.min(limits.attemptMilliseconds, budget.deadline - clock() - limits.leastMilliseconds);
    if (patience < 0) return { why: 'no time left' };
    if (!(await slots.enter(patience, budget.caller))) {
      budget.isStarved = true;
      return { why: STARVED.why };
    }
    try {
      return await sendNow(state, url, budget);
    } finally {
      slots.leave(budget.caller);
    }
  };

  const mayRetry = (
    { retryBudget }: QueryState,
    { mayRetry: isWorthIt }: Attempt,
    { deadline, retries, caller }: Budget,
  ): boolean => {
    const inTime = deadline - clock() >= limits.retryJitterMilliseconds + limits.leastMilliseconds;
    return isWorthIt && inTime && retries > 0 && retryBudget.withdraw(caller);
  };

  return {
    async get(url, budget) {
      const state = stateOf(url);
      state.retryBudget.deposit(budget.caller);
      const first = await send(state, url, budget);
      if ('why' in first) return budget.isStarved ? STARVED : { kind: 'down', why: first.why };
      if (!mayRetry(state, first.made, budget)) {
        first.conclude();
        return first.made.fetched;
      }
      budget.retries -= 1;
      await pause(random() * limits.retryJitterMilliseconds);
      const second = await send(state, url, budget);
      if ('why' in second) {
        first.conclude();
        return first.made.fetched;
      }
      first.supersede();
      second.conclude();
      return second.made.fetched;
    },
  };
};
