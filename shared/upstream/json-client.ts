// Calls one provider, and isolates the service from its failures and callers from each other. Each kind of query has a
// circuit breaker, a bulkhead, a retry budget and a fault attribution. http-request.ts sends a single request.
//
// A call passes these checks in order: the URL did not fail recently, a slot of the bulkhead becomes free in
// time, enough time is left, and the breaker admits the call. A failed check gives the outcome `down` without a request.
// A failed request is repeated at most once, if the time, the budget of the call and the retry budget allow it. The result
// of the last attempt is reported to the breaker after fault attribution, for which the caller waits only after a 400.
//
// Some kinds of query are dropped at random, with a response of a few milliseconds: a failed call. It is repeated up to
// MAX_REPEATS times, and says nothing about the provider. After many failed calls in a row (failure-run.ts) it is
// repeated once, and counts for the breaker if the canary fails, too: that one is half-open at once, so one request at a
// time is served by chance. After still more of them the breaker stays open for its time, and nothing is repeated. Every
// call of a request that follows a failed one counts as a repetition: a retry, one to another base URL, and the second way.
// While another base URL of the provider follows, a failed call is not repeated here (fallback.ts).
import { asRecord } from '../model/json.ts';
import { elapsed, type Monotonic } from '../model/time.ts';
import type { CallRecord, Log } from '../ports/system.ts';
import { type Bulkhead, createBulkhead, createRetryBudget, type RetryBudget } from '../resilience/bulkhead.ts';
import {
  type CallResult,
  type CircuitBreaker,
  createCircuitBreaker,
  type Permit,
} from '../resilience/circuit-breaker.ts';
import { createFailureRun, type FailureRun } from '../resilience/failure-run.ts';
import { type CallRole, callLine, callOf, circuitLine } from './call-lines.ts';
import { type ClientLimits, NEXT_PROVIDER_MILLISECONDS, PRODUCTION_LIMITS, QUERY_BREAKER } from './client-limits.ts';
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
import { sleep } from './wait.ts';

/** Other calls of the same caller took all slots, so the call was not sent. */
export const STARVED = { kind: 'down', why: 'too many in flight', isStarved: true } as const;

/** If a timer is later than this, Lambda froze the function in the meantime, so the call proves nothing. */
const SUSPENDED_MILLISECONDS = 1000;

/** The most repetitions of failed calls of one request. */
export const MAX_REPEATS = 5;

/** The repetitions of failed calls that are left to a request. */
export interface Repeats {
  left: number;
}

/** Counts a call that follows a failed one. */
export const countRepeat = ({ repeats }: Pick<RequestCalls, 'repeats'>): void => {
  if (repeats !== undefined) repeats.left -= 1;
};

/** All calls of one request of a caller. They share it, and the breaker recognizes the request by it. */
export interface RequestCalls {
  /** The retries that are left. */
  retries: number;
  /** @default no failed call is repeated */
  readonly repeats?: Repeats;
  /** The client network of the caller: equal for all requests from it. */
  readonly caller?: string | undefined;
  /** Adds a call to the log line of the request. @returns false if the line is written @default every call has a line of its own */
  readonly record?: ((call: CallRecord) => boolean) | undefined;
  /** Set if a call was not sent because of other calls of the caller. The result is then only for this caller. */
  isStarved?: boolean;
  /** What came of the latest call. Unset: none was sent. */
  latest?: 'answered' | 'unanswered' | undefined;
  /** The next call follows those of another base URL: it is a repetition, and no probe of a half-open breaker. */
  isFurther?: boolean;
}

/** The limits of a call. */
export interface CallBudget {
  readonly deadline: Monotonic;
  /** No other attempt and no other provider can follow, so an attempt gets more time. @default false */
  readonly isLast?: boolean | undefined;
  /** The same query is asked in a second way, so a failed call is not repeated. @default false */
  readonly hasSecondWay?: boolean | undefined;
  /** Another base URL of the provider follows, so a failed call is neither repeated nor asked in a second way. @default false */
  readonly hasNextBaseUrl?: boolean;
  readonly calls: RequestCalls;
}

/** A request to a provider. Each kind of query fails and recovers on its own. */
export interface Query<Kind extends string = string> {
  readonly kind: Kind;
  /** On a configured host. */
  readonly url: string;
}

export interface JsonClient<Kind extends string = string> {
  /** Never rejects. */
  get(query: Query<Kind>, budget: CallBudget): Promise<FetchResult>;
}

/** A client that also sends single requests. */
export interface ProbingClient extends JsonClient {
  /** Sends one request, after the same checks as `get`. Never rejects. */
  send(query: Query, budget: CallBudget): Promise<AttemptResult | RejectedCall>;
}

export interface QueryKinds<Kind extends string = string> {
  /** @returns the URL of the canary of a kind; undefined: the kind has no canary */
  canaryUrlOf(kind: Kind): string | undefined;
  /** @returns true if a response may have up to `largeBodyBytes` @default none may */
  mayBeLarge?(kind: Kind): boolean;
  /** @returns true if a "not found" is a call that the provider dropped @default none is */
  dropsCalls?(kind: Kind): boolean;
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
  readonly failureRun: FailureRun;
}

/** A completed call, which is reported once to the breaker. */
interface SentCall {
  readonly state: QueryState;
  readonly url: string;
  readonly caller: string | undefined;
  readonly startedAt: Monotonic;
  readonly permit: Permit;
  readonly attempt: AttemptResult;
  /** The provider dropped the call. It is the fault of no subject. */
  readonly isFailedCall: boolean;
  /** The failure proves little: the breaker has no open time after it, and the query is not remembered. */
  readonly isWeak: boolean;
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

/** The body of FxTwitter can have another code than the HTTP status 200. @returns undefined without a response */
const codeOf = (fetched: FetchResult): number | undefined => {
  if (fetched.kind !== 'response') return undefined;
  const code = fetched.status === 200 ? asRecord(fetched.json)?.['code'] : undefined;
  return typeof code === 'number' ? code : fetched.status;
};

const isFound = (fetched: FetchResult): boolean =>
  codeOf(fetched) === 200 && fetched.kind === 'response' && fetched.json !== undefined;

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

export const createJsonClient = (options: JsonClientOptions): ProbingClient => {
  const { source, userAgent, headers, clock, wall, log, random } = options;
  const { queryKinds = NO_CANARIES, limits = PRODUCTION_LIMITS, wrapSender = (send) => send } = options;
  const sendRequest = wrapSender(createRequestSender({ userAgent, headers, limits, clock, wall }));

  /** Sends one request and logs it. @param record unset: in a line of its own */
  const call = async (
    { kind, url }: Query,
    milliseconds: number,
    { record, role = options.role }: Pick<RequestCalls, 'record'> & { readonly role?: CallRole },
  ): Promise<AttemptResult> => {
    const startedAt = clock();
    const isReduced = milliseconds < limits.attemptMilliseconds;
    const mayBeLarge = queryKinds.mayBeLarge?.(kind) ?? false;
    const attempt = await sendRequest(url, { milliseconds, isReduced, mayBeLarge });
    const completed = callOf({ provider: source, kind, url }, attempt, elapsed(startedAt, clock()));
    if (!record?.(completed)) log(callLine(completed, role));
    return attempt;
  };

  /** Bypasses breaker and bulkhead, so that the result is only about the provider. @returns undefined if it proves nothing */
  const isCanaryAnswered = async (query: Query): Promise<boolean | undefined> => {
    const startedAt = clock();
    const { fetched, health } = await call(query, limits.attemptMilliseconds, { role: 'canary' });
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
      failureRun: createFailureRun(clock),
    };
    states.set(kind, state);
    return state;
  };

  /** Reports a completed call to the breaker, after fault attribution. */
  const reportCall = async (call: SentCall): Promise<void> => {
    const { state, url, caller, startedAt, permit, attempt, isFailedCall, isWeak } = call;
    const { breaker, faults } = state;
    const { health, retryAfter, fetched } = attempt;
    if (isFound(fetched)) faults.recordSuccess(url, caller);
    if (health !== 'suspect' && (health !== 'throttled' || !queryKinds.confirmsRejections))
      return permit.report(health, retryAfter);
    // Frees the permit, so that another call can be the probe during the attribution.
    permit.report('inconclusive');
    const pause = health === 'throttled' ? retryAfter : undefined;
    const failed = { url, caller, startedAt, pause, isFailedCall };
    const fault = isWeak ? (await faults.attributionOf(failed)).fault : await faults.attribute(failed);
    breaker.record(evidenceOf(health, fault), isWeak ? 0 : retryAfter);
  };

  const report = (call: SentCall): void => void reportCall(call);

  /** A failure that is followed by a retry proves nothing yet. */
  const reportRetried = (call: SentCall): void =>
    call.attempt.health === 'suspect' ? call.permit.report('inconclusive') : report(call);

  /** Counts the call, if the provider drops calls of its kind. */
  const judge = (
    { failureRun, breaker }: QueryState,
    { kind }: Query,
    attempt: AttemptResult,
  ): AttemptResult & Pick<SentCall, 'isFailedCall' | 'isWeak'> => {
    if (!queryKinds.dropsCalls?.(kind)) return { ...attempt, isFailedCall: false, isWeak: false };
    const { fetched, health } = attempt;
    const isFailedCall = codeOf(fetched) === 404;
    if (isFailedCall || isFound(fetched)) failureRun.record(!isFailedCall);
    else if (health !== 'success' && health !== 'inconclusive') failureRun.record(false);
    if (!isFailedCall) return { ...attempt, isFailedCall, isWeak: false };
    const isWeak = !failureRun.isOut();
    const isSuspect = !isWeak || (failureRun.isRare() && breaker.isClosed());
    return { ...attempt, isFailedCall, isWeak, health: isSuspect ? 'suspect' : 'inconclusive' };
  };

  const sendNow = async (state: QueryState, query: Query, budget: CallBudget): Promise<SentCall | RejectedCall> => {
    const { url } = query;
    const startedAt = clock();
    const left = elapsed(startedAt, budget.deadline);
    if (left < limits.minMilliseconds) return { why: 'no time left' };
    const { calls } = budget;
    const mayProbe = calls.isFurther !== true || state.breaker.isClosed();
    const permit = mayProbe ? state.breaker.acquire(calls) : undefined;
    if (permit === undefined) return { why: 'breaker open' };
    if (calls.isFurther) countRepeat(calls);
    calls.isFurther = false;
    const milliseconds = budget.isLast ? limits.lastAttemptMilliseconds : limits.attemptMilliseconds;
    const received = judge(state, query, await call(query, Math.min(milliseconds, left), calls));
    calls.latest = received.fetched.kind === 'response' ? 'answered' : 'unanswered';
    const attributionOf = (): Promise<Attribution> =>
      state.faults.attributionOf({ url, caller: calls.caller, startedAt });
    // Another base URL or provider needs the time of an attempt.
    const spare = elapsed(clock(), budget.deadline) - limits.attemptMilliseconds;
    const { isFailedCall, isWeak } = received;
    const attempt = queryKinds.confirmsRejections
      ? await confirmRejection(received, attributionOf, Math.min(limits.attemptMilliseconds, spare))
      : received;
    return { state, url, caller: calls.caller, startedAt, permit, attempt, isFailedCall, isWeak };
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

  const pause = (): Promise<void> => sleep(random() * limits.retryJitterMilliseconds);

  const mayRetry = (
    { retryBudget }: QueryState,
    attempt: AttemptResult,
    { deadline, hasNextBaseUrl, calls: { retries, repeats, caller } }: CallBudget,
  ): boolean => {
    if (hasNextBaseUrl) return false;
    if (repeats !== undefined && repeats.left <= 0) return false;
    const hasTime = elapsed(clock(), deadline) >= limits.retryJitterMilliseconds + limits.minMilliseconds;
    return attempt.mayRetry && hasTime && retries > 0 && retryBudget.withdraw(caller);
  };

  /** Sends a request, and once more if it was not answered. */
  const sendWithRetry = async (
    state: QueryState,
    query: Query,
    budget: CallBudget,
  ): Promise<SentCall | RejectedCall> => {
    const { calls } = budget;
    const first = await send(state, query, budget);
    if ('why' in first || !mayRetry(state, first.attempt, budget)) return first;
    calls.retries -= 1;
    countRepeat(calls);
    await pause();
    const second = await send(state, query, budget);
    if ('why' in second) return first;
    reportRetried(first);
    return second;
  };

  /** Waits before a failed call is repeated. @returns false if it must not be repeated */
  const mayRepeat = async (
    { breaker, failureRun }: QueryState,
    { isFailedCall }: SentCall,
    budget: CallBudget,
  ): Promise<boolean> => {
    const { deadline, isLast, hasSecondWay, hasNextBaseUrl, calls } = budget;
    if (calls.repeats === undefined || hasSecondWay || hasNextBaseUrl || !isFailedCall) return false;
    const isClosed = breaker.isClosed();
    // The call that proves the outage asks the canary instead.
    if (!isClosed && failureRun.isOut(1)) return false;
    const reserve = limits.retryJitterMilliseconds + (isLast ? limits.minMilliseconds : NEXT_PROVIDER_MILLISECONDS);
    const kept = isClosed && !failureRun.isRare() ? 0 : MAX_REPEATS - 1;
    if (calls.repeats.left <= kept || elapsed(clock(), deadline) < reserve) return false;
    countRepeat(calls);
    await pause();
    return true;
  };

  return {
    async send(query, budget) {
      const sent = await send(stateOf(query), query, budget);
      if ('why' in sent) return sent;
      report(sent);
      return sent.attempt;
    },
    async get(query, budget) {
      const state = stateOf(query);
      state.retryBudget.deposit(budget.calls.caller);
      let sent = await sendWithRetry(state, query, budget);
      if ('why' in sent) return budget.calls.isStarved ? STARVED : { kind: 'down', why: sent.why };
      while (await mayRepeat(state, sent, budget)) {
        const again = await sendWithRetry(state, query, budget);
        if ('why' in again) break;
        report(sent);
        sent = again;
      }
      report(sent);
      // The repetition at another base URL waits as one here does.
      if (sent.isFailedCall && budget.hasNextBaseUrl) await pause();
      return sent.attempt.fetched;
    },
  };
};
