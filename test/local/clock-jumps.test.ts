// Reads through the whole local service while the time of day jumps. What the service remembers for seconds must neither
// last for the hour nor be forgotten. Time passes only if the test says so, so that a slow machine changes nothing.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createKey } from '../support/create-key.ts';
import { json } from '../support/fault-server.ts';
import { startProviderProxy } from '../support/faults/provider-proxy.ts';
import { concernsFailing, failingSubject, healthySubject } from '../support/faults/subjects.ts';
import { localOptions, sendRequest, startSlowService } from '../support/local-service.ts';

const HOUR = 3_600_000;
const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests-only';
/** Longer than anything is remembered but the allowance. */
const PAST_EXPIRY = 61_000;

/** @returns a function that reads everything once: whether the answer is kept or asks the provider, and Retry-After */
const startReads = async () => {
  // The monotonic clock and the time of day stand still until they are advanced; timers and sockets go on.
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 10, 24) });
  onTestFinished(() => void vi.useRealTimers());
  const provider = await startProviderProxy(Math.random);
  onTestFinished(provider.close);
  const { id: failedPost, handle: throttledProfile } = failingSubject(1);
  await provider.plant({
    concerns: concernsFailing,
    fault: {
      name: 'a post fails, a profile is throttled',
      plant: ({ incoming, response, path }) =>
        json({}, path.includes(failedPost) ? 500 : 429, { 'retry-after': 60 })(incoming, response),
    },
  });
  const service = await startSlowService(
    localOptions({
      ADMIN_TOKEN,
      UPSTREAM: 'live',
      CACHE_TTL_SECONDS: '60',
      CURSOR_SECRETS: 'the-secret-of-this-test-which-decides-when-windows-end',
      FXTWITTER_BASE_URL: provider.fxtwitter,
      SYNDICATION_BASE_URL: provider.syndication,
      ALLOWANCE_SEARCH_ANONYMOUS: '3/86400',
    }),
  );
  onTestFinished(() => service.close());
  const key = await createKey(service.origin, ADMIN_TOKEN);
  const headers = { Authorization: `Bearer ${key}` };
  const post = (id: string): string => `/api/v1/posts?handle=ada&id=${id}&format=json`;
  const profile = (handle: string): string => `/api/v1/profiles/${handle}?format=json`;
  const callsFor = (subject: string): number => provider.calls.filter((path) => path.includes(subject)).length;
  const reads: readonly (readonly [name: string, path: string, subject: string, headers: Record<string, string>])[] = [
    ['shared cache', post(healthySubject(1).id), healthySubject(1).id, {}],
    ['request cache', profile(healthySubject(1).handle), healthySubject(1).handle, headers],
    ['failed post', post(failedPost), failedPost, {}],
    ['throttled profile', profile(throttledProfile), throttledProfile, headers],
    ['spent allowance', '/api/v1/search?q=fine_1&format=json', 'q=fine_1', {}],
  ];
  for (const word of ['fine_2', 'fine_3', 'fine_4', 'fine_5'])
    await sendRequest(service.origin, `/api/v1/search?q=${word}&format=json`);
  return async (): Promise<readonly string[]> => {
    const seen: string[] = [];
    for (const [name, path, subject, fields] of reads) {
      const before = callsFor(subject);
      const { status, headers: answered } = await sendRequest(service.origin, path, { headers: fields });
      // A stale answer is sent before its provider call.
      const isKept = callsFor(subject) === before && !String(answered['x-cache']).startsWith('RefreshHit');
      seen.push(`${name}: ${status}, ${isKept ? 'kept' : 'asks'}, Retry-After ${answered['retry-after'] ?? 'none'}`);
    }
    return seen;
  };
};

const kept = (allowanceWait: number): readonly string[] => [
  'shared cache: 200, kept, Retry-After none',
  'request cache: 200, kept, Retry-After none',
  'failed post: 503, kept, Retry-After 30',
  'throttled profile: 503, kept, Retry-After 30',
  `spent allowance: 429, kept, Retry-After ${allowanceWait}`,
];

const asksAgain = (allowanceWait: number): readonly string[] =>
  kept(allowanceWait).map((line) => (line.startsWith('spent') ? line : line.replace('kept', 'asks')));

/** Seconds until the window of the allowance ends, which depends on the address of the caller and the secret. */
const ALLOWANCE_WAIT = 30_675;

test.each([0, -HOUR, HOUR])(
  'caches, remembered failures and denials last as long as before when the time of day has jumped by %i ms',
  async (milliseconds) => {
    const readAll = await startReads();
    // A failed subject is remembered after its answer, when the canary has answered.
    let seen = await readAll();
    while (seen.some((line) => line.includes('asks'))) seen = await readAll();
    expect(seen).toEqual(kept(ALLOWANCE_WAIT));
    vi.setSystemTime(Date.now() + milliseconds);
    expect(await readAll()).toEqual(kept(ALLOWANCE_WAIT));
    vi.advanceTimersByTime(PAST_EXPIRY);
    expect(await readAll()).toEqual(asksAgain(ALLOWANCE_WAIT - PAST_EXPIRY / 1000));
  },
  60_000,
);
