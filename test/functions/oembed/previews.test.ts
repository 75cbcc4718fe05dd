// Checks that chat programs and publishing tools can find the embed of a page by themselves.
import LinkHeader from 'http-link-header';
import { expect, test } from 'vitest';
import { expectOembed } from '../../support/oembed.ts';
import { BASE_URL, createTestApp } from '../../support/test-app.ts';

const DISCOVERY = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)" title="([^"]*)">/g;

test('GET of a permalink with the Accept of a browser returns HTML with link preview elements', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const answer = await createTestApp().get('/jack/status/20', { headers: { accept } });
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.body).toContain('<meta property="og:title" content="jack: just setting up my twttr">');
  expect(answer.body).toContain('<meta property="og:description" content="just setting up my twttr">');
});

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

test('[oembed 1] HEAD and 304 of the permalink of a post have the same Link as GET', async () => {
  const { get } = createTestApp();
  const { headers } = await get('/jack/status/20');
  expect((await get('/jack/status/20', { method: 'HEAD' })).headers['link']).toBe(headers['link']);
  const unchanged = await get('/jack/status/20', { headers: { 'if-none-match': headers['etag'] ?? '' } });
  expect([unchanged.status, unchanged.headers['link']]).toEqual([304, headers['link']]);
});

test.each(['/jack', '/jack/followers', '/search?q=a', '/api/v1/posts?handle=jack&id=20', '/api/v1/search?q=a'])(
  'GET %s names no embed and no other formats in Link',
  async (path) => {
    expect(String((await createTestApp().get(path)).headers['link'] ?? '')).not.toContain('alternate');
  },
);
