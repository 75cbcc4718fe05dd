// Pins the limits of the calls to a provider.
import { expect, test } from 'vitest';
import { PRODUCTION_LIMITS, QUERY_BREAKER } from '../../../shared/upstream/client-limits.ts';

test('the limits of a call are those that the operator counts on', () => {
  expect(PRODUCTION_LIMITS).toEqual({
    attemptMilliseconds: 4500,
    lastAttemptMilliseconds: 6500,
    minMilliseconds: 100,
    maxBodyBytes: 2_097_152,
    largeBodyBytes: 6_291_456,
    maxLargeInFlight: 4,
    maxInFlight: 20,
    requestsPerRetry: 10,
    maxSavedRetries: 10,
    retryJitterMilliseconds: 150,
  });
  expect(QUERY_BREAKER).toEqual({ failureThreshold: 5, openMilliseconds: 5000 });
});
