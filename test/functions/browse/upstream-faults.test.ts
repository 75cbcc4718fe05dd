// Tests profiles, lists and searches while the provider misbehaves, with the real client and mappers over a faulty network.
// No fault ever becomes "not found".
import { describe, expect, test } from 'vitest';
import { CANARY_PROFILE, json, neverResponds, recorded } from '../../support/fault-server.ts';
import { isFullForm, sampleOf } from '../../support/full-form.ts';
import { pagesBehaviour, profileBehaviour } from '../../support/list-provider.ts';
import { expectProblem } from '../../support/problem.ts';
import { createFaultyService, expectFault, faults } from '../../support/provider-faults.ts';
import { NOW, type TestResponse } from '../../support/test-app.ts';

const ROUTES = [
  '/api/v1/profiles/ada',
  '/api/v1/profiles/ada/followers',
  '/ada/following',
  '/api/v1/search?q=tide',
  '/search?q=tide&feed=users',
  '/api/browse?resource=search&q=tide&feed=top',
  '/api/browse?resource=followers&handle=ada',
] as const;

const HURRIED = { attemptMilliseconds: 150, lastAttemptMilliseconds: 150 };

describe.each(faults)('a provider that %s', (_, fxtwitter, status, { limits }) => {
  test.each(sampleOf(ROUTES))('makes %s return a problem document', async (route) => {
    const { get } = await createFaultyService({ fxtwitter, ...(limits && { limits: HURRIED }) });
    expectFault(await get(route), status);
  });
});

test.each(ROUTES)('[outages 4] a provider that rejects every request makes %s an outage', async (route) => {
  const rejected = json({ code: 400, message: 'LEAKY' }, 400);
  const { get } = await createFaultyService({ fxtwitter: rejected, canaryProfile: rejected });
  expectFault(await get(route), 503);
});

describe('[provider-faults 10] [provider-faults 11] a bare 404', () => {
  const bare = recorded('fxtwitter/errors/backend_429_followers.json', 404);
  const profiles = ROUTES.filter((route) => !route.includes('search'));
  const searches = ROUTES.filter((route) => route.includes('search'));

  test.each(profiles)('of %s is not_found while the canary profile is still found', async (route) => {
    const { get } = await createFaultyService({ fxtwitter: bare });
    expect(expectProblem(await get(route), 404, 'profile_not_found')['reason']).toBe('unknown');
  });

  test.each(profiles)('of %s is an outage if the canary profile is not found either', async (route) => {
    const { get } = await createFaultyService({ fxtwitter: bare, canaryProfile: bare });
    expectFault(await get(route), 503);
  });

  test.each(profiles)('of %s is an outage if the canary profile cannot be read', async (route) => {
    const { get } = await createFaultyService({ fxtwitter: bare, canaryProfile: neverResponds, limits: HURRIED });
    expectFault(await get(route), 503);
  });

  test.each(searches)('of %s is an outage, whatever the canary returns', async (route) => {
    const { get, server } = await createFaultyService({ fxtwitter: bare });
    expectFault(await get(route), 503);
    expect(server.calls().filter((path) => path.includes(CANARY_PROFILE))).toEqual([]);
  });

  test('of a list whose profile is found is an outage of the list', async () => {
    const { get } = await createFaultyService({
      fxtwitter: (incoming, response) =>
        (incoming.url?.includes('/ada?') ? profileBehaviour('ada') : bare)(incoming, response),
    });
    expectFault(await get('/ada/followers'), 503);
    const profile = await get('/ada?format=json');
    expect(profile.json()).toMatchObject({ posts: [], warnings: [{ code: 'posts_unavailable' }] });
  });

  test('[bounds 4] costs three calls: the list, the profile and the canary profile', async () => {
    const { get, server } = await createFaultyService({ fxtwitter: bare });
    await get('/ada/followers');
    expect(server.calls()).toEqual([
      '/fx/2/profile/ada/followers?count=20',
      '/fx/2/profile/ada?about_account=1',
      `/fx/2/profile/${CANARY_PROFILE}?about_account=1`,
    ]);
  });
});

describe('a list of several hundred accounts with short, empty and repeating provider pages', () => {
  const ids = Array.from({ length: 330 }, (_, index) => `user_${String(index).padStart(3, '0')}`);
  const sizes = [20, 3, 1, 17, 20, 2, 12];
  const pages: string[][] = [[]];
  for (let at = 0, n = 0; at < ids.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1;
    const page = ids.slice(at, at + size);
    const overlap = n % 3 === 1 ? (pages.at(-1) ?? []).slice(-5) : [];
    pages.push([...overlap, ...page], ...(n % 4 === 2 ? [[], page] : []));
    at += size;
  }

  test.each([1, 7, 20, 100])('in pages of %i contains every account once, in order', async (limit) => {
    const { get, server } = await createFaultyService({ fxtwitter: pagesBehaviour(pages) });
    const seen: string[] = [];
    let target: string | undefined = `/ada/followers?format=json&limit=${limit}`;
    while (target !== undefined) {
      const answer: TestResponse = await get(target);
      expect(answer.status).toBe(200);
      const { users, next_cursor: cursor } = answer.json() as { users: { handle: string }[]; next_cursor?: string };
      if (cursor !== undefined && users.length !== limit) expect(answer.body).toContain('partial_page');
      seen.push(...users.map(({ handle }) => handle));
      target = cursor === undefined ? undefined : `/ada/followers?format=json&limit=${limit}&cursor=${cursor}`;
    }
    expect(seen).toEqual(ids);
    // Pages are cached for 60 s, so small limits cost no more calls than large ones.
    expect(server.calls().length).toBeLessThanOrEqual(pages.length + 2);
  });
});

describe('the time limit of a request', () => {
  test.runIf(isFullForm)(
    'a provider that hangs delays a request by at most 8 s: the pipeline answers before the function times out',
    async () => {
      const { get, log } = await createFaultyService({ fxtwitter: neverResponds, clock: Date.now });
      const answers = await Promise.all(ROUTES.map((route) => get(route)));
      for (const answer of answers) expectFault(answer, 503);
      const causes = log.filter(({ event }) => event === 'problem').map(({ cause }) => String(cause));
      expect(causes).toHaveLength(ROUTES.length);
      expect(causes.filter((cause) => cause.includes('ran out of time'))).toEqual([]);
    },
  );

  test('a list that is too slow ends early when the time is up, and continues from there', async () => {
    const pages = Array.from({ length: 30 }, (_, index) => [`user_${index}`]);
    const page = pagesBehaviour(pages);
    let now = NOW;
    const { get, log } = await createFaultyService({
      fxtwitter: (incoming, response) => {
        now += 1000;
        page(incoming, response);
      },
      clock: () => now,
    });
    const answer = await get('/ada/followers?format=json&limit=30');
    const { users, next_cursor: cursor, warnings } = answer.json() as Record<string, unknown[]>;
    expect(users?.length).toBeGreaterThan(3);
    expect(users?.length).toBeLessThan(10);
    expect(cursor).toBeDefined();
    expect(warnings).toMatchObject([{ code: 'partial_page' }]);
    expect(log.some(({ cause }) => String(cause).includes('ran out of time'))).toBe(false);
  });
});

test('[caching 15] fifty concurrent equal requests make one provider call each of profile and posts', async () => {
  const { get, server } = await createFaultyService({
    fxtwitter: (incoming, response) =>
      (incoming.url?.includes('/ada?') ? profileBehaviour('ada') : pagesBehaviour([['1', '2']]))(incoming, response),
  });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => get(`/ada?format=json&limit=${1 + (n % 20)}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(server.calls().filter((path) => path.startsWith('/fx/2/profile/ada?'))).toHaveLength(1);
  // The second page is the end of the first one, which takes a call to find out.
  expect(new Set(server.calls().filter((path) => path.includes('/statuses'))).size).toBe(
    server.calls().filter((path) => path.includes('/statuses')).length,
  );
});
