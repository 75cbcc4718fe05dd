// Checks feeds over HTTP: routes, types, headers, pages, conditional requests and errors.
import { describe, expect, test } from 'vitest';
import { FEED_FORMATS, type FeedFormat } from '../../shared/contract/media-types.ts';
import type { Outcome } from '../../shared/ports/upstream.ts';
import { upstreamWithLists, withQuery } from '../support/browse-routes.ts';
import { expectProblem } from '../support/problem.ts';
import { BASE_URL, createTestApp, found, page, post, type TestResponse, user } from '../support/test-app.ts';
import { type ReadFeed, readFeed } from './feed-readers.ts';

const TYPES = {
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  jsonfeed: 'application/feed+json',
} as const satisfies Record<FeedFormat, string>;

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } };

/** Lists of posts, the page of each for people, and its URL on X. */
const LISTS = [
  ['/jack', '/jack', 'https://x.com/jack', 'jack (@jack)'],
  ['/api/v1/profiles/jack', '/jack', 'https://x.com/jack', 'jack (@jack)'],
  ['/i/user/12', '/jack', 'https://x.com/jack', 'jack (@jack)'],
  ['/api/v1/profiles/jack/posts', '/jack', 'https://x.com/jack', 'jack (@jack)'],
  ['/api/v1/profiles/jack/posts?kind=media', '/jack/media', 'https://x.com/jack/media', 'Media of @jack'],
  ['/jack/with_replies', '/jack/with_replies', 'https://x.com/jack/with_replies', 'Posts and replies of @jack'],
  ['/jack/media', '/jack/media', 'https://x.com/jack/media', 'Media of @jack'],
  ['/jack/articles', '/jack/articles', 'https://x.com/jack/articles', 'Articles of @jack'],
  ['/api/v1/search?q=fjord', '/search?q=fjord', 'https://x.com/search?q=fjord&f=live', 'fjord: latest posts'],
  ['/search?q=fjord&feed=top', '/search?q=fjord&feed=top', 'https://x.com/search?q=fjord', 'fjord: top posts'],
  [
    '/api/browse?resource=search&q=fjord',
    '/search?q=fjord',
    'https://x.com/search?q=fjord&f=live',
    'fjord: latest posts',
  ],
] as const;

/** The addresses of nitter with those of the same list. */
const NITTER = [
  ['/jack/rss', '/api/v1/profiles/jack/posts?format=rss'],
  ['/jack/with_replies/rss', '/jack/with_replies?format=rss'],
  ['/jack/media/rss', '/jack/media?format=rss'],
  ['/search/rss?q=fjord', '/search?q=fjord&format=rss'],
] as const;

const read = (format: FeedFormat, { status, headers, body }: TestResponse): ReadFeed => {
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: TYPES[format] });
  return readFeed(format, body);
};

/** A profile with posts of every kind. */
const media = { type: 'photo', url: 'https://pbs.twimg.com/media/A.jpg' } as const;
const article = { title: 'On tea', blocks: [] };
const all = { ...post('20'), media: [media], article };
const upstream = {
  readProfile: async () => found(user('jack')),
  listPosts: async () => found(page([all])),
};

describe('feeds of lists of posts', () => {
  test('[lists 9] the id of a feed does not depend on its posts or on the spelling of the handle', async () => {
    const idOf = (body: string): string | undefined => /<id>([^<]*)<\/id>/.exec(body)?.[1];
    const author = { ...user('jack'), handle: 'JACK' };
    for (const posts of [[{ ...all, author }], []]) {
      const { get } = createTestApp({ upstream: { listPosts: async () => found(page(posts)) } });
      for (const handle of ['jack', 'Jack']) {
        const answer = await get(`/${handle}/media?format=atom`);
        expect(idOf(answer.body)).toBe('https://x.com/jack/media');
      }
    }
  });

  test.each(LISTS)(
    '[lists 9] GET %s returns RSS, Atom and JSON Feed with the same items',
    async (target, home, id, title) => {
      const { get } = createTestApp({ upstream });
      for (const format of FEED_FORMATS) {
        const url = withQuery(target, `format=${format}`);
        const answer = await get(url);
        const feed = read(format, answer);
        expect(feed).toMatchObject({
          title,
          home: `${BASE_URL}${home}`,
          items: [{ id: 'https://x.com/jack/status/20', url: `${BASE_URL}/jack/status/20` }],
        });
        // The parameters of a URL of this service are in the order of the contract.
        expect([...new URL(feed.self ?? '').searchParams].sort()).toEqual(
          [...new URL(url, BASE_URL).searchParams].sort(),
        );
        expect(read(format, await get((feed.self ?? '').slice(BASE_URL.length)))).toEqual(feed);
        if (format === 'atom') expect(answer.body).toContain(`<id>${id.replace('&', '&amp;')}</id>`);
      }
    },
  );

  test.each(LISTS.filter(([target]) => !target.includes('browse')))(
    '[negotiation 6] GET %s with the type of a feed in Accept returns the feed of that format',
    async (target) => {
      const { get } = createTestApp({ upstream });
      for (const format of FEED_FORMATS) {
        const [type = ''] = TYPES[format].split(';');
        const { headers, body, status } = await get(target, { headers: { accept: `${type}, text/html;q=0.9` } });
        const { 'x-request-id': _, ...same } = (await get(withQuery(target, `format=${format}`))).headers;
        expect(headers).toMatchObject(same);
        const feed = read(format, { headers, body, status } as TestResponse);
        expect(feed).toEqual(read(format, await get((feed.self ?? '').slice(BASE_URL.length))));
      }
    },
  );

  test('[negotiation 6] threads=merged is for a feed, which format or Accept chooses', async () => {
    const { get } = createTestApp({ upstream });
    const merged = (target: string, accept: string) => get(target, { headers: { accept } });
    for (const [target, accept] of [
      ['/jack/media?threads=merged', 'application/atom+xml'],
      ['/jack/media?threads=merged&format=atom', 'text/html'],
    ] as const)
      expect(read('atom', await merged(target, accept)).items).toHaveLength(1);
    for (const accept of ['*/*', 'application/json', 'application/atom+xml;q=0.5, application/json'])
      expectProblem(await merged('/jack/media?threads=merged', accept), 400, 'invalid_parameter');
  });

  test('[negotiation 6] the feed of a profile without readable posts says why', async () => {
    const down: Outcome<never> = { kind: 'down', why: 'ECONNREFUSED' };
    for (const [changes, words] of [
      [{ readProfile: async () => found(user('jack', { protected: true })) }, /limits who can read/],
      [{ listPosts: async () => down }, /its posts could not/],
    ] as const) {
      const { get } = createTestApp({ upstream: { ...upstream, ...changes } });
      const answer = await get('/jack', { headers: { accept: TYPES.rss } });
      expect(read('rss', answer).items).toEqual([]);
      expect(/<description>(.*)<\/description>/.exec(answer.body)?.[1]).toMatch(words);
    }
  });

  test.each(NITTER)('[lists 9] GET %s returns the feed of %s', async (target, list) => {
    const { get } = createTestApp({ upstream });
    const feed = read('rss', await get(target, BROWSER));
    expect(feed.self).toBe(`${BASE_URL}${target}`);
    expect({ ...read('rss', await get(list)), self: feed.self }).toEqual(feed);
    // Nitter knows no parameter `format` here.
    expect(read('rss', await get(withQuery(target, 'format=json')))).toEqual(feed);
  });

  test('[lists 9] GET of a feed without posts returns a valid feed without items', async () => {
    const { get } = createTestApp({ upstream: { listPosts: async () => found(page([])) } });
    for (const format of FEED_FORMATS)
      for (const target of ['/api/v1/profiles/jack/posts', '/search?q=fjord'])
        expect(read(format, await get(withQuery(target, `format=${format}`))).items).toEqual([]);
  });

  test('[lists 9] the id of a post is the same whatever the spelling of the handle in the path', async () => {
    const { get } = createTestApp({ upstream });
    const [lower, upper] = [await get('/jack/rss'), await get('/JACK/rss')].map((answer) => read('rss', answer));
    expect(upper?.items).toEqual(lower?.items);
    expect(upper).toMatchObject({ title: lower?.title, home: lower?.home });
  });

  test('[lists 9] [negotiation 6] the next pages of a feed hold every post once, in the same format', async () => {
    for (const target of [
      '/jack/rss?limit=20',
      '/search/rss?q=fjord&limit=20',
      '/api/v1/profiles/jack/posts?format=atom&limit=20',
      '/jack?limit=20',
    ]) {
      const { get } = createTestApp({ upstream: upstreamWithLists(45) });
      const format = target.includes('atom') ? 'atom' : 'rss';
      const ids: (string | undefined)[] = [];
      for (let next: string | undefined = target; next !== undefined; ) {
        const isFirst = next === target;
        const feed = read(format, await get(next, isFirst ? { headers: { accept: TYPES[format] } } : undefined));
        ids.push(...feed.items.map(({ id }) => id));
        next = feed.next?.slice(BASE_URL.length);
      }
      expect(ids).toHaveLength(45);
      expect(new Set(ids).size).toBe(45);
    }
  });
});

describe('headers of feeds', () => {
  test.each(FEED_FORMATS)('[lists 9] a feed as %s is cached for 5 minutes and inert in a browser', async (format) => {
    const { headers } = await createTestApp({ upstream }).get(`/jack/media?format=${format}`, BROWSER);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=300, s-maxage=300, stale-while-revalidate=300, stale-if-error=86400',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test('[lists 9] shared caches keep a feed no longer than CACHE_TTL_SECONDS', async () => {
    const cacheFor = async (cacheTtlSeconds: number) =>
      (await createTestApp({ upstream, settings: { cacheTtlSeconds } }).get('/jack/rss')).headers['cache-control'];
    expect(await cacheFor(60)).toContain('max-age=60, s-maxage=60,');
    expect(await cacheFor(3600)).toContain('max-age=300, s-maxage=300,');
    expect(await cacheFor(0)).toBe('public, max-age=0, s-maxage=0');
  });

  test('[lists 9] GET of an unchanged feed returns 304 at another time and with another cursor', async () => {
    let now = Date.parse('2026-11-21T12:00:00Z');
    const app = (count: string) =>
      createTestApp({
        now: () => now,
        upstream: { listPosts: async () => ({ ...found(page([all], count)), fetchedAt: now }) },
      });
    for (const target of [
      '/jack/rss?limit=1',
      '/jack/media?format=atom&limit=1',
      '/search?q=fjord&format=jsonfeed&limit=1',
    ]) {
      const first = await app('one').get(target);
      now += 900_000;
      const headers = { 'if-none-match': first.headers['etag'] ?? '' };
      const second = await app('two').get(target, { headers });
      expect(second).toMatchObject({ status: 304, body: '' });
      expect(second.headers).not.toHaveProperty('content-type');
      const { get } = createTestApp({ upstream: { listPosts: async () => found(page([{ ...all, text: 'edited' }])) } });
      expect((await get(target, { headers })).status).toBe(200);
    }
  });

  test('[lists 9] the pages of lists of posts name their feeds', async () => {
    const { get } = createTestApp({ upstream });
    const linksOf = async (target: string): Promise<readonly string[]> => {
      const { body } = await get(target, BROWSER);
      return [
        ...body.matchAll(/<link rel="alternate" type="application\/(?:rss\+xml|atom\+xml|feed\+json)" href="([^"]+)"/g),
      ].map(([, href = '']) => href.replaceAll('&amp;', '&').replace(BASE_URL, ''));
    };
    const inAll = (list: string) => FEED_FORMATS.map((format) => withQuery(list, `format=${format}`));
    expect(await linksOf('/jack')).toEqual(inAll('/api/v1/profiles/jack/posts'));
    expect(await linksOf('/jack/with_replies?limit=3')).toEqual(inAll('/jack/with_replies'));
    expect(await linksOf('/search?q=fjord&feed=top&limit=3')).toEqual(inAll('/search?q=fjord&feed=top'));
    for (const target of ['/search?q=fjord&feed=users', '/jack/followers', '/jack/status/20'])
      expect(await linksOf(target)).toEqual([]);
    for (const target of await linksOf('/jack')) expect((await get(target)).status).toBe(200);
  });

  test('[lists 9] the page of a protected profile names no feed', async () => {
    const { get } = createTestApp({ upstream: { readProfile: async () => found(user('jack', { protected: true })) } });
    expect((await get('/jack', BROWSER)).body).not.toContain('application/rss+xml');
  });
});

describe('errors of feeds', () => {
  test.each([
    ['/search?q=fjord&feed=users&format=rss', 'invalid_format'],
    ['/search/rss?q=fjord&feed=users', 'invalid_format'],
    ['/search/rss', 'missing_query'],
    ['/jack/followers?format=rss', 'invalid_format'],
    ['/jack/status/20?format=jsonfeed', 'invalid_format'],
    ['/jack/rss?limit=0', 'invalid_parameter'],
    ['/jack/rss?cursor=AAAA', 'invalid_cursor'],
    ['/search?q=fjord&format=RSS', 'invalid_format'],
  ])('[lists 9] GET %s returns 400 %s', async (target, code) => {
    const answer = await createTestApp().get(target);
    expect({ status: answer.status, body: answer.json() }).toMatchObject({ status: 400, body: { code } });
  });

  test.each([
    ['/jack/followers?format=rss', '/jack/rss'],
    ['/jack/following?format=atom', '/api/v1/profiles/jack/posts?format=atom'],
    ['/api/v1/profiles/jack/followers?format=rss', '/jack/rss'],
    ['/jack/status/20?format=rss', '/jack/rss'],
    ['/jack/status/20/replies?format=rss', '/jack/rss'],
    ['/api/v1/posts?url=https://x.com/jack/status/20&format=rss', '/jack/rss'],
    ['/api/convert?url=https://x.com/jack/status/20&format=rss', '/jack/rss'],
    ['/api/browse?resource=followers&handle=jack&format=rss', '/jack/rss'],
    ['/i/status/20?format=rss', '/{handle}/rss'],
    ['/api/v1/posts/20/replies?format=atom', '/api/v1/profiles/{handle}/posts?format=atom'],
    ['/api/v1/posts/lookup?ids=20&format=rss', '/{handle}/rss'],
    ['/search?q=fjord&feed=users&format=rss', '/search/rss?q='],
    ['/search?q=fjord&feed=users&format=atom', '/search?q=&format=atom'],
    ['/api/browse?resource=search&q=fjord&feed=users&handle=a-b&format=rss', '/search/rss?q='],
  ])('[inputs 8] GET %s returns 400 invalid_format and names the feed %s', async (target, feed) => {
    const { get } = createTestApp();
    const document = expectProblem(await get(target), 400, 'invalid_format');
    expect(document['detail']).toMatch(/^format must be one of markdown, json/);
    expect(String(document['detail']).split('; the feed is at ')[1]).toBe(`${feed}.`);
    if (!/[{?]/.test(feed)) expect((await get(feed)).headers['content-type']).toBe(TYPES.rss);
  });

  test('[inputs 8] oEmbed returns 501 for a feed format and names the feed of the author', async () => {
    const answer = await createTestApp().get('/oembed?url=https://x.com/jack/status/20&format=rss');
    expect(expectProblem(answer, 501, 'format_not_implemented')['detail']).toMatch(/; the feed is at \/jack\/rss\.$/);
  });

  test('[inputs 8] the page for people links the feed of the account', async () => {
    const { get } = createTestApp();
    for (const target of ['/jack/status/20?format=atom', '/jack/followers?format=rss'])
      expect((await get(target, BROWSER)).body).toContain('<a href="/jack/rss">Feed of @jack</a>');
  });

  test.each<[Exclude<Outcome<never>, { kind: 'found' }>, number, string]>([
    [{ kind: 'gone', reason: 'suspended' }, 404, 'profile_not_found'],
    [{ kind: 'gone', reason: 'protected' }, 403, 'profile_protected'],
    [{ kind: 'down', why: 'ECONNREFUSED' }, 503, 'upstream_unavailable'],
  ])(
    '[lists 9] GET of a feed whose provider answers %o returns %i %s as a problem document',
    async (outcome, status, code) => {
      const { get } = createTestApp({
        upstream: { readProfile: async () => outcome, listPosts: async () => outcome, listUsers: async () => outcome },
      });
      for (const target of ['/jack/rss', '/jack/media?format=atom']) {
        const answer = await get(target, BROWSER);
        expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/problem+json' } });
        expect(answer.json()).toMatchObject({ code });
      }
    },
  );
});
