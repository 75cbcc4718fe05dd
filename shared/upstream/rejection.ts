// Tells a provider that rejects one request from a provider that rejects every request. The first is the caller's error, such
// as a query that X does not accept, the second an outage, which must not be reported as the caller's error.
import { asRecord } from '../model/json.ts';
import type { Fault } from './fault-attribution.ts';
import type { AttemptResult, FetchResult } from './http-request.ts';

/** The body of FxTwitter can have another code than its HTTP status. */
const isRejection = (fetched: FetchResult): boolean =>
  fetched.kind === 'response' && (fetched.status === 400 || asRecord(fetched.json)?.['code'] === 400);

const REJECTS_ALL: AttemptResult = {
  fetched: { kind: 'down', why: 'the canary is not answered, either' },
  health: 'failure',
  mayRetry: false,
  status: 400,
};

/**
 * Never rejects.
 *
 * @param faultOf the attribution of the call, which requests the canary; called only after a rejection
 * @param milliseconds the time that the call has left
 * @returns the result of the call; a failure if the provider does not answer its canary either
 */
export const confirmRejection = async (
  attempt: AttemptResult,
  faultOf: () => Promise<Fault>,
  milliseconds: number,
): Promise<AttemptResult> => {
  if (!isRejection(attempt.fetched)) return attempt;
  const { promise: late, resolve } = Promise.withResolvers<Fault>();
  const timer = setTimeout(resolve, milliseconds, 'unknown');
  const fault = await Promise.race([faultOf(), late]);
  clearTimeout(timer);
  return fault === 'provider' ? REJECTS_ALL : attempt;
};
