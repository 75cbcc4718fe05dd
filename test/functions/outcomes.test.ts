// Tests what each outcome of a provider is on every route: a statement about the post or the account, or a fault of the
// source, never one for the other.
import { describe, expect, test } from 'vitest';
import { isNegotiated } from '../../shared/contract/operations.ts';
import type { TombstoneReason } from '../../shared/model/post.ts';
import type { FailedOutcome, Outcome, Upstream } from '../../shared/ports/upstream.ts';
import { idsOf, nextLink, PROFILE_TARGETS, routesOf, upstreamWithLists, withQuery } from '../support/browse-routes.ts';
import { LIST_ROUTES, targetsOf } from '../support/list-routes.ts';
import { expectProblem } from '../support/problem.ts';
import { entityOf, routes } from '../support/routes.ts';
import {
  createTestApp,
  found,
  page,
  postUpstreamReturning,
  type TestResponse,
  upstreamReturning,
  user,
} from '../support/test-app.ts';

const down = { kind: 'down', why: 'ECONNREFUSED 10.0.0.1' } as const;
const failed = { kind: 'failed', why: 'LEAKY' } as const;
const ambiguous = { kind: 'ambiguous' } as const;
const absent = { kind: 'absent' } as const;
const gone = (reason: TombstoneReason) => ({ kind: 'gone', reason }) as const;

const expectFault = (answer: TestResponse, status: 502 | 503): void => {
  const document = expectProblem(answer, status, status === 503 ? 'upstream_unavailable' : 'upstream_failed');
  const seconds = status === 503 ? 30 : undefined;
  expect(document['retry_after']).toBe(seconds);
  expect(answer.headers['retry-after']).toBe(seconds?.toString());
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.body).not.toMatch(/LEAKY|10\.0\.0\.1/);
};

/** A lookup shows a missing post as a tombstone. */
const aboutEntity = routes.flatMap((route) => {
  const entity = entityOf(route);
  return entity === undefined || route.useCase === 'lookupPosts' ? [] : [{ ...route, entity }];
});

const expectMissing = async (outcome: FailedOutcome, document: (entity: 'post' | 'profile') => object) => {
  const { get } = createTestApp({ upstream: upstreamReturning(outcome) });
  for (const { target, entity } of aboutEntity) {
    const answer = await get(target);
    expect(expectProblem(answer, 404, `${entity}_not_found`), target).toMatchObject(document(entity));
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
  }
};

describe('a post or an account', () => {
  test.each([
    ['deleted', /a deleted post does not come back/, /its owner closed the account/],
    ['suspended', /only if the suspension of its author ends/, /only if its suspension ends/],
    ['withheld', /X does not show this post/, /X does not show this account/],
    ['unknown', /^Check the id;/, /^Check the handle or the id;/],
  ] as const)(
    '[problems 4] [problems 11] [oembed 1] that is %s is 404 with the reason and a resolution of its own',
    async (reason, post, profile) => {
      await expectMissing(gone(reason), (entity) => ({
        reason,
        resolution: expect.stringMatching({ post, profile }[entity]),
      }));
    },
  );

  test('[problems 4] that is absent is 404 with the reason unknown', () =>
    expectMissing(absent, () => ({ reason: 'unknown' })));

  test('[problems 4] that is protected is 403 with the reason, never 401', async () => {
    const { get } = createTestApp({ upstream: upstreamReturning(gone('protected')) });
    for (const { target, entity } of aboutEntity) {
      for (const headers of [{}, { authorization: 'Basic eDp5' }]) {
        const answer = await get(target, { headers });
        expect(expectProblem(answer, 403, `${entity}_protected`), target).toMatchObject({ reason: 'protected' });
        expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
      }
    }
  });
});

describe('[problems 6] a fault of the source', () => {
  test.each([
    ['without an answer', down, 503],
    ['with a bare 404', ambiguous, 503],
    ['with an unusable answer', failed, 502],
  ] as const)('%s is announced as such on every route, never as 404', async (_, outcome, status) => {
    const { get } = createTestApp({ upstream: upstreamReturning(outcome) });
    for (const { target } of routes) expectFault(await get(target), status);
  });

  test.each([absent, gone('unknown'), gone('protected')])('is what %o is on a search', async (outcome) => {
    const { get } = createTestApp({ upstream: upstreamReturning(outcome) });
    for (const { target } of routes.filter((route) => route.useCase === 'searchPosts' && isNegotiated(route.operation)))
      for (const feed of ['latest', 'media', 'users']) expectFault(await get(withQuery(target, `feed=${feed}`)), 503);
  });

  test.each([
    [down, 503],
    [failed, 502],
  ] as const)('of the profile is not hidden by its posts: %o', async (outcome, status) => {
    expectFault(await createTestApp({ upstream: { readProfile: async () => outcome } }).get('/jack'), status);
  });
});

test('[ids 4] [ids 5] [oembed 1] an id from the future is 404 without a provider call, and a very low id is requested', async () => {
  const asked: string[] = [];
  const { get } = createTestApp({
    upstream: {
      readPost: async ({ id }) => {
        asked.push(id);
        return absent;
      },
    },
    now: Date.parse('2026-11-21T12:00:00Z'),
  });
  const idAt = (time: string) => String((BigInt(Date.parse(time)) - 1288834974657n) << 22n);
  const [future, near] = [idAt('2026-11-21T12:02:00Z'), idAt('2026-11-21T12:00:30Z')];
  const listsOf = (id: string) => ['replies', 'quotes', 'retweets'].map((list) => `/i/status/${id}/${list}`);
  for (const target of [`/jack/status/${future}`, `/oembed?url=x.com/i/status/${future}`, ...listsOf(future)])
    expectProblem(await get(target), 404, 'post_not_found');
  expect(asked).toEqual([]);
  for (const id of [near, '20']) await get(`/jack/status/${id}`);
  expect(asked).toEqual([near, '20']);
});

const FOLLOWS = PROFILE_TARGETS.slice(1).map((read) => ({ ...read, targets: routesOf([read]), entity: 'profile' }));
const LISTS = [
  ...FOLLOWS,
  ...LIST_ROUTES.map((route) => ({
    resource: route.name,
    targets: targetsOf(route),
    entity: route.notFound.replace('_not_found', ''),
  })),
];

/** A list that says nothing, and what its owner is. */
const listsWith = (list: Outcome<never>, post: Outcome<never>, profile: Outcome<never> = post): Upstream => ({
  readPost: async () => post,
  readProfile: async () => profile,
  listPosts: async () => list,
  listUsers: async () => list,
});
const empty = found(page([])) as Outcome<never>;
const protectedProfile = found(user('jack', { protected: true })) as Outcome<never>;

describe.each(LISTS)('the list $resource', ({ targets, entity }) => {
  const answersOf = async (upstream: Partial<Upstream>) => {
    const { get } = createTestApp({ upstream });
    return Promise.all(targets.map((target) => get(target)));
  };

  test.each([
    ['empty', empty],
    ['not found', ambiguous],
  ])('[lists 8] [problems 4] [problems 6] that is %s has the problem of its owner', async (_, list) => {
    for (const [owner, reason] of [
      [gone('suspended'), 'suspended'],
      [absent, 'unknown'],
    ] as const)
      for (const answer of await answersOf(listsWith(list, owner)))
        expect(expectProblem(answer, 404, `${entity}_not_found`)).toMatchObject({ reason });
    for (const answer of await answersOf(listsWith(list, gone('protected'), protectedProfile))) {
      expect(expectProblem(answer, 403, `${entity}_protected`)).toMatchObject({ reason: 'protected' });
      expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
    }
    for (const [owner, status] of [
      [down, 503],
      [ambiguous, 503],
      [failed, 502],
    ] as const)
      for (const answer of await answersOf(listsWith(list, owner))) expectFault(answer, status);
  });

  test('[lists 8] of an owner that can be read is 200 without items if it is empty, and otherwise the fault of the list', async () => {
    const { get } = createTestApp({ upstream: { listPosts: async () => empty, listUsers: async () => empty } });
    for (const target of targets) {
      const answer = await get(withQuery(target, 'format=json'));
      expect([answer.status, idsOf(answer)]).toEqual([200, []]);
      expect(answer.json()).toMatchObject({ warnings: [] });
      expect(answer.json()).not.toHaveProperty('next_cursor');
    }
    for (const [list, status] of [
      [ambiguous, 503],
      [down, 503],
      [failed, 502],
    ] as const)
      for (const answer of await answersOf({ listPosts: async () => list, listUsers: async () => list }))
        expectFault(answer, status);
  });
});

test('[problems 4] the lists of a protected profile are 403 if the provider says so, too', async () => {
  const upstream = { readProfile: async () => protectedProfile, listUsers: async () => gone('protected') };
  const { get } = createTestApp({ upstream });
  for (const { targets } of FOLLOWS)
    for (const target of targets) expectProblem(await get(target), 403, 'profile_protected');
});

test('[problems 6] a later page of a search is an outage, so the list does not seem to end', async () => {
  const { get } = createTestApp({ upstream: upstreamWithLists(30) });
  const broken = createTestApp({ upstream: upstreamReturning(down) });
  for (const feed of ['latest', 'users'])
    expectFault(await broken.get(nextLink(await get(`/search?q=fjord&limit=7&feed=${feed}`)) ?? ''), 503);
});

test('[problems 6] a lookup is a fault only if no post could be read because the provider failed', async () => {
  const { get } = createTestApp({ upstream: postUpstreamReturning(absent) });
  const answer = await get('/api/v1/posts/lookup?ids=20,21&format=json');
  expect(answer.json()).toMatchObject({ source: 'none', posts: [{ reason: 'unknown' }, { reason: 'unknown' }] });
});
