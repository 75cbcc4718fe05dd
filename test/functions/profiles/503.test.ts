import { expect, test } from 'vitest';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { PROFILE_ID_ROUTES, PROFILE_TARGETS, routesOf } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, found, page, type TestResponse, upstreamReturning } from '../../support/test-app.ts';

const ROUTES = [...routesOf(PROFILE_TARGETS), ...PROFILE_ID_ROUTES];
const [, ...lists] = PROFILE_TARGETS;

const expectOutage = (answer: TestResponse): void => {
  expect(expectProblem(answer, 503, 'upstream_unavailable')).toMatchObject({ retry_after: 30 });
  expect(answer.headers).toMatchObject({
    'retry-after': '30',
    'cache-control': 'no-store',
    'x-api-key-status': 'anonymous',
  });
  expect(answer.body).not.toContain('10.0.0.1');
};

const expectFailure = (answer: TestResponse): void => {
  expectProblem(answer, 502, 'upstream_failed');
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-api-key-status': 'anonymous' });
  expect(answer.headers).not.toHaveProperty('retry-after');
  expect(answer.body).not.toContain('LEAKY');
};

const down = { kind: 'down', why: 'ECONNREFUSED 10.0.0.1' } as const;
const failed = { kind: 'failed', why: 'LEAKY' } as const;

test.each([
  ['no provider answers', down],
  ['a 404 without a tombstone is not confirmed', { kind: 'ambiguous' } as const],
])('[problems 6] GET returns 503 with Retry-After: 30 and retry_after, never 404, when %s', async (_, outcome) => {
  const { get } = createTestApp({ upstream: upstreamReturning(outcome) });
  for (const route of ROUTES) expectOutage(await get(route));
});

test('[problems 6] GET of a profile returns 502 or 503 when only its posts can be read', async () => {
  expectOutage(await createTestApp({ upstream: { readProfile: async () => down } }).get('/jack'));
  expectFailure(await createTestApp({ upstream: { readProfile: async () => failed } }).get('/jack'));
});

test('[problems 6] GET of a list returns 503 when the list is not found and its profile is found', async () => {
  const { get } = createTestApp({ upstream: { listUsers: async () => ({ kind: 'ambiguous' }) } });
  for (const route of routesOf(lists)) expectOutage(await get(route));
});

test('[problems 6] GET of a list returns 502 or 503 when the list fails and its profile is found', async () => {
  const outage = createTestApp({ upstream: { listUsers: async () => down } });
  const failure = createTestApp({ upstream: { listUsers: async () => failed } });
  for (const route of routesOf(lists)) {
    expectOutage(await outage.get(route));
    expectFailure(await failure.get(route));
  }
});

test.each<readonly [string, Outcome<never>]>([
  ['is empty', found(page([])) as Outcome<never>],
  ['is not found', { kind: 'ambiguous' }],
])('[problems 6] GET of a list that %s returns 502 or 503 while its profile is unknown', async (_, outcome) => {
  for (const [profileOutcome, expectFault] of [
    [down, expectOutage],
    [{ kind: 'ambiguous' } as const, expectOutage],
    [failed, expectFailure],
  ] as const) {
    const { get } = createTestApp({
      upstream: { listUsers: async () => outcome, readProfile: async () => profileOutcome },
    });
    for (const route of routesOf(lists)) expectFault(await get(route));
  }
});
