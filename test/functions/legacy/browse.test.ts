// Checks that /api/browse sends the lifecycle headers on every answer and otherwise equals its successors.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { invalidParameters, nextLink, upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { expectLifecycle, linksOf } from '../../support/lifecycle-headers.ts';
import { expectProblem } from '../../support/problem.ts';
import {
  BASE_URL,
  createTestApp,
  found,
  page,
  upstreamNotCalled,
  upstreamReturning,
  user,
} from '../../support/test-app.ts';

const RESOURCES = [
  { alias: '/api/browse?resource=profile&handle=jack', successor: '/api/v1/profiles/jack', requiredQuery: '' },
  {
    alias: '/api/browse?resource=followers&handle=jack',
    successor: '/api/v1/profiles/jack/followers',
    requiredQuery: '',
  },
  {
    alias: '/api/browse?resource=following&handle=jack',
    successor: '/api/v1/profiles/jack/following',
    requiredQuery: '',
  },
  { alias: '/api/browse?resource=search&q=fjord', successor: '/api/v1/search', requiredQuery: 'q=fjord' },
] as const;

describe('lifecycle headers of /api/browse', () => {
  test.each(RESOURCES.slice(0, 3))(
    '[lifecycle 10] $alias sends the lifecycle headers when the profile is missing or protected',
    async ({ alias, successor }) => {
      const gone = await createTestApp({ upstream: upstreamReturning({ kind: 'gone', reason: 'suspended' }) }).get(
        alias,
      );
      expectProblem(gone, 404, 'profile_not_found');
      expectLifecycle(gone, successor);
      const lists = { listUsers: async () => found(page<never>([])) };
      const upstream = { ...lists, readProfile: async () => found(user('jack', { protected: true })) };
      const protectedAnswer = await createTestApp({ upstream }).get(alias);
      expect(protectedAnswer.status).toBe(alias.includes('profile') ? 200 : 403);
      expectLifecycle(protectedAnswer, successor);
    },
  );

  test('[lifecycle 3] GET /api/browse sends the same lifecycle headers whatever the clock says', async () => {
    for (const day of ['2026-01-01', '2026-09-14', '2026-09-15', '2026-11-21', '2027-09-16']) {
      for (const { alias, successor } of RESOURCES) {
        const answer = await createTestApp({ now: Date.parse(day) }).get(alias);
        expect(answer.status).toBe(200);
        expectLifecycle(answer, successor);
      }
    }
  });

  test('[lifecycle 11] no parameter of /api/browse changes the lifecycle headers', async () => {
    const { get } = createTestApp();
    for (const { alias, successor } of RESOURCES) {
      for (const query of ['lifecycle=off&via=route', 'format=json', 'deprecation=', 'cursor=x', 'feed=x', 'limit=5'])
        expectLifecycle(await get(withQuery(alias, query)), successor);
    }
  });
});

describe('successor of /api/browse', () => {
  test.each([
    '',
    '?resource=',
    '?resource=posts',
    '?resource=Profile&handle=jack',
    '?resource=SEARCH&q=x',
    '?resource=profile%20&handle=jack',
    '?resource=constructor&handle=jack',
    '?resource=__proto__&handle=jack',
    '?resource=readProfile&handle=jack',
    '?handle=jack&q=x',
    '?Resource=profile&handle=jack',
  ])(
    '[lifecycle 8] GET /api/browse%s returns 400 without a successor because the resource is unknown',
    async (query) => {
      const { get } = createTestApp({ upstream: upstreamNotCalled });
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(`/api/browse${query}`, { method });
        expect(answer.status).toBe(400);
        expectLifecycle(answer, undefined);
      }
      const document = expectProblem(await get(`/api/browse${query}`), 400, 'invalid_resource');
      expect(invalidParameters(document)).toEqual(['resource']);
    },
  );

  test('[lifecycle 8] GET /api/browse returns 400 without a successor when resource is repeated, even with equal values', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const query of ['resource=search&resource=search&q=x', 'resource=profile&resource=search&handle=jack']) {
      const answer = await get(`/api/browse?${query}`);
      expect(invalidParameters(expectProblem(answer, 400, 'repeated_parameter'))).toEqual(['resource']);
      expectLifecycle(answer, undefined);
    }
  });

  test.each([
    ['', 'missing_parameter'],
    ['handle=', 'missing_parameter'],
    ['Handle=jack', 'missing_parameter'],
    ['handle=@', 'invalid_handle'],
    ['handle=%40%40jack', 'invalid_handle'],
    ['handle=sixteen_letters_', 'invalid_handle'],
    ['handle=ja/ck', 'invalid_handle'],
    ['handle=..', 'invalid_handle'],
    ['handle=%7Bhandle%7D', 'invalid_handle'],
    ['handle=jack%0D%0A', 'invalid_handle'],
    ['handle=%zz', 'invalid_handle'],
    ['handle=jack&handle=jack', 'repeated_parameter'],
  ])('[lifecycle 9] GET /api/browse names no successor when the handle is invalid: %s', async (query, code) => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const resource of ['profile', 'followers', 'following']) {
      const answer = await get(`/api/browse?resource=${resource}&${query}`);
      expect(invalidParameters(expectProblem(answer, 400, code))).toEqual(['handle']);
      expectLifecycle(answer, undefined);
      expect(answer.headers['link']).not.toMatch(/[{}]|%7B/i);
    }
  });

  test('[lifecycle 7] the successor contains the handle of the caller without @', async () => {
    const { get } = createTestApp();
    for (const [handle, filled] of [
      ['@jack', 'jack'],
      ['%40Jack', 'Jack'],
      ['_', '_'],
      ['0', '0'],
      ['search', 'search'],
    ] as const) {
      expectLifecycle(await get(`/api/browse?resource=profile&handle=${handle}`), `/api/v1/profiles/${filled}`);
      expectLifecycle(
        await get(`/api/browse?handle=${handle}&resource=followers`),
        `/api/v1/profiles/${filled}/followers`,
      );
    }
  });

  test('[lifecycle 7] resource=search names its successor even if the query is missing', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const query of ['', '&q=', '&q=a&q=b', '&feed=x', '&handle=@@']) {
      const answer = await get(`/api/browse?resource=search${query}`);
      expect(answer.status).toBe(400);
      expectLifecycle(answer, '/api/v1/search');
    }
  });

  test.each(RESOURCES)(
    '[lifecycle 4] [lifecycle 15] the successor of $alias has no query and answers with the same body',
    async ({ alias, successor, requiredQuery }) => {
      const { get } = createTestApp();
      const links = linksOf(await get(alias));
      expect(links.refs.map(({ rel, uri }) => [rel, uri])).toEqual([
        ['successor-version', `https://api.example.test${successor}`],
        ['deprecation', 'https://api.example.test/docs/versioning'],
        ['sunset', 'https://api.example.test/docs/versioning'],
      ]);
      const uri = links.rel('successor-version')[0]?.uri.slice(BASE_URL.length) ?? '';
      expect((await get(withQuery(uri, requiredQuery))).body).toBe((await get(alias)).body);
    },
  );
});

test.each(RESOURCES)(
  '[lifecycle 15] [lifecycle 16] $alias and its successor answer alike to the same parameters',
  async ({ alias, successor, requiredQuery }) => {
    // biome-ignore format: side by side they fit on a screen
    const parameters = [
      '', 'format=json', 'limit=3', 'limit=0', 'format=obsidian', 'max_tokens=100', 'cursor=x', 'feed=x',
    ];
    const upstreams = [
      upstreamWithLists(30),
      upstreamReturning({ kind: 'gone', reason: 'deleted' }),
      upstreamReturning({ kind: 'down', why: '' }),
    ];
    for (const upstream of upstreams) {
      const { get } = createTestApp({ upstream });
      for (const query of parameters) {
        for (const headers of [
          {},
          { accept: 'application/json' },
          { accept: 'image/png' },
          { authorization: 'Bearer x' },
        ]) {
          const aliasAnswer = await get(withQuery(alias, query), { headers });
          const answer = await get(`${successor}?${requiredQuery}&${query}`, { headers });
          expect(aliasAnswer.status).toBe(answer.status);
          expect(aliasAnswer.body.replace('"instance":"/api/browse"', `"instance":"${successor}"`)).toBe(answer.body);
          const { deprecation: _deprecation, sunset: _sunset, link: _link, ...aliasHeaders } = aliasAnswer.headers;
          const { link: _next, ...expected } = answer.headers;
          expect({ ...aliasHeaders, 'x-request-id': '' }).toEqual({ ...expected, 'x-request-id': '' });
        }
      }
    }
  },
);

describe('[lifecycle 13] [lifecycle 6] Link field and hostile input', () => {
  // biome-ignore format: side by side they fit on a screen
  const HOSTILE_VALUES = [
    '>', '"', ',', ';', '\r\nX-Evil: 1', 'é', '漢', '<https://evil.example>;rel=successor-version', '\0', '\\',
  ];
  test.each(HOSTILE_VALUES)(
    'GET /api/browse with %o neither breaks nor extends the Link field',
    async (hostileValue) => {
      const { get } = createTestApp();
      const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
      const encoded = encodeURIComponent(hostileValue);
      for (const [query, successor] of [
        [`resource=profile&handle=${encoded}`, undefined],
        [`resource=followers&handle=jack${encoded}`, undefined],
        [`resource=${encoded}&handle=jack`, undefined],
        [`resource=profile${encoded}&handle=jack`, undefined],
        [`resource=search&q=${encoded}`, '/api/v1/search'],
        [`resource=search&q=x&feed=${encoded}`, '/api/v1/search'],
        [`resource=profile&handle=jack&cursor=${encoded}`, '/api/v1/profiles/jack'],
        [`resource=profile&handle=jack&${encoded}=1`, '/api/v1/profiles/jack'],
      ] as const) {
        const answer = await get(`/api/browse?${query}`, { headers });
        expectLifecycle(answer, successor);
        expect(linksOf(answer).refs).toHaveLength(successor === undefined ? 2 : 3);
        expect(answer.headers['link']).toMatch(/^[\x20-\x7e]+$/);
        expect(Object.keys(answer.headers)).not.toContain('x-evil');
        expect(JSON.stringify(answer.headers)).not.toContain('evil');
      }
    },
  );
});

describe('next page of /api/browse', () => {
  test.each(RESOURCES)(
    '[lifecycle 4] the next link of $alias is in the one Link field and names the alias',
    async ({ alias, successor }) => {
      const { get } = createTestApp({ upstream: upstreamWithLists(30) });
      let target: string = withQuery(alias, 'limit=13&format=json');
      for (const rels of [['next'], ['next'], []]) {
        const answer = await get(target);
        expectLifecycle(answer, successor);
        const expected = [...rels, 'successor-version', 'deprecation', 'sunset'];
        expect(linksOf(answer).refs.map(({ rel }) => rel)).toEqual(expected);
        const next = nextLink(answer);
        if (next === undefined) {
          expect(answer.json()).not.toHaveProperty('next_cursor');
          return;
        }
        const { searchParams, pathname } = new URL(next, BASE_URL);
        expect(pathname).toBe('/api/browse');
        expect(searchParams.get('cursor')).toBe(answer.json()['next_cursor']);
        searchParams.delete('cursor');
        const requested = new URL(withQuery(alias, 'limit=13&format=json'), BASE_URL).searchParams;
        expect([...searchParams].toSorted()).toEqual([...requested].toSorted());
        target = next;
      }
      expect.unreachable('30 items are 3 pages of 13');
    },
  );
});

test('[lifecycle 1] [lifecycle 2] [lifecycle 7] [lifecycle 9] the aliases pass the shared lifecycle vectors', async () => {
  const vectors = JSON.parse(
    readFileSync(new URL('../../fixtures/vectors/lifecycle-headers.json', import.meta.url), 'utf8'),
  ) as {
    base_url: string;
    cases: { request: string; successor: string | null; status?: number }[];
  };
  const cases = vectors.cases.filter(({ request }) => request.startsWith('/api/'));
  expect(cases.length).toBeGreaterThan(7);
  for (const { request, successor, status = 200 } of cases) {
    const answer = await createTestApp().get(request);
    expect(answer.status).toBe(status);
    expectLifecycle(answer, successor?.slice(vectors.base_url.length));
  }
});
