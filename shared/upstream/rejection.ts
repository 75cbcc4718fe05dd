// Tells a provider that rejects one request from a provider that rejects every request. The first is the caller's error, such
// as a query that X does not accept, the second an outage, which must not be reported as the caller's error.
import { asRecord } from '../model/json.ts';
import type { Attribution } from './fault-attribution.ts';
import type { AttemptResult, FetchResult } from './http-request.ts';

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
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, Math.max(0, milliseconds));
  const attribution = await Promise.race([attributionOf(), late]);
  clearTimeout(timer);
  return attribution?.fault === 'provider' ? rejectsAll(attribution.isFresh) : attempt;
};
