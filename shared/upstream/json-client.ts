// Calls one provider, and isolates the service from its failures and callers from each other. Each kind of query has a
// circuit breaker, a bulkhead, a retry budget and a fault attribution. http-request.ts sends a single request.
//
// A call passes these checks in order: the URL did not fail recently, a slot of the bulkhead becomes free in
// time, enough time is left, and the breaker admits the call. A failed check gives the outcome `down` without a request.
// A failed request is repeated at most once, if the time, the budget of the call and the retry budget allow it. The result
// of the last attempt is reported to the breaker after fault attribution, for which the caller waits only after a 400.
import { asRecord } from '../model/json.ts';
import { elapsed, type Monotonic } from '../model/time.ts';
import type { Log } from '../ports/system.ts';
import { type Bulkhead, createBulkhead, createRetryBudget, type RetryBudget } from '../resilience/bulkhead.ts';
import {
  type CallResult,
  type CircuitBreaker,
  createCircuitBreaker,
  type Permit,
} from '../resilience/circuit-breaker.ts';
import { type CallRole, callLine, circuitLine } from './call-lines.ts';
import { type ClientLimits, PRODUCTION_LIMITS, QUERY_BREAKER } from './client-limits.ts';
import {
  type Attribution,
  type CountedFault,
  confirmRejection,
  createFaultAttribution,
  type FaultAttribution,
} from './fault-attribution.ts';
import {
  type AttemptResult,
  createRequestSender,
  type FetchResult,
  type RequestSenderOptions,
  type SendRequest,
} from './http-request.ts';

/** Other calls of the same caller took all slots, so the call was not sent. */
export const STARVED = { kind: 'down', why: 'too many in flight', isStarved: true } as const;

/** If a timer is later than this, Lambda froze the function in the meantime, so the call proves nothing. */
const SUSPENDED_MILLISECONDS = 1000;

/** All calls of one request of a caller. They share it, and the breaker recognizes the request by it. */
export interface RequestCalls {
  /** The retries that are left. */
  retries: number;
  /** The client network of the caller: equal for all requests from it. */
  readonly caller?: string | undefined;
  /** Set if a call was not sent because of other calls of the caller. The result is then only for this caller. */
  isStarved?: boolean;
  /** The base URL whose response the last call returned, if the provider has several. */
  answeredBy?: string | undefined;
}

/** The limits of a call. */
export interface CallBudget {
  readonly deadline: Monotonic;
  /** No other attempt and no other provider can follow, so an attempt gets more time. @default false */
  readonly isLast?: boolean | undefined;
  /** The only base URL of the provider that is called: that of a canary. @default any */
  readonly onlyBaseUrl?: string;
  readonly calls: RequestCalls;
}

/** A request to a provider. Each kind of query fails and recovers on its own. */
export interface Query<Kind extends string = string> {
  readonly kind: Kind;
  /** On a configured host. */
  readonly url: string;
}

export interface JsonClient<Kind extends string = string> {
  /** Never rejects. @param isConclusive false: another base URL of the provider is called, if there is one */
  get(query: Query<Kind>, budget: CallBudget, isConclusive?: (fetched: FetchResult) => boolean): Promise<FetchResult>;
}

/** The client of one base URL, which also sends single requests. */
export interface BaseUrlClient extends JsonClient {
  /** Sends one request, after the same checks as `get`. Never rejects. */
  send(query: Query, budget: CallBudget): Promise<SentCall | RejectedCall>;
  /** @returns true if `send` would send the request now or when a slot is free @param isProbe a half-open breaker admits it */
  mayCall(query: Query, budget: CallBudget, isProbe: boolean): boolean;
}

export interface QueryKinds<Kind extends string = string> {
  /** @returns the URL of the canary of a kind; undefined: the kind has no canary */
  canaryUrlOf(kind: Kind): string | undefined;
  /** @returns true if a response may have up to `largeBodyBytes` @default none may */
  mayBeLarge?(kind: Kind): boolean;
  /**
   * After a 400 or a 429 the canary is requested, too. @default it is not: the provider can bill its calls, and a 429 is
   * about all calls of the kind
   */
  readonly confirmsRejections?: boolean;
}

const NO_CANARIES: QueryKinds = { canaryUrlOf: () => undefined };

/** The state of one kind of query. */
interface QueryState {
  readonly breaker: CircuitBreaker;
  readonly slots: Bulkhead;
  readonly retryBudget: RetryBudget;
  readonly faults: FaultAttribution;
}

export interface SentCall {
  readonly attempt: AttemptResult;
  /** Reports the result to the breaker. Exactly one of `settle`, `blame` and `supersede` is called. */
  settle(): void;
  /** Reports a failure of the provider, which another call has proven. */
  blame(): void;
  /** Reports the result of a call that is repeated. */
  supersede(): void;
}

/** A completed call. */
interface CallToSettle {
  readonly state: QueryState;
  readonly url: string;
  readonly caller: string | undefined;
  readonly startedAt: Monotonic;
  readonly permit: Permit;
  readonly attempt: AttemptResult;
}

/** No request was sent. */
export interface RejectedCall {
  readonly why: string;
}

/** A 429 without a canary is about the provider. */
const evidenceOf = (health: AttemptResult['health'], fault: CountedFault): CallResult => {
  if (fault === 'query') return 'success';
  if (health === 'throttled' && fault !== 'presumed') return 'throttled';
  return fault === 'provider' ? 'failure' : 'inconclusive';
};

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The body of FxTwitter can have another code than the HTTP status 200. */
const isFound = (fetched: FetchResult): boolean => {
  if (fetched.kind !== 'response' || fetched.status !== 200 || fetched.json === undefined) return false;
  const code = asRecord(fetched.json)?.['code'];
  return code === undefined || code === 200;
};

export interface JsonClientOptions extends Omit<RequestSenderOptions, 'limits'> {
  /** The name of the provider in the log. */
  readonly source: string;
  /** @default the calls are for callers */
  readonly role?: CallRole;
  /** @default no kind has a canary */
  readonly queryKinds?: QueryKinds | undefined;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly limits?: ClientLimits;
  /** Wraps the sender of every request, canaries included. @default none */
  readonly wrapSender?: ((send: SendRequest) => SendRequest) | undefined;
}

export const createJsonClient = (options: JsonClientOptions): BaseUrlClient => {
  const { source, userAgent, headers, clock, wall, log, random } = options;
  const { queryKinds = NO_CANARIES, limits = PRODUCTION_LIMITS, wrapSender = (send) => send } = options;
  const sendRequest = wrapSender(createRequestSender({ userAgent, headers, limits, clock, wall }));

  /** Sends one request and writes its log line. */
  const call = async (
    { kind, url }: Query,
    milliseconds: number,
    role: CallRole | undefined = options.role,
  ): Promise<AttemptResult> => {
    const startedAt = clock();
    const isReduced = milliseconds < limits.attemptMilliseconds;
    const mayBeLarge = queryKinds.mayBeLarge?.(kind) ?? false;
    const attempt = await sendRequest(url, { milliseconds, isReduced, mayBeLarge });
    log(callLine({ provider: source, kind, url, attempt, milliseconds: elapsed(startedAt, clock()), role }));
    return attempt;
  };

  /** Bypasses breaker and bulkhead, so that the result is only about the provider. @returns undefined if it proves nothing */
  const isCanaryAnswered = async (query: Query): Promise<boolean | undefined> => {
    const startedAt = clock();
    const { fetched, health } = await call(query, limits.attemptMilliseconds, 'canary');
    if (isFound(fetched)) return true;
    // The rows of the canary are spent, or their reservation took its time.
    if (health === 'inconclusive') return undefined;
    return elapsed(startedAt, clock()) > limits.attemptMilliseconds + SUSPENDED_MILLISECONDS ? undefined : false;
  };

  const states = new Map<string, QueryState>();
  const stateOf = ({ kind, url: firstUrl }: Query): QueryState => {
    const existing = states.get(kind);
    if (existing !== undefined) return existing;
    const canaryUrl = queryKinds.canaryUrlOf(kind);
    const state: QueryState = {
      breaker: createCircuitBreaker(clock, random, {
        ...QUERY_BREAKER,
        onChange: (change) => log(circuitLine({ provider: source, kind, url: firstUrl, change })),
      }),
      slots: createBulkhead(limits.maxInFlight),
      retryBudget: createRetryBudget(limits),
      faults: createFaultAttribution({ canaryUrl, isAnswered: (url) => isCanaryAnswered({ kind, url }), clock }),
    };
    states.set(kind, state);
    return state;
  };

  /** Reports a completed call to the breaker, after fault attribution. */
  const settle = async ({ state, url, caller, startedAt, permit, attempt }: CallToSettle): Promise<void> => {
    const { breaker, faults } = state;
    const { health, retryAfter, fetched } = attempt;
    if (isFound(fetched)) faults.recordSuccess(url, caller);
    if (health !== 'suspect' && (health !== 'throttled' || !queryKinds.confirmsRejections))
      return permit.report(health, retryAfter);
    // Frees the permit, so that another call can be the probe during the attribution.
    permit.report('inconclusive');
    const pause = health === 'throttled' ? retryAfter : undefined;
    const fault = await faults.attribute({ url, caller, startedAt, pause });
    breaker.record(evidenceOf(health, fault), retryAfter);
  };

  const sendNow = async (state: QueryState, query: Query, budget: CallBudget): Promise<SentCall | RejectedCall> => {
    const { url } = query;
    const startedAt = clock();
    const left = elapsed(startedAt, budget.deadline);
    if (left < limits.minMilliseconds) return { why: 'no time left' };
    const permit = state.breaker.acquire(budget.calls);
    if (permit === undefined) return { why: 'breaker open' };
    const milliseconds = budget.isLast ? limits.lastAttemptMilliseconds : limits.attemptMilliseconds;
    const received = await call(query, Math.min(milliseconds, left));
    const attributionOf = (): Promise<Attribution> =>
      state.faults.attributionOf({ url, caller: budget.calls.caller, startedAt });
    // Another base URL or provider needs the time of an attempt.
    const spare = elapsed(clock(), budget.deadline) - limits.attemptMilliseconds;
    const attempt = queryKinds.confirmsRejections
      ? await confirmRejection(received, attributionOf, Math.min(limits.attemptMilliseconds, spare))
      : received;
    const settling: CallToSettle = { state, url, caller: budget.calls.caller, startedAt, permit, attempt };
    return {
      attempt,
      settle: () => void settle(settling),
      blame: () => permit.report('failure', attempt.retryAfter),
      // A failure that is followed by a retry proves nothing yet.
      supersede: () => (attempt.health === 'suspect' ? permit.report('inconclusive') : void settle(settling)),
    };
  };

  const send = async (state: QueryState, query: Query, budget: CallBudget): Promise<SentCall | RejectedCall> => {
    const { slots, faults } = state;
    if (faults.hasFailed(query.url)) return { why: 'failed a moment ago' };
    const maxWait = Math.min(limits.attemptMilliseconds, elapsed(clock(), budget.deadline) - limits.minMilliseconds);
    if (maxWait < 0) return { why: 'no time left' };
    if (!(await slots.acquire(maxWait, budget.calls.caller))) {
      budget.calls.isStarved = true;
      return { why: STARVED.why };
    }
    try {
      return await sendNow(state, query, budget);
    } finally {
      slots.release(budget.calls.caller);
    }
  };

  const mayRetry = (
    { retryBudget }: QueryState,
    attempt: AttemptResult,
    { deadline, calls: { retries, caller } }: CallBudget,
  ): boolean => {
    const hasTime = elapsed(clock(), deadline) >= limits.retryJitterMilliseconds + limits.minMilliseconds;
    return attempt.mayRetry && hasTime && retries > 0 && retryBudget.withdraw(caller);
  };

  return {
    send: (query, budget) => send(stateOf(query), query, budget),
    mayCall(query, budget, isProbe) {
      const { breaker, faults } = stateOf(query);
      return (isProbe ? breaker.admits(budget.calls) : breaker.isClosed()) && !faults.hasFailed(query.url);
    },
    async get(query, budget) {
      const state = stateOf(query);
      state.retryBudget.deposit(budget.calls.caller);
      const first = await send(state, query, budget);
      if ('why' in first) return budget.calls.isStarved ? STARVED : { kind: 'down', why: first.why };
      if (!mayRetry(state, first.attempt, budget)) {
        first.settle();
        return first.attempt.fetched;
      }
      budget.calls.retries -= 1;
      await sleep(random() * limits.retryJitterMilliseconds);
      const second = await send(state, query, budget);
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
