// Tests on every route that only pages take pictures and videos through the service, and only if the operator chose it.
import { expect, test } from 'vitest';
import { createProxyPath } from '../../shared/auth/picture-signatures.ts';
import { isNegotiated } from '../../shared/contract/operations.ts';
import { trustedHtml } from '../../shared/render/html/html.ts';
import { htmlPage } from '../../shared/render/html/page.ts';
import { chargingUpstream } from '../support/limited-app.ts';
import { ada, photo, video } from '../support/rich-media.ts';
import { routes } from '../support/routes.ts';
import { conversation, createTestApp, found, page, post } from '../support/test-app.ts';

const PAGE = { headers: { accept: 'text/html' } };
const permalinks = routes.filter(({ operation }) => operation.surface === 'permalink' && isNegotiated(operation));

const loadsOf = (page: string): readonly string[] =>
  [...page.matchAll(/ (?:src|srcset|poster)="([^"]*)"/g)].map(([, value = '']) => value);

const policyOf = (policy: string | undefined): readonly (string | undefined)[] =>
  ['img-src', 'media-src'].map((name) => policy?.split('; ').find((part) => part.startsWith(`${name} `)));

const OWN_POLICY = ["img-src 'self'", "media-src 'self'"];

const shown = { ...post('20'), author: ada, media: [photo(), video(), photo({ url: 'https://abs.twimg.com/a.png' })] };

/** Every post and account has pictures. */
const upstream = {
  readPost: async () => found({ ...conversation('20'), post: shown }),
  readProfile: async () => found(ada),
  listPosts: async () => found(page([shown])),
  listUsers: async () => found(page([ada])),
};

const proxyPath = createProxyPath('secret of cursors');

const appWith = (proxiesPictures: boolean) =>
  createTestApp({
    upstream: chargingUpstream(upstream),
    settings: { proxyPath: proxiesPictures ? proxyPath : undefined },
  });

test('[pictures 1] every page loads pictures from its own origin, and says so', async () => {
  const { get } = appWith(true);
  const loads: string[] = [];
  for (const { target } of permalinks) {
    const { status, body, headers } = await get(target, PAGE);
    expect(status, target).toBe(200);
    expect(policyOf(headers['content-security-policy']), target).toEqual(OWN_POLICY);
    loads.push(...loadsOf(body));
    expect(body, target).not.toMatch(/href="https:\/\/(?:pbs|video)\.twimg\.com/);
  }
  expect(loads.length).toBeGreaterThan(20);
  expect(loads.filter((load) => load.includes('://'))).toEqual([]);
});

test.each(['/jack/status/0', '/no-pe', '/search', '/', '/docs'])(
  '[pictures 1] %s allows no picture of another origin',
  async (target) => {
    const { headers } = await appWith(true).get(target, PAGE);
    expect(policyOf(headers['content-security-policy'])[0]).toBe(OWN_POLICY[0]);
  },
);

test('[pictures 1] other forms and link previews are as without the proxy', async () => {
  for (const { target } of permalinks) {
    const [direct, proxied] = await Promise.all([false, true].map((choice) => appWith(choice).get(target, PAGE)));
    const previews = (page = ''): unknown => page.match(/<meta [^>]*>/g);
    expect(previews(proxied?.body)).toEqual(previews(direct?.body));
    for (const accept of ['application/json', 'text/markdown']) {
      const [plain, other] = await Promise.all(
        [false, true].map((choice) => appWith(choice).get(target, { headers: { accept } })),
      );
      expect(other?.body).toBe(plain?.body);
      expect(other?.headers['etag']).toBe(plain?.headers['etag']);
    }
  }
});

test('[pictures 1] the script of the front page takes pictures through the service only if it is told to', async () => {
  const pages = await Promise.all([false, true].map((choice) => appWith(choice).get('/', PAGE)));
  expect(pages.map(({ body }) => body.includes('<body data-pictures="proxied" class="home" '))).toEqual([false, true]);
  expect(new Set(pages.map(({ headers }) => headers['etag'])).size).toBe(2);
});

test.each([
  ['<img src="https://abs.twimg.com/sticky/a.png" alt="">', '<img alt="">'],
  ['<img src="https://pbs.twimg.com/../admin" alt="A">', '<img alt="A">'],
  ['<img src="https://pbs.twimg.com/a.jpg?x=1" alt="A">', '<img alt="A">'],
  ['<video poster="https://pbs.twimg.com/%2e.jpg">', '<video>'],
  ['<img srcset="https://pbs.twimg.com/a?format=jpg&amp;name=small 680w, https://evil.example/a 1200w">', '<img>'],
  [
    '<img srcset="https://pbs.twimg.com/a?format=jpg&amp;name=small 680w, https://pbs.twimg.com/a?name=medium 1200w">',
    '<img srcset="/assets/pbs/SIGNATURE/a?format=jpg&amp;name=small 680w, /assets/pbs/SIGNATURE/a?name=medium 1200w">',
  ],
  ['<a href="https://pbs.twimg.com/a.jpg?x=1">', '<a href="https://pbs.twimg.com/a.jpg?x=1">'],
  ['<a href="https://x.com/jack">', '<a href="https://x.com/jack">'],
  ['<a href="https://video.twimg.com/a.mp4?tag=1">', '<a href="/assets/video/SIGNATURE/a.mp4?tag=1">'],
  ['<p> src=&quot;https://pbs.twimg.com/a.jpg&quot;</p>', '<p> src=&quot;https://pbs.twimg.com/a.jpg&quot;</p>'],
  ['<meta content="https://pbs.twimg.com/a.jpg">', '<meta content="https://pbs.twimg.com/a.jpg">'],
])('[pictures 1] %s becomes %s, without what the proxy would refuse', (given, expected) =>
  expect(
    String(htmlPage({ title: 'A', main: trustedHtml(given), service: { proxyPath } }))
      .replaceAll(/(?<=\/assets\/\w+\/)[\w-]{16}(?=\/)/g, 'SIGNATURE')
      .split(/<main[^>]*>\n|\n<\/main>/)[1],
  ).toBe(expected),
);
