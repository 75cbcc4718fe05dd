// Asks one source, with every limit that keeps a provider's bad day from becoming ours, and one caller's bad requests from
// becoming another's: for each kind of query a breaker, a bound on calls in flight, few retries, and a memory of subjects
// that fail. What a single call may take and send back is in exchange.ts.

import { asRecord } from '../model/json.ts';
import type { Clock, Log } from '../ports/system.ts';
import { type Bulkhead, createBulkhead } from '../resilience/bulkhead.ts';
import {
  type BreakerOptions,
  type CircuitBreaker,
  createCircuitBreaker,
  type Permit,
} from '../resilience/circuit-breaker.ts';
import { createRetryBudget, type RetryBudget } from '../resilience/retry-budget.ts';
import { createFaultAttribution, type FaultAttribution } from './fault-attribution.ts';
import { type AttemptResult, createRequestSender, type FetchResult } from './http-request.ts';

export interface ClientLimits {
  /** Of one call, from connecting to the last byte. */
  readonly attemptMilliseconds: number;
  /** With less time left a call is not begun. */
  readonly minMilliseconds: number;
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

export const PRODUCTION_LIMITS: ClientLimits = {
  attemptMilliseconds: 3500,
  minMilliseconds: 100,
  maxBodyBytes: 2 * 1024 * 1024,
  maxInFlight: 20,
  requestsPerRetry: 10,
  maxSavedRetries: 10,
  retryJitterMilliseconds: 150,
};

const BREAKER_OPTIONS: BreakerOptions = { failureThreshold: 5, openMilliseconds: 5000 };

/** A call was not made because of other calls of the same caller. */
export const STARVED = { kind: 'down', why: 'too many in flight', isStarved: true } as const;

/** By so much a timer may be late before it proves that the function was frozen meanwhile, as Lambda does it. */
const SUSPENDED_MILLISECONDS = 1000;

/** What one request of a caller may still use. */
export interface CallBudget {
  readonly deadline: number;
  retries: number;
  /** On whose behalf; equal for all requests of a caller. */
  readonly caller?: string | undefined;
  /** Set when a call was not made because of the caller's own calls: what came of the rest is for this caller alone. */
  isStarved?: boolean;
}

export interface JsonClient {
  /** Never throws. @param url of a configured host */
  get(url: string, budget: CallBudget): Promise<FetchResult>;
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
  readonly breaker: CircuitBreaker;
  readonly slots: Bulkhead;
  readonly retryBudget: RetryBudget;
  readonly faults: FaultAttribution;
}

interface SentCall {
  readonly attempt: AttemptResult;
  /** Tells the breaker what the call proves; this or the other once. */
  settle(): void;
  /** The same of a call that was made again. */
  supersede(): void;
}

/** A call that is over, and what was known when it began. */
interface CallToSettle {
  readonly state: QueryState;
  readonly url: string;
  readonly caller: string | undefined;
  readonly beganAt: number;
  readonly permit: Permit;
  readonly attempt: AttemptResult;
}

/** Nothing was sent, and why. */
interface RejectedCall {
  readonly why: string;
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** With HTTP 200 the body of FxTwitter may know better. */
const isFound = (fetched: FetchResult): boolean => {
  if (fetched.kind !== 'response' || fetched.status !== 200 || fetched.json === undefined) return false;
  const code = asRecord(fetched.json)?.['code'];
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
  readonly limits?: ClientLimits;
}

export const createJsonClient = (options: JsonClientOptions): JsonClient => {
  const { source, userAgent, headers, clock, log, random } = options;
  const { queryKinds = ONE_KIND, limits = PRODUCTION_LIMITS } = options;
  const exchange = createRequestSender({
    userAgent,
    ...(headers && { headers }),
    maxBodyBytes: limits.maxBodyBytes,
    connectMilliseconds: limits.attemptMilliseconds,
  });

  /** One call, and its line in the log. */
  const call = async (url: string, milliseconds: number, role?: 'canary'): Promise<AttemptResult> => {
    const began = clock();
    const made = await exchange(url, { milliseconds, isReduced: milliseconds < limits.attemptMilliseconds });
    const { fetched } = made;
    log({
      level: fetched.kind === 'response' ? 'info' : 'warn',
      event: 'upstream',
      source,
      outcome: fetched.kind === 'response' ? `status ${fetched.status}` : fetched.why,
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
    return clock() - began > limits.attemptMilliseconds + SUSPENDED_MILLISECONDS ? undefined : false;
  };

  const states = new Map<string, QueryState>();
  const stateOf = (url: string): QueryState => {
    const kind = queryKinds.kindOf(url);
    const known = states.get(kind);
    if (known !== undefined) return known;
    const canaryUrl = queryKinds.canaryUrlOf(kind);
    const state: QueryState = {
      breaker: createCircuitBreaker(clock, random, BREAKER_OPTIONS),
      slots: createBulkhead(limits.maxInFlight),
      retryBudget: createRetryBudget(limits),
      faults: createFaultAttribution({ canaryUrl, isAnswered: isCanaryAnswered, clock }),
    };
    states.set(kind, state);
    return state;
  };

  /** Tells the breaker what a call proves, once that is known: the caller does not wait for it. */
  const settle = async ({ state, url, caller, beganAt, permit, attempt }: CallToSettle): Promise<void> => {
    const { breaker, faults } = state;
    const { health, retryAfter, fetched } = attempt;
    if (isFound(fetched)) faults.recordSuccess(url, caller);
    if (health !== 'suspect') return permit.report(health, retryAfter);
    // Another request may find out meanwhile.
    permit.report('inconclusive');
    const fault = await faults.attribute({ url, caller, beganAt });
    if (fault !== 'unknown') breaker.record(fault === 'provider' ? 'failure' : 'success', retryAfter);
  };

  const sendNow = async (state: QueryState, url: string, budget: CallBudget): Promise<SentCall | RejectedCall> => {
    const beganAt = clock();
    const left = budget.deadline - beganAt;
    if (left < limits.minMilliseconds) return { why: 'no time left' };
    const permit = state.breaker.acquire(budget);
    if (permit === undefined) return { why: 'breaker open' };
    const made = await call(url, Math.min(limits.attemptMilliseconds, left));
    const settling: CallToSettle = { state, url, caller: budget.caller, beganAt, permit, attempt: made };
    return {
      attempt: made,
      settle: () => void settle(settling),
      // A failure that is followed by another try proves nothing yet.
      supersede: () => (made.health === 'suspect' ? permit.report('inconclusive') : void settle(settling)),
    };
  };

  const send = async (state: QueryState, url: string, budget: CallBudget): Promise<SentCall | RejectedCall> => {
    const { slots, faults } = state;
    if (faults.hasFailed(url)) return { why: 'failed a moment ago' };
    const patience = Math.min(limits.attemptMilliseconds, budget.deadline - clock() - limits.minMilliseconds);
    if (patience < 0) return { why: 'no time left' };
    if (!(await slots.acquire(patience, budget.caller))) {
      budget.isStarved = true;
      return { why: STARVED.why };
    }
    try {
      return await sendNow(state, url, budget);
    } finally {
      slots.release(budget.caller);
    }
  };

  const mayRetry = (
    { retryBudget }: QueryState,
    { mayRetry: isWorthIt }: AttemptResult,
    { deadline, retries, caller }: CallBudget,
  ): boolean => {
    const inTime = deadline - clock() >= limits.retryJitterMilliseconds + limits.minMilliseconds;
    return isWorthIt && inTime && retries > 0 && retryBudget.withdraw(caller);
  };

  return {
    async get(url, budget) {
      const state = stateOf(url);
      state.retryBudget.deposit(budget.caller);
      const first = await send(state, url, budget);
      if ('why' in first) return budget.isStarved ? STARVED : { kind: 'down', why: first.why };
      if (!mayRetry(state, first.attempt, budget)) {
        first.settle();
        return first.attempt.fetched;
      }
      budget.retries -= 1;
      await sleep(random() * limits.retryJitterMilliseconds);
      const second = await send(state, url, budget);
      if ('why' in second) {
        first.settle();
        return first.attempt.fetched;
      }
      first.supersede();
      second.settle();
      return second.attempt.fetched;
    },
  };
};
