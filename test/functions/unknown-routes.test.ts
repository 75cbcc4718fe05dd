// Tests which paths are no route: other spellings of routes, reserved segments, and what is no handle.
import { describe, expect, test } from 'vitest';
import { RESERVED } from '../support/browse-routes.ts';
import { expectErrorPage, expectProblem } from '../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../support/test-app.ts';

const { get } = createTestApp({ upstream: upstreamNotCalled });

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

// biome-ignore format: side by side they fit on a screen
const BELOW_API = [
  '/api/v1', '/api/v1/', '/api/v2/posts', '/api/nope', '/api/oembed', '/api/search?q=x', '/api/v2/search?q=x',
  '/api/v1/posts/', '/api/v1/Posts', '/API/v1/posts', '/api/v1/posts/20', '/api/v1/oembed/', '/api/v1/oEmbed',
  '/api/v1/search/', '/api/v1/Search?q=x', '/api/v1/search/posts', '/API/v1/search?q=x',
  '/api/v1/profiles', '/api/v1/profiles/', '/api/v1/profiles/jack/', '/api/v1/profiles//followers',
  '/api/v1/profiles/jack/likes', '/api/v1/profiles/a/b', '/api/v1/profiles/jack/Followers',
  '/api/v1/profiles/jack%2Ffollowers', '/api/v1/Profiles/jack', '/api/v2/profiles/jack', '/API/v1/profiles/jack',
  '/api/browse/', '/api/browsex', '/API/browse', '/api/Browse', '/api/browse/profile', '/api//browse',
];

test.each(BELOW_API)(
  '[problems 5] [lifecycle 17] %s is 404 as a problem document, whatever Accept says',
  async (path) => {
    for (const accept of ['text/html', 'text/markdown', '*/*']) {
      const answer = await get(path, { headers: { accept } });
      const document = expectProblem(answer, 404, 'route_not_found');
      expect(document['resolution']).toMatch(/\/api\b/);
      expect(document['links']).toContainEqual(expect.objectContaining({ href: 'https://api.example.test/api' }));
      for (const name of ['deprecation', 'sunset', 'link', 'x-api-key-status', 'location'])
        expect(answer.headers).not.toHaveProperty(name);
    }
  },
);

// biome-ignore format: side by side they fit on a screen
const SPELLINGS = [
  '/jack/Status/20', '/jack/Status/20/', '/jack/status/20//', '/jack/status', '/jack/status/20/photo/0',
  '/jack/status/20/photo/x', '/jack/status/20/audio/1', '//jack/status/20', '/jack//status/20', '/a/b/c/d',
  '//jack', '//jack/', '/jack/Followers/', '/jack/Followers', '/jack//followers', '/jack%2Ffollowers',
  '/jack/followers/ada', '/Search?q=x', '/SEARCH?q=x', '/@search?q=x', '/search/followers', '/search/x', '//search?q=x',
  // The number of an article is not the id of a post.
  '/i/article/20', '/I/article/20', '/@i/article/20', '/%40i/article/20',
  '/oembed/', '/Oembed', '/oembed/status/20', '/oembed.json', '/api/followers', '/@docs/following', '/%40oembed',
];

test.each(SPELLINGS)('[caching 12] [inputs 5] [urls 17] %s is no spelling of a route', async (path) => {
  expectProblem(await get(path), 404, 'route_not_found');
});

// biome-ignore format: side by side they fit on a screen
const NO_HANDLES = [
  '/no-pe', '/@@jack', '/sixteen_letters_', '/j%C3%A4ck', '/favicon.png', '/jack%0D%0A', '/%zz', '/ja%00ck', '/@',
];

test.each(NO_HANDLES)('[inputs 5] [problems 7] %s is no handle, whatever the query says', async (path) => {
  for (const query of ['', '?format=json', '?limit=0', '?cursor=x'])
    expectProblem(await get(`${path}${query}`), 404, 'route_not_found');
});

test.each(RESERVED)(
  '[inputs 5] [keys 9] below the reserved segment %s is no permalink, with and without @',
  async (segment) => {
    const isRoute = /^(?:api|docs|search|oembed)$/.test(segment);
    for (const at of ['', '@', '%40']) {
      for (const rest of ['', '/followers', '/following', '/status/20']) {
        if (at === '' && rest === '' && isRoute) continue;
        const answer = await get(`/${at}${segment}${rest}`, { headers: { authorization: 'Bearer x' } });
        expectProblem(answer, 404, 'route_not_found');
        expect(answer.headers).not.toHaveProperty('x-api-key-status');
        expect(answer.headers['cache-control']).toBe('public, max-age=60, s-maxage=60');
      }
    }
  },
);

test.each(
  ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
    `/.well-known/${name}`,
    `/.well-known/${name}/mcp`,
  ]),
)('[keys 14] %s is 404, so that no client starts an OAuth sign-in', async (path) => {
  for (const headers of [{}, { authorization: 'Bearer x' }, { accept: 'text/html' }])
    expectProblem(await get(path, { headers }), 404, 'route_not_found');
  expect((await get(path, { method: 'HEAD' })).status).toBe(404);
});

describe('a 404', () => {
  test.each(['/no-pe', '/docs/status/20', '/jack/status/20/photo/0', '/Docs', '/@api/following', '/i/article/20'])(
    '[inputs 5] at %s is HTML, Markdown or a problem document, depending on Accept',
    async (path) => {
      const typeOf = async (accept: string) => (await get(path, { headers: { accept } })).headers['content-type'];
      expectErrorPage(await get(path, { headers: { accept: BROWSER } }), 404, 'route_not_found');
      expect(await typeOf('text/markdown')).toBe('text/markdown; charset=utf-8');
      for (const accept of ['*/*', 'application/json', 'image/png'])
        expect(await typeOf(accept)).toBe('application/problem+json');
    },
  );

  test('[headers 2] has the path as its instance, without the query, percent-encoded and bounded', async () => {
    expect((await get('/nö pe/<x>?secret=1')).json()['instance']).toBe('/n%C3%B6%20pe/%3Cx%3E');
    expect(String((await get(`/${'é'.repeat(3000)}`)).json()['instance']).length).toBeLessThanOrEqual(512);
  });
});
