// Tests addresses without a route: redirects of a trailing slash and of hashtags, and the 404 of other addresses of X.
import { describe, expect, test } from 'vitest';
import { documentRows } from '../../../shared/contract/documents.ts';
import { UNROUTABLE_PREFIX } from '../../../shared/contract/headers.ts';
import { permalinkPaths } from '../../../shared/contract/operations.ts';
import { xPagePaths, xPages } from '../../../shared/contract/x-pages.ts';
import { isPageOfX } from '../../../shared/model/x-urls.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

const { get } = createTestApp({ upstream: upstreamNotCalled });

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } };

const VALUES: Readonly<Record<string, string>> = { '{handle}': 'Jack', '{id}': '20', '{lang}': 'de' };

const filled = (path: string): string => path.replaceAll(/\{[a-z]+\}/g, (name) => VALUES[name] ?? '1');

const permalinks = permalinkPaths.map(filled);
const pages = documentRows.flatMap(([, { kind, path }]) => (kind === 'page' && path !== '/' ? [path] : []));

describe('a trailing slash', () => {
  test.each([...permalinks, ...pages])('[inputs 7] %s/ returns 308 to the path without it', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await get(`${path}/`, { ...BROWSER, method });
      expect([status, headers['location'], body]).toEqual([308, path, method === 'HEAD' ? '' : `${path}\n`]);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=3600, s-maxage=3600',
        vary: 'Accept-Encoding',
      });
    }
  });

  test('[inputs 7] the query stays as it was sent', async () => {
    for (const query of ['?q=a%20b+c&feed=top&q=2', '?x=%0d%0a//evil.example', '?'])
      expect((await get(`/search/${query}`)).headers['location']).toBe(`/search${query === '?' ? '' : query}`);
    expect((await get('/search/?q=潮')).headers['location']).toBe('/search?q=%E6%BD%AE');
  });

  // biome-ignore format: side by side they fit on a screen
  const NO_PERMALINKS = [
    '//', '///', '//evil.example/', '//evil.example//', '//jack/status/20/', '/\\evil.example/', '/%2Fevil.example/',
    '/%5Cevil.example/', '/evil.example/', '/https://evil.example/', '/jack//', '/jack/status//', '/jack/./',
    '/jack/../', '/\\evil.example/status/20/', '/%2fevil.example/status/20/', '/a%0d%0ab/status/20/', '/jack/likes/',
    '/docs/status/20/', '/docs/nothing/', '/Docs/', '/api/', '/api/v1/posts/', '/api/v1/profiles/jack/',
    '/api/convert/', '/oembed/', '/openapi.json/', '/llms.txt/', '/assets/style.css/', '/.well-known/api-catalog/',
  ];

  test.each(NO_PERMALINKS)('[inputs 7] %s returns 404', async (target) => {
    const answer = await get(target);
    expectProblem(answer, 404, 'route_not_found');
    expect(answer.headers).not.toHaveProperty('location');
  });

  test('[inputs 7] [methods 3] other methods return 405 with Allow, and OPTIONS the preflight', async () => {
    const answer = await get('/jack/', { method: 'POST' });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await get('/jack/', { method: 'OPTIONS' })).status).toBe(204);
  });
});

describe('an address of X that has a read at another path', () => {
  test.each([
    ['/hashtag/tide', '/search?q=%23tide&feed=top'],
    ['/hashtag/tide/', '/search?q=%23tide&feed=top'],
    ['/hashtag/tide?src=hash&f=live', '/search?q=%23tide&feed=latest'],
    ['/hashtag/fj%C3%B8rd', '/search?q=%23fj%C3%B8rd&feed=top'],
    // Lists below a profile have the same last segments.
    ...['media', 'rss', 'followers', 'following', 'articles', 'with_replies'].map((tag) => [
      `/hashtag/${tag}`,
      `/search?q=%23${tag}&feed=top`,
    ]),
    ['/jack/status/20/retweets/with_comments', '/jack/status/20/quotes'],
    ['/jack/search?q=low+tide', '/search?q=from%3Ajack%20low%20tide'],
    ['/@jack/search/?f=tweets&q=tide', '/search?q=from%3Ajack%20tide&feed=latest'],
    ['/jack/search?q=tide+OR+ebb', '/search?q=from%3Ajack%20%28tide%20OR%20ebb%29'],
    ['/@explore/search?q=tide', '/search?q=from%3Aexplore%20tide'],
    // Words that another box would read as a link or as accounts.
    ['/jack/search?q=x.com/bo/status/20', '/search?q=from%3Ajack%20x.com%2Fbo%2Fstatus%2F20'],
    ['/jack/search?q=%40bo,%40ada', '/search?q=from%3Ajack%20%40bo%2C%40ada'],
    ['/jack/search?q=%22%3Cb%3E%26%23', '/search?q=from%3Ajack%20%22%3Cb%3E%26%23'],
    ['/jack/search/rss?q=low+tide', '/search/rss?q=from%3Ajack%20low%20tide'],
    ['/jack/search/rss/', '/search/rss?q=from%3Ajack'],
    ['/jack/search/rss?f=media&q=tide', '/search/rss?q=from%3Ajack%20tide&feed=media'],
    ['/intent/follow?screen_name=jack', '/jack'],
    ['/intent/user?user_id=12', '/i/user/12'],
    ['/intent/like?tweet_id=20', '/i/status/20'],
    ['/intent/post?in_reply_to=20', '/i/status/20'],
  ])('[inputs 6] GET %s returns 303 to %s', async (target, location) => {
    const answer = await get(target, BROWSER);
    expect([answer.status, answer.headers['location']]).toEqual([303, location]);
  });

  test('[inputs 6] /hashtag alone is the profile of the handle, and stays reachable below /api/v1', async () => {
    const app = createTestApp();
    for (const target of ['/hashtag', '/hashtag/status/20', '/api/v1/profiles/hashtag/posts?kind=media'])
      expect((await app.get(target)).status).toBe(200);
    for (const target of ['/hashtag/a/b', '/hashtag//', '/intent/tweet?text=tide', '/explore/search?q=tide'])
      expect([target, (await get(target)).status]).toEqual([target, 404]);
  });
});

describe('a link after the first slash', () => {
  /** A path that the edge function does not route. */
  const atEdge = (path: string): string => UNROUTABLE_PREFIX + path.replaceAll('%', '%25');
  const links = [
    ['x.com/jack/status/20', '/jack/status/20'],
    ['x.com/jack/status/20?s=46', '/jack/status/20'],
    ['mobile.twitter.com/jack/statuses/20/photo/1', '/jack/status/20'],
    ['nitter.net/jack/status/20/', '/jack/status/20'],
    ['x.com/@jack', '/jack'],
    ['x.com/search?q=tide+table&src=typed_query&f=live', '/search?q=tide%20table&feed=latest'],
    ['nitter.net/Jack,ada/rss', '/ada,jack'],
  ] as const;
  const spellings = links.flatMap(([link, location]) => [
    ...['', 'https://', 'HTTP://', 'https:/'].map((scheme) => [`/${scheme}${link}`, location] as const),
    [atEdge(`/${encodeURIComponent(`https://${link}`)}`), location] as const,
  ]);

  test.each(spellings)('[inputs 9] GET %s returns 308 to %s', async (target, location) => {
    const answer = await get(target, BROWSER);
    expect([answer.status, answer.headers['location'], answer.body]).toEqual([308, location, `${location}\n`]);
  });

  test.each([
    ...['evil.example', 'x.com.evil.example', 'x.com:8080', 'jack:secret@x.com', 'evil.example%2Fx.com'].map(
      (host) => `/https://${host}/jack/status/20`,
    ),
    '/https://evil.example/https://x.com/jack/status/20',
    '/https://x.com\\@evil.example/jack/status/20',
    '/ftp://x.com/jack/status/20',
    '/https://x.com/i/spaces/1',
    '/https://x.com/jack/status/0',
    atEdge('/https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20%ff'),
    atEdge('/https%3A%2F%2Fevil.example%2Fjack%2Fstatus%2F20'),
  ])('[inputs 9] GET %s returns 404', async (target) => {
    const answer = await get(target);
    expectProblem(answer, 404, 'route_not_found');
    expect(answer.headers).not.toHaveProperty('location');
  });
});

describe('another address of X', () => {
  test.each(xPages.flatMap(({ paths, instead }) => paths.split(' ').map((path) => [path, instead] as const)))(
    '[inputs 6] %s returns 404 and says what it is on X',
    async (template, instead) => {
      const path = filled(template.replace(/\/\*$/, '/1'));
      const document = expectProblem(await get(path), 404, 'route_not_found');
      expect(document['detail']).toMatch(/^On X, this address leads to .*\. .*\.$/);
      const target = instead && filled(instead);
      expect(document['resolution']).toContain(target ?? '/docs');
      const page = await get(path, BROWSER);
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.body).toContain('<h1>This page of X is not here.</h1>');
      if (target !== undefined) expect(page.body).toContain(`<a href="${target}">`);
      const markdown = (await get(path, { headers: { accept: 'text/markdown' } })).body;
      expect(markdown).toContain(`${document['detail']}\n\n${document['resolution']}`);
      if (target !== undefined) expect((await createTestApp().get(target, BROWSER)).status).toBe(200);
    },
  );

  test.each(xPagePaths)('[inputs 6] %s alone does too, without a provider call', async (path) => {
    expect(isPageOfX(path.slice(1))).toBe(true);
    const document = expectProblem(await get(path), 404, 'route_not_found');
    expect(document['detail']).toMatch(/^On X, this address leads to /);
    expect((await createTestApp().get(`${path}/status/20`)).status).toBe(/home|login|about/.test(path) ? 404 : 200);
  });

  test('[inputs 6] the resolution names where an account of the same name is read', async () => {
    const { resolution } = (await get('/explore')).json();
    expect(resolution).toMatch(/ An account of this name is at https:\/\/api\.example\.test\/@explore\.$/);
    const { status, body } = await createTestApp().get('/@explore', BROWSER);
    expect(status).toBe(200);
    expect(body).toContain('href="/@explore"');
    expect(body).not.toContain('href="/explore');
    for (const path of ['/home', '/i', '/i/grok', '/jack/likes'])
      expect((await get(path)).json()['resolution']).not.toContain('An account');
  });

  test('[inputs 6] the resolution of a page without a subject names a search that programs can send', async () => {
    const { resolution } = (await get('/i/trends')).json();
    expect(resolution).toBe('Search with https://api.example.test/search?q=WORDS.');
    expect((await createTestApp().get('/search?q=WORDS')).status).toBe(200);
  });

  test.each(['/docs/likes', '/ja-ck/likes', '/jack/status/x/likes', '/jack/nothing', '/no/where', '/api/likes'])(
    '[inputs 6] %s is no address of X and gets the general 404',
    async (path) => {
      const document = expectProblem(await get(path), 404, 'route_not_found');
      expect(document['detail']).toBe('No such route.');
      expect(document['resolution']).toContain('/api');
    },
  );

  test('[inputs 6] the box says the same about the link', async () => {
    const link = (text: string) => `/?q=${encodeURIComponent(text)}`;
    const document = expectProblem(await get(link('https://x.com/i/bookmarks')), 400, 'invalid_path');
    expect(document['detail']).toBe((await get('/i/bookmarks')).json()['detail']);
    expect((await get(link('see https://x.com/i/lists/12/members'), BROWSER)).body).toContain(
      'leads to the accounts of a list.',
    );
  });
});
