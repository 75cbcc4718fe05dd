// Checks that chat programs and publishing tools can find the embed of a page by themselves.
import { expect, test } from 'vitest';
import { expectOembed } from '../../support/oembed.ts';
import { BASE_URL, createTestApp } from '../../support/test-app.ts';

const DISCOVERY = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)" title="([^"]*)">/g;

test.each([
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
  'text/html, */*',
  'text/html',
])('GET of a permalink with Accept %s returns HTML with link preview elements', async (accept) => {
  const answer = await createTestApp().get('/jack/status/20', { headers: { accept } });
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.body).toContain('<meta property="og:title" content="jack (@jack) on X">');
  expect(answer.body).toContain('<meta property="og:description" content="just setting up my twttr">');
  expect(answer.body).toMatch(DISCOVERY);
});

test.each(['*/*', 'text/markdown', ''])(
  'GET of a permalink with Accept %j returns Markdown, and format overrides Accept',
  async (accept) => {
    const { get } = createTestApp();
    const type = async (target: string, accepted: string) =>
      (await get(target, { headers: { accept: accepted } })).headers['content-type'];
    expect(await type('/jack/status/20', accept)).toBe('text/markdown; charset=utf-8');
    expect(await type('/jack/status/20?format=markdown', 'text/html,*/*;q=0.8')).toBe('text/markdown; charset=utf-8');
    expect(await type('/jack/status/20?format=json', 'text/html,*/*;q=0.8')).toBe('application/json');
  },
);

test('[spec 4.1 #83] the HTML page of a post has one oEmbed link, and its URL returns the embed', async () => {
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
    expect(expectOembed(answer.json()).title).toBe(link?.[2]);
  }
});

test('[spec 4.1 #83] HTML pages of other resources have no oEmbed link', async () => {
  const { get } = createTestApp();
  for (const path of ['/jack', '/jack/followers', '/search?q=a', '/'])
    expect((await get(path, { headers: { accept: 'text/html' } })).body).not.toContain('oembed"');
});
