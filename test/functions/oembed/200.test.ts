import LinkHeader from 'http-link-header';
import { expect, test } from 'vitest';
import { PLACES } from '../../../shared/model/text-places.ts';
import { comparableAnswer } from '../../support/browse-routes.ts';
import { expectOembed } from '../../support/oembed.ts';
import { BASE_URL, conversation, createTestApp, found, post, postUpstreamReturning } from '../../support/test-app.ts';

const QUERY = 'url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20';
const ROUTES = [`/api/v1/oembed?${QUERY}`, `/oembed?${QUERY}`];

test.each(ROUTES)('[oembed 1] GET %s returns the oEmbed 1.0 members of type rich', async (route) => {
  const answer = await createTestApp().get(route);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json');
  // test/golden/embeds has whole embeds.
  expect(expectOembed(answer.json())).toMatchObject({
    version: '1.0',
    type: 'rich',
    html: expect.stringContaining('<p lang="" dir="auto">just setting up my twttr</p>'),
    width: 550,
    author_url: 'https://x.com/jack',
    provider_url: 'https://api.example.test/',
    cache_age: 300,
  });
});

test('[oembed 1] both oEmbed paths return the same bytes, with or without format=json', async () => {
  const { get } = createTestApp();
  const [first, ...others] = await Promise.all(
    [
      ...ROUTES,
      ...ROUTES.map((route) => `${route}&format=json`),
      ...ROUTES.map((route) => `${route}&theme=dark&dnt=1`),
    ].map((route) => get(route)),
  );
  for (const other of others) {
    expect(other.body).toBe(first?.body);
    expect(other.headers['etag']).toBe(first?.headers['etag']);
  }
});

test('[oembed 1] maxwidth and maxheight bound the embed', async () => {
  const { get } = createTestApp({
    upstream: postUpstreamReturning(found({ ...conversation('20'), post: post('20', 'jack', 'words '.repeat(500)) })),
  });
  for (const route of ROUTES)
    for (const [maxwidth, maxheight] of [
      [1, 1],
      [220, 200],
      [400, 999],
      [4000, 123456789012345],
    ] as const) {
      const body = expectOembed((await get(`${route}&maxwidth=${maxwidth}&maxheight=${maxheight}`)).json());
      expect(body.width).toBe(Math.min(550, maxwidth));
      expect(body.height).toBeLessThanOrEqual(maxheight);
    }
});

test('[oembed 1] the embed is JSON whatever Accept says, and Vary names only Accept-Encoding', async () => {
  const { get } = createTestApp();
  for (const route of ROUTES) {
    const plain = await get(route);
    expect(plain.headers['vary']).toBe('Accept-Encoding');
    for (const accept of ['text/html', 'application/xml', 'text/html;q=0', 'nonsense'])
      expect(comparableAnswer(await get(route, { headers: { accept } }))).toEqual(comparableAnswer(plain));
  }
});

test('[oembed 3] the embed escapes the text of the post', async () => {
  const { get } = createTestApp({
    upstream: postUpstreamReturning(
      found({
        ...conversation('20'),
        post: { ...post('20', 'jack', '<script src="https://evil.example/">\u2028"</script>'), [PLACES]: [] },
      }),
    ),
  });
  const { html } = expectOembed((await get(ROUTES[0] ?? '')).json());
  expect(html).toContain('&lt;script src=&quot;https://evil.example/&quot;&gt;<br/>&quot;&lt;/script&gt;');
  expect(html).not.toMatch(/<script|\son[a-z]+=|javascript:|style=/i);
});

test('oEmbed requests only the post from the provider, without the conversation', async () => {
  const requests: unknown[] = [];
  const { get } = createTestApp({
    upstream: {
      readPost: async (request) => {
        requests.push(request);
        return found(conversation(request.id));
      },
    },
  });
  await get(ROUTES[0] ?? '');
  expect(requests).toEqual([{ id: '20', handle: 'jack', thread: 'off', replies: 'off' }]);
});

test('[caching 13] an embed of an incomplete post is cached shortly', async () => {
  const upstream = postUpstreamReturning(found(conversation('20'), [{ code: 'text_incomplete', message: 'Cut.' }]));
  const { headers } = await createTestApp({ upstream }).get(ROUTES[0] ?? '');
  expect(headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
});

// Chat programs and publishing tools find the embed of a page by themselves.
const DISCOVERY = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)" title="([^"]*)">/g;

test('[oembed 1] the HTML page of a post has one oEmbed link, and its URL returns the embed', async () => {
  const { get } = createTestApp();
  for (const path of ['/jack/status/20', '/jack/status/20/photo/1', '/i/status/20?thread=off']) {
    const page = await get(path, { headers: { accept: 'text/html' } });
    const [link, ...more] = [...page.body.matchAll(DISCOVERY)];
    expect(more).toEqual([]);
    const href = link?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(href).toBe(
      'https://api.example.test/api/v1/oembed?url=https%3A%2F%2Fapi.example.test%2Fjack%2Fstatus%2F20&format=json',
    );
    const answer = await get(href.slice(BASE_URL.length));
    expect(expectOembed(answer.json()).title).toBe('jack (@jack) on X');
  }
});

test('[oembed 1] HTML pages of other resources have no oEmbed link', async () => {
  const { get } = createTestApp();
  for (const path of ['/jack', '/jack/followers', '/search?q=a', '/'])
    expect((await get(path, { headers: { accept: 'text/html' } })).body).not.toContain('oembed"');
});

/** Parses Link (RFC 8288) by another implementation. */
const linksOf = (field: unknown): readonly LinkHeader.Reference[] => LinkHeader.parse(String(field)).refs;

const EMBED = {
  uri: 'https://api.example.test/api/v1/oembed?url=https%3A%2F%2Fapi.example.test%2Fjack%2Fstatus%2F20&format=json',
  rel: 'alternate',
  type: 'application/json+oembed',
};

test.each([
  ['Markdown', 'text/markdown', ['application/json', 'text/html']],
  ['JSON', 'application/json', ['text/markdown', 'text/html']],
  ['HTML', 'text/html', ['text/markdown', 'application/json']],
])(
  '[oembed 1] GET of the permalink of a post as %s names its embed and the other formats in Link',
  async (_, accept, others) => {
    const { get } = createTestApp();
    for (const path of ['/jack/status/20', '/jack/status/20/photo/1', '/jack/status/20?thread=off', '/i/status/20']) {
      const answer = await get(path, { headers: { accept } });
      expect(answer.status).toBe(200);
      const links = linksOf(answer.headers['link']);
      expect(links.filter(({ type }) => type === EMBED.type)).toEqual([EMBED]);
      expect(links.map(({ type }) => type)).toEqual([...others, EMBED.type]);
      for (const { uri, rel, type } of links) {
        expect(rel).toBe('alternate');
        expect(uri).toMatch(/^https:\/\/api\.example\.test\/[!-~]+$/);
        const linked = await get(uri.slice(BASE_URL.length), {
          headers: { accept: type === 'text/html' ? type : '*/*' },
        });
        expect(linked.headers['content-type']).toContain(type === EMBED.type ? 'application/json' : type);
      }
    }
  },
);

test.each(['/jack', '/jack/followers', '/search?q=a', '/api/v1/posts?handle=jack&id=20', '/api/v1/search?q=a'])(
  'GET %s names no embed and no other formats in Link',
  async (path) => {
    expect(String((await createTestApp().get(path)).headers['link'] ?? '')).not.toContain('alternate');
  },
);
