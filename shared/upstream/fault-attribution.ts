// Attributes failed calls to the provider or to the query.
//
// A 5xx, a 429, a time-out or a broken connection can have two causes: the provider fails, or the query makes it fail,
// such as a post that crashes the provider, or whose source throttles it. After a failed call a canary of the same
// kind of query is requested. If the provider answers, the failure belongs to the query: the breaker is not charged, and
// calls for the same URL are rejected for 30 s, or as long as the Retry-After of a 429 says. If the provider does not
// answer, the failure counts against the provider.
//
// Canaries are the configured one and the latest answered URLs of other callers, because a configured canary can be
// deleted. The URL of the failed call itself is never its canary. One result holds for 10 s, so an outage costs few
// additional calls. A call that started after an answered canary is a weak case: its URL is rejected for only 5 s and
// the fault is `presumed`. The fault is also `unknown` if no canary call had its full time.
import { asRecord } from '../model/json.ts';
import { elapsed, later, type Monotonic, NEVER, NEVER_BEFORE } from '../model/time.ts';
import type { Clock } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';
import { MAX_REFUSED_MILLISECONDS } from '../resilience/circuit-breaker.ts';
import type { AttemptResult, FetchResult } from './http-request.ts';
import { within } from './wait.ts';

// Tells a provider that rejects one request from a provider that rejects every request. The first is the caller's error, such
// as a query that X does not accept, the second an outage, which must not be reported as the caller's error.

/** The body of FxTwitter can have another code than its HTTP status. */
const isRejection = (fetched: FetchResult): boolean =>
  fetched.kind === 'response' && (fetched.status === 400 || asRecord(fetched.json)?.['code'] === 400);

/** An older canary says nothing against the provider now, and the breaker is for all callers. */
const rejectsAll = (isFresh: boolean): AttemptResult => ({
  fetched: { kind: 'down', why: 'the canary is not answered, either' },
  health: isFresh ? 'failure' : 'inconclusive',
  mayRetry: false,
  status: 400,
});

/**
 * Never rejects.
 *
 * @param attributionOf the attribution of the call, which requests the canary; called only after a rejection
 * @param milliseconds the time to wait for the canary; without time only an earlier one counts
 * @returns the result of the call; a failure if the provider does not answer its canary either
 */
export const confirmRejection = async (
  attempt: AttemptResult,
  attributionOf: () => Promise<Attribution>,
  milliseconds: number,
): Promise<AttemptResult> => {
  if (!isRejection(attempt.fetched)) return attempt;
  const attribution = await within(milliseconds, attributionOf());
  return attribution?.fault === 'provider' ? rejectsAll(attribution.isFresh) : attempt;
};

/** The minimum time between two requests for canaries. */
const CANARY_INTERVAL_MILLISECONDS = 10_000;
/** The time for which calls for a failed URL are rejected. */
const QUERY_FAILURE_MILLISECONDS = 30_000;
/** The same time if the canary was answered before the call started, because the provider can have failed since. */
const PRESUMED_FAILURE_MILLISECONDS = 5_000;
const MAX_FAILED_QUERIES = 1000;
/** The number of callers whose latest answered URL is remembered. At least one of two is not the failed caller. */
const MAX_WITNESSES = 2;

export type Fault = 'query' | 'provider' | 'unknown';

/** `presumed`: the query's, if the provider has not failed since its canary was answered. */
export type CountedFault = Fault | 'presumed';

export interface Attribution {
  readonly fault: Fault;
  /** True if the canary was answered, or not, after the call had started. */
  readonly isFresh: boolean;
}

export interface FailedCall {
  readonly url: string;
  readonly caller: string | undefined;
  readonly startedAt: Monotonic;
  /** Milliseconds for which a 429 asks to be left alone. */
  readonly pause?: number | undefined;
  /** The provider drops calls of this kind: the configured canary is asked, and no further one. @default false */
  readonly isFailedCall?: boolean;
}

export interface FaultAttribution {
  /** @returns true if calls for this URL are rejected */
  hasFailed(url: string): boolean;
  /** Records an answered call. Its URL becomes a canary for other callers. */
  recordSuccess(url: string, caller: string | undefined): void;
  /** Attributes a failed call, and remembers nothing of its URL. Never rejects. */
  attributionOf(call: FailedCall): Promise<Attribution>;
  /** Attributes a failed call, and remembers the URL if the fault is its own. Never rejects. */
  attribute(call: FailedCall): Promise<CountedFault>;
}

export interface FaultAttributionOptions {
  /** The URL of the configured canary; undefined: only answered URLs are canaries. */
  readonly canaryUrl: string | undefined;
  /** @returns true if the provider answers; undefined if the call had less than its full time. Never rejects. */
  readonly isAnswered: (url: string) => Promise<boolean | undefined>;
  readonly clock: Clock;
}

interface SuccessfulCall {
  readonly url: string;
  readonly caller: string | undefined;
}

interface CanaryResult {
  readonly startedAt: Monotonic;
  readonly fault: Promise<Fault>;
  /** Infinite during the request. */
  answeredAt: Monotonic;
}

export const createFaultAttribution = ({ canaryUrl, isAnswered, clock }: FaultAttributionOptions): FaultAttribution => {
  const failedUntil = createBoundedMap<Monotonic>(MAX_FAILED_QUERIES);
  let witnesses: readonly SuccessfulCall[] = [];
  let lastSuccessAt = NEVER_BEFORE;
  let result: CanaryResult | undefined;

  const requestCanaries = async ({ url: failed, caller, isFailedCall }: FailedCall): Promise<Fault> => {
    const others = isFailedCall ? [] : witnesses.filter((witness) => caller === undefined || witness.caller !== caller);
    const canaries = new Set([...(canaryUrl === undefined ? [] : [canaryUrl]), ...others.map(({ url }) => url)]);
    let fault: Fault = failed === canaryUrl ? 'provider' : 'unknown';
    for (const url of canaries) {
      const answered = url === failed ? undefined : await isAnswered(url);
      if (answered) return 'query';
      if (answered === false) fault = 'provider';
    }
    return fault;
  };

  const createResult = (call: FailedCall, now: Monotonic): CanaryResult => {
    const created: CanaryResult = {
      startedAt: now,
      fault: requestCanaries(call),
      answeredAt: NEVER,
    };
    void created.fault.then(() => {
      created.answeredAt = clock();
    });
    return created;
  };

  const attributionOf = async (call: FailedCall): Promise<Attribution> => {
    const now = clock();
    if (result === undefined || elapsed(result.startedAt, now) >= CANARY_INTERVAL_MILLISECONDS)
      result = createResult(call, now);
    const { answeredAt, fault: pending } = result;
    const fault = await pending;
    const isFresh = call.startedAt <= answeredAt;
    // The provider answered another call in the meantime.
    const isOutdated = fault !== 'query' && !isFresh && lastSuccessAt > answeredAt;
    return { fault: isOutdated ? 'unknown' : fault, isFresh };
  };

  return {
    hasFailed: (url) => (failedUntil.get(url) ?? NEVER_BEFORE) > clock(),
    recordSuccess(url, caller) {
      lastSuccessAt = clock();
      witnesses = [{ url, caller }, ...witnesses.filter((witness) => witness.caller !== caller)].slice(
        0,
        MAX_WITNESSES,
      );
    },
    attributionOf,
    async attribute(call) {
      const now = clock();
      const { fault, isFresh } = await attributionOf(call);
      if (fault !== 'query') return fault;
      const milliseconds = isFresh ? QUERY_FAILURE_MILLISECONDS : PRESUMED_FAILURE_MILLISECONDS;
      const wait = Math.min(call.pause ?? 0, MAX_REFUSED_MILLISECONDS);
      failedUntil.set(call.url, later(now, Math.max(milliseconds, wait)));
      return isFresh ? 'query' : 'presumed';
    },
  };
};
