// Tests profiles, lists and searches while the provider misbehaves, with the real client and mappers over a faulty network.
// No fault ever becomes "not found".
import { describe, expect, test } from 'vitest';
import { CANARY_PROFILE, recorded } from '../../support/fault-server.ts';
import { pagesBehaviour, profileBehaviour } from '../../support/list-provider.ts';
import { expectProblem } from '../../support/problem.ts';
import { createFaultyService, expectFault } from '../../support/provider-faults.ts';
import { NOW } from '../../support/test-app.ts';

const ROUTES = [
  '/api/v1/profiles/ada',
  '/api/v1/profiles/ada/followers',
  '/ada/following',
  '/api/v1/search?q=tide',
  '/search?q=tide&feed=users',
  '/api/browse?resource=search&q=tide&feed=top',
  '/api/browse?resource=followers&handle=ada',
] as const;

describe('[provider-faults 10] [provider-faults 11] a bare 404', () => {
  const bare = recorded('fxtwitter/errors/backend_429_followers.json', 404);
  const profiles = ROUTES.filter((route) => !route.includes('search'));
  const searches = ROUTES.filter((route) => route.includes('search'));

  test.each(profiles)('of %s is not_found while the canary profile is still found', async (route) => {
    const { get } = await createFaultyService({ fxtwitter: bare });
    expect(expectProblem(await get(route), 404, 'profile_not_found')['reason']).toBe('unknown');
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

describe('the time limit of a request', () => {
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
