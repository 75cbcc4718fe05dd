// What is true of the pages whatever browser shows them.
import { describe, expect, test } from 'vitest';
import { documentRows } from '../../../shared/contract/documents.ts';
import { BASE_URL, createTestApp } from '../../support/test-app.ts';

const FRONT_PAGE_POLICY =
  "default-src 'none'; img-src 'self' https://pbs.twimg.com https://video.twimg.com https://abs.twimg.com; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const DOCUMENTATION_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGES = documentRows.flatMap(([, { kind, path }]) => (kind === 'page' ? [path] : []));
const CHAPTERS = PAGES.filter((path) => path !== '/');

const { get } = createTestApp();

const html = async (path: string): Promise<string> => (await get(path, { headers: { accept: 'text/html' } })).body;

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

/** Of links, pictures, styles, scripts and forms: those of this service, without its address. */
const ownAddresses = (page: string): readonly string[] =>
  matches(page, /\s(?:href|src|action)="([^"]*)"/g)
    .map((address) => address.replace(BASE_URL, '').replaceAll('&amp;', '&'))
    .filter((address) => !/^https?:/.test(address));

const idsOf = (page: string): readonly string[] => matches(page, /\sid="([^"]*)"/g);

describe('the front page', () => {
  test('may run our script, and show our style and pictures of X', async () => {
    const { headers } = await get('/', { headers: { accept: 'text/html' } });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': FRONT_PAGE_POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test('is small: under 50 KB with its style and its script', async () => {
    const parts = await Promise.all([html('/'), html('/assets/style.css'), html('/assets/home.js')]);
    expect(Buffer.byteLength(parts.join(''))).toBeLessThan(50_000);
    expect(Buffer.byteLength(await html('/assets/icon.svg'))).toBeLessThan(1_000);
  });

  test('has nothing in it that its policy would refuse, and takes nothing from elsewhere', async () => {
    const page = await html('/');
    expect(matches(page, /(<script[^>]*>)/g)).toEqual(['<script type="module" src="/assets/home.js">']);
    expect(page).not.toMatch(/<style|<base|\sstyle=|\son[a-z]+=|javascript:|http-equiv/i);
    const loaded = [
      ...matches(page, /\ssrc="([^"]*)"/g),
      ...matches(page, /rel="(?:icon|stylesheet)"[^>]*href="([^"]*)"/g),
    ];
    expect(loaded.filter((address) => !address.startsWith('/assets/'))).toEqual([]);
    const script = await html('/assets/home.js');
    expect(script).not.toMatch(/\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
    expect(await html('/assets/style.css')).not.toMatch(/@import|url\(|expression\(/);
  });

  test('puts what a post says into a frame in which nothing runs', async () => {
    expect(matches(await html('/'), /(<iframe[^>]*>)/g)).toEqual([
      '<iframe title="The post, rendered" sandbox="allow-popups allow-popups-to-escape-sandbox" data-part="frame">',
    ]);
  });

  test('works without script: the form asks for a post as Markdown or JSON', async () => {
    const page = await html('/');
    expect(page).toContain('<form action="/api/v1/posts" method="get"');
    expect(matches(page, /<button[^>]*name="format" value="([^"]*)"/g)).toEqual(['markdown', 'json']);
    expect((await get('/api/v1/posts?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20&format=markdown')).status).toBe(200);
  });

  test('tells programs where the rest is', async () => {
    const page = await html('/');
    for (const [rel, path] of [
      ['canonical', '/'],
      ['alternate" type="text/markdown', '/'],
      ['api-catalog" type="application/linkset+json', '/.well-known/api-catalog'],
      ['ard" type="application/json', '/.well-known/ard.json'],
      ['service-desc" type="application/json', '/openapi.json'],
    ])
      expect(page).toContain(`<link rel="${rel}" href="${BASE_URL}${path}">`);
    for (const property of [
      'type" content="website',
      'title" content="',
      'description" content="',
      `url" content="${BASE_URL}/`,
    ])
      expect(page).toContain(`<meta property="og:${property}`);
  });

  test('says how MCP clients are configured', async () => {
    const configuration = /<code id="mcp">(.*?)<\/code>/s.exec(await html('/'))?.[1] ?? '';
    expect(JSON.parse(configuration)).toEqual({ mcpServers: { postern: { type: 'http', url: `${BASE_URL}/mcp` } } });
  });
});

describe.each(CHAPTERS)('%s', (path) => {
  test('runs nothing, and shows nothing but our style and icon', async () => {
    const { body, headers } = await get(path, { headers: { accept: 'text/html' } });
    expect(headers['content-security-policy']).toBe(DOCUMENTATION_POLICY);
    expect(body).not.toMatch(/<script|<style|<iframe|<form|\sstyle=|\son[a-z]+=|javascript:/i);
  });

  test('has a title, a description, and its place among the pages', async () => {
    const page = await html(path);
    expect(page).toMatch(/<title>[^<]+ · Postern<\/title>/);
    expect(page).toMatch(/<meta name="description" content="[^"]{20,200}">/);
    expect(matches(page, /<li><a href="([^"]*)" aria-current="page">/g)).toEqual([path]);
    const place = CHAPTERS.indexOf(path);
    expect(matches(page, /<a rel="(?:prev|next)" href="([^"]*)">/g)).toEqual(
      [CHAPTERS[place - 1], CHAPTERS[place + 1]].filter((neighbour) => neighbour !== undefined),
    );
    expect(page).toContain(`curl -H 'Accept: text/markdown' ${BASE_URL}${path}<`);
  });

  test('can be linked to at every heading, which has an id of its own', async () => {
    const page = await html(path);
    const headings = matches(page, /<h[2-6] id="([^"]*)">/g);
    expect(matches(page, /<a class="anchor" href="#([^"]*)"/g)).toEqual(headings);
    expect(new Set(idsOf(page)).size).toBe(idsOf(page).length);
  });
});

test.each(PAGES)('every link of %s leads somewhere', async (path) => {
  const page = await html(path);
  for (const address of new Set(ownAddresses(page))) {
    const [target = '', id] = address.split('#');
    if (target === '/api/v1/posts') continue;
    const answer = target === '' ? undefined : await get(target, { headers: { accept: 'text/html' } });
    expect([address, answer?.status ?? 200]).toEqual([address, 200]);
    if (id !== undefined) expect([address, idsOf(answer?.body ?? page).includes(id)]).toEqual([address, true]);
  }
});
