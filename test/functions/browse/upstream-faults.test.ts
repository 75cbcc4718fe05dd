// Tests profiles, lists and searches while the provider misbehaves, with the real client and mappers over a faulty network.
// No fault ever becomes "not found".
import { describe, expect, onTestFinished, test } from 'vitest';
import { slowDownTime } from '../../../infra/local/slow-time.ts';
import {
  type Behaviour,
  CANARY_PROFILE,
  faultServer,
  html,
  json,
  neverResponds,
  recorded,
} from '../../support/fault-server.ts';
import { sampleOf } from '../../support/full-form.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { testClock } from '../../support/limiter.ts';
import { pagesBehaviour } from '../../support/list-provider.ts';
import { expectProblem } from '../../support/problem.ts';
import { createFaultyService, expectFault } from '../../support/provider-faults.ts';
import { createTestApp, NOW } from '../../support/test-app.ts';

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

test('a list that is too slow ends early when the time is up, and continues from there', async () => {
  const pages = Array.from({ length: 30 }, (_, index) => [`user_${index}`]);
  const page = pagesBehaviour(pages);
  let now = NOW;
  const { get, log } = await createFaultyService({
    fxtwitter: (incoming, response) => {
      now += 1000;
      page(incoming, response);
    },
    time: () => now,
  });
  const answer = await get('/ada/followers?format=json&limit=30');
  const { users, next_cursor: cursor, warnings } = answer.json() as Record<string, unknown[]>;
  expect(users?.length).toBeGreaterThan(3);
  expect(users?.length).toBeLessThan(10);
  expect(cursor).toBeDefined();
  expect(warnings).toMatchObject([{ code: 'partial_page' }]);
  expect(log.some(({ cause }) => String(cause).includes('ran out of time'))).toBe(false);
});

// The first requests after a provider answers again are complete, although each takes several calls.

const author = { type: 'profile', screen_name: 'ada', id: '7', name: 'Ada' };
const status = (id: string) => ({ type: 'status', id, text: `post ${id}`, author, created_timestamp: 1_774_000_800 });

const healthy: Behaviour = (incoming, response) => {
  const path = incoming.url ?? '';
  const [, handle = 'ada'] = /\/profile\/(\w+)/.exec(path) ?? [];
  const [, id = '21'] = /\/(?:conversation|thread|status)\/(\d+)/.exec(path) ?? [];
  const cursor = { top: null, bottom: null };
  const bodies = [
    [/\/followers|\/following/, { code: 200, results: [author], cursor }],
    [/\/statuses|\/search/, { code: 200, results: [status('21')], cursor }],
    [/\/profile\//, { code: 200, user: { ...author, screen_name: handle } }],
    [/./, { code: 200, status: status(id), thread: [status(id)], replies: [], cursor: null }],
  ] as const;
  json(bodies.find(([pattern]) => pattern.test(path))?.[1])(incoming, response);
};

const reads: readonly (readonly [string, (subject: number) => string])[] = [
  ['a profile', (subject) => `/api/v1/profiles/ada_${subject}?format=json`],
  ['followers', (subject) => `/api/v1/profiles/ada_${subject}/followers?format=json`],
  ['following', (subject) => `/api/v1/profiles/ada_${subject}/following?format=json`],
  ['a search', (subject) => `/api/v1/search?q=tide${subject}&format=json`],
  ['a post', (subject) => `/api/v1/posts?handle=ada&id=${1000 + subject}&format=json`],
];

const outages: readonly (readonly [string, Behaviour])[] = [
  ['that crashed', html(500)],
  ['that was overloaded', html(503)],
  ['that never answered', neverResponds],
];

test.each(
  sampleOf(
    outages.flatMap(([outage, behaviour]) =>
      reads.map(([read, targetOf]) => [outage, read, behaviour, targetOf] as const),
    ),
  ),
)('[outages 4] after a provider %s the first request of %s is complete', async (_, __, behaviour, targetOf) => {
  const server = await faultServer({ fxtwitter: behaviour, canary: behaviour });
  const clock = testClock(NOW);
  const upstream = fxTwitterAt(server, {
    ...clock,
    limits: { attemptMilliseconds: 250, lastAttemptMilliseconds: 250 },
  });
  const { get } = createTestApp({ upstream, now: clock.now });
  for (let subject = 0; subject < 8; subject += 1) expect((await get(targetOf(subject))).status).toBe(503);
  const answer = await get(targetOf(99));
  expect(answer.headers['retry-after']).toBe('30');
  server.script({ fxtwitter: healthy, canary: healthy });
  // A busy machine needs more than 250 ms for an answer.
  onTestFinished(slowDownTime());
  clock.wait(30_000);
  const first = await get(targetOf(99));
  expect(first.status).toBe(200);
  expect(first.json()['warnings']).toEqual([]);
});
