// Checks that the aliases name their successors and otherwise equal them. Their headers on every status, every-route.test.ts checks.
import { describe, expect, test } from 'vitest';
import { invalidParameters, upstreamWithLists, withQuery } from '../support/browse-routes.ts';
import { expectLifecycle, linksOf } from '../support/lifecycle-headers.ts';
import { expectProblem } from '../support/problem.ts';
import { BASE_URL, createTestApp, upstreamNotCalled, upstreamReturning } from '../support/test-app.ts';

const ALIASES = [
  { alias: '/api/convert?handle=jack&id=20', successor: '/api/v1/posts', query: 'handle=jack&id=20' },
  { alias: '/api/browse?resource=profile&handle=jack', successor: '/api/v1/profiles/jack', query: '' },
  { alias: '/api/browse?resource=followers&handle=jack', successor: '/api/v1/profiles/jack/followers', query: '' },
  { alias: '/api/browse?resource=following&handle=jack', successor: '/api/v1/profiles/jack/following', query: '' },
  { alias: '/api/browse?resource=search&q=fjord', successor: '/api/v1/search', query: 'q=fjord' },
] as const;

describe.each(ALIASES)('$alias', ({ alias, successor, query: ownQuery }) => {
  test('[lifecycle 3] [lifecycle 11] has the same lifecycle headers whatever the clock and its parameters say', async () => {
    for (const day of ['2026-01-01', '2026-09-14', '2026-09-15', '2027-09-16'])
      expectLifecycle(await createTestApp({ now: Date.parse(day) }).get(alias), successor);
    const { get } = createTestApp();
    for (const query of ['lifecycle=off&via=route', 'format=json', 'deprecation=', 'cursor=x', 'feed=x', 'limit=5'])
      expectLifecycle(await get(withQuery(alias, query)), successor);
  });

  test('[lifecycle 4] [lifecycle 15] has one Link field: the next page, and the successor without a query', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const { refs } = linksOf(await get(alias));
    const next = alias.startsWith('/api/convert') ? [] : [['next', expect.stringContaining('/api/browse?')]];
    expect(refs.map(({ rel, uri }) => [rel, uri])).toEqual([
      ...next,
      ['successor-version', `${BASE_URL}${successor}`],
      ['deprecation', `${BASE_URL}/docs/versioning`],
      ['sunset', `${BASE_URL}/docs/versioning`],
    ]);
  });

  test('[lifecycle 15] [lifecycle 16] answers as its successor to the same parameters', async () => {
    const queries = ' format=json limit=3 limit=0 format=obsidian format=xml max_tokens=100 cursor=x feed=x'.split(' ');
    const accepts = [{}, { accept: 'application/json' }, { accept: 'image/png' }, { authorization: 'Bearer x' }];
    for (const upstream of [
      upstreamWithLists(30),
      upstreamReturning({ kind: 'gone', reason: 'deleted' }),
      upstreamReturning({ kind: 'down', why: '' }),
    ]) {
      const { get } = createTestApp({ upstream });
      for (const [query, headers] of queries.flatMap((name) => accepts.map((fields) => [name, fields] as const))) {
        const old = await get(withQuery(alias, query), { headers });
        const answer = await get(`${successor}?${ownQuery}&${query}`, { headers });
        expect(old.status).toBe(answer.status);
        const instance = `"instance":"${alias.split('?')[0]}"`;
        // Aliases offer no feeds by Accept, so their 406 names none.
        const withoutFeeds = answer.body.replace(/(?:, application\/(?:rss\+xml|atom\+xml|feed\+json))+/, '');
        expect(old.body.replace(instance, `"instance":"${successor}"`)).toBe(
          answer.status === 406 ? withoutFeeds : answer.body,
        );
        const { deprecation: _deprecation, sunset: _sunset, link: _link, ...oldHeaders } = old.headers;
        const { link: _next, ...expected } = answer.headers;
        expect({ ...oldHeaders, 'x-request-id': '' }).toEqual({ ...expected, 'x-request-id': '' });
      }
    }
  });
});

describe('the successor of /api/browse', () => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });

  test.each([
    ['', 'invalid_resource', 'resource'],
    ['resource=posts', 'invalid_resource', 'resource'],
    ['resource=Profile&handle=jack', 'invalid_resource', 'resource'],
    ['resource=constructor&handle=jack', 'invalid_resource', 'resource'],
    ['resource=search&resource=search&q=x', 'repeated_parameter', 'resource'],
    ['resource=profile', 'missing_parameter', 'handle'],
    ['resource=followers&handle=%40%40jack', 'invalid_handle', 'handle'],
    ['resource=following&handle=ja/ck', 'invalid_handle', 'handle'],
    ['resource=followers&handle=%7Bhandle%7D', 'invalid_handle', 'handle'],
    ['resource=following&handle=jack%0D%0A', 'invalid_handle', 'handle'],
    ['resource=profile&handle=%zz', 'invalid_handle', 'handle'],
  ])('[lifecycle 8] [lifecycle 9] is none with ?%s, which is %s', async (query, code, parameter) => {
    for (const method of ['GET', 'HEAD']) expectLifecycle(await get(`/api/browse?${query}`, { method }), undefined);
    const answer = await get(`/api/browse?${query}`);
    expect(invalidParameters(expectProblem(answer, 400, code))).toEqual([parameter]);
    expect(answer.headers['link']).not.toMatch(/[{}]|%7B/i);
  });

  test('[lifecycle 7] has the handle of the caller without @, and is that of searches even without a query', async () => {
    const app = createTestApp();
    for (const [handle, filled] of [
      ['@jack', 'jack'],
      ['%40Jack', 'Jack'],
      ['_', '_'],
      ['search', 'search'],
    ] as const) {
      expectLifecycle(await app.get(`/api/browse?resource=profile&handle=${handle}`), `/api/v1/profiles/${filled}`);
      const followers = await app.get(`/api/browse?handle=${handle}&resource=followers`);
      expectLifecycle(followers, `/api/v1/profiles/${filled}/followers`);
    }
    for (const query of ['', '&q=a&q=b', '&feed=x', '&handle=@@']) {
      const answer = await get(`/api/browse?resource=search${query}`);
      expect(answer.status).toBe(400);
      expectLifecycle(answer, '/api/v1/search');
    }
  });
});

// biome-ignore format: side by side they fit on a screen
const HOSTILE = [
  '>', '"', ',', ';', '\r\nX-Evil: 1', 'é', '漢', '<https://evil.example>;rel=successor-version', '\0', '\\',
];

test.each(HOSTILE)(
  '[headers 1] [lifecycle 6] [lifecycle 13] %o neither breaks nor extends the Link field',
  async (value) => {
    const { get } = createTestApp();
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      'x-forwarded-proto': 'evil',
    };
    const encoded = encodeURIComponent(value);
    for (const [target, successor] of [
      [`convert?url=${encoded}`, '/api/v1/posts'],
      [`convert?handle=${encoded}&id=20`, '/api/v1/posts'],
      [`browse?resource=profile&handle=${encoded}`, undefined],
      [`browse?resource=followers&handle=jack${encoded}`, undefined],
      [`browse?resource=profile${encoded}&handle=jack`, undefined],
      [`browse?resource=search&q=${encoded}`, '/api/v1/search'],
      [`browse?resource=search&q=x&feed=${encoded}`, '/api/v1/search'],
      [`browse?resource=profile&handle=jack&${encoded}=1`, '/api/v1/profiles/jack'],
    ] as const) {
      const answer = await get(`/api/${target}`, { headers });
      expectLifecycle(answer, successor);
      expect(linksOf(answer).refs).toHaveLength(successor === undefined ? 2 : 3);
      expect(answer.headers['link']).toMatch(/^[\x20-\x7e]+$/);
      expect(Object.keys(answer.headers)).not.toContain('x-evil');
      expect(JSON.stringify(answer.headers)).not.toContain('evil');
    }
  },
);
