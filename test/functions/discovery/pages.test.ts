// Tests the HTML pages without a browser.
import { describe, expect, test } from 'vitest';
import { documentRows } from '../../../shared/contract/documents.ts';
import { BASE_URL, createTestApp } from '../../support/test-app.ts';

const FRONT_PAGE_POLICY =
  "default-src 'none'; img-src 'self' https://pbs.twimg.com https://video.twimg.com https://abs.twimg.com; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const DOCUMENTATION_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGES = documentRows.flatMap(([, { kind, path }]) => (kind === 'page' ? [path] : []));
const DOCUMENTATION_PAGES = PAGES.filter((path) => path !== '/');

const { get } = createTestApp();

const html = async (path: string): Promise<string> => (await get(path, { headers: { accept: 'text/html' } })).body;

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

/** The URLs of links, pictures, styles, scripts and forms on this service, without the base URL. */
const ownUrls = (page: string): readonly string[] =>
  matches(page, /\s(?:href|src|action)="([^"]*)"/g)
    .map((address) => address.replace(BASE_URL, '').replaceAll('&amp;', '&'))
    .filter((address) => !/^https?:/.test(address));

const idsOf = (page: string): readonly string[] => matches(page, /\sid="([^"]*)"/g);

describe('the front page', () => {
  test('the front page has a policy that allows the own script and style, and pictures of X', async () => {
    const { headers } = await get('/', { headers: { accept: 'text/html' } });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': FRONT_PAGE_POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test('the front page has less than 50 kB with its style and its script', async () => {
    const parts = await Promise.all([html('/'), html('/assets/style.css'), html('/assets/home.js')]);
    expect(Buffer.byteLength(parts.join(''))).toBeLessThan(50_000);
    expect(Buffer.byteLength(await html('/assets/icon.svg'))).toBeLessThan(1_000);
  });

  test('the front page contains nothing that its policy forbids, and loads nothing from other hosts', async () => {
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

  test('the front page shows a post in a frame without scripts', async () => {
    expect(matches(await html('/'), /(<iframe[^>]*>)/g)).toEqual([
      '<iframe title="The post, rendered" sandbox="allow-popups allow-popups-to-escape-sandbox" data-part="frame">',
    ]);
  });

  test('the front page has a form that requests Markdown or JSON without a script', async () => {
    const page = await html('/');
    expect(page).toContain('<form action="/api/v1/posts" method="get"');
    expect(matches(page, /<button[^>]*name="format" value="([^"]*)"/g)).toEqual(['markdown', 'json']);
    expect((await get('/api/v1/posts?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20&format=markdown')).status).toBe(200);
  });

  test('the front page links to the documents for programs', async () => {
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

  test('the front page contains the configuration of MCP clients', async () => {
    const configuration = /<code id="mcp">(.*?)<\/code>/s.exec(await html('/'))?.[1] ?? '';
    expect(JSON.parse(configuration)).toEqual({ mcpServers: { postern: { type: 'http', url: `${BASE_URL}/mcp` } } });
  });
});

describe.each(DOCUMENTATION_PAGES)('%s', (path) => {
  test('a documentation page contains no script, and loads only the own style and icon', async () => {
    const { body, headers } = await get(path, { headers: { accept: 'text/html' } });
    expect(headers['content-security-policy']).toBe(DOCUMENTATION_POLICY);
    expect(body).not.toMatch(/<script|<style|<iframe|<form|\sstyle=|\son[a-z]+=|javascript:/i);
  });

  test('a documentation page has a title, a description, and links to the previous and the next page', async () => {
    const page = await html(path);
    expect(page).toMatch(/<title>[^<]+ · Postern<\/title>/);
    expect(page).toMatch(/<meta name="description" content="[^"]{20,200}">/);
    expect(matches(page, /<li><a href="([^"]*)" aria-current="page">/g)).toEqual([path]);
    const place = DOCUMENTATION_PAGES.indexOf(path);
    expect(matches(page, /<a rel="(?:prev|next)" href="([^"]*)">/g)).toEqual(
      [DOCUMENTATION_PAGES[place - 1], DOCUMENTATION_PAGES[place + 1]].filter((neighbour) => neighbour !== undefined),
    );
    expect(page).toContain(`curl -H 'Accept: text/markdown' ${BASE_URL}${path}<`);
  });

  test('a documentation page has a link and a unique id at every heading', async () => {
    const page = await html(path);
    const headings = matches(page, /<h[2-6] id="([^"]*)">/g);
    expect(matches(page, /<a class="anchor" href="#([^"]*)"/g)).toEqual(headings);
    expect(new Set(idsOf(page)).size).toBe(idsOf(page).length);
  });
});

test.each(PAGES)('every link of %s leads to an existing page and section', async (path) => {
  const page = await html(path);
  for (const address of new Set(ownUrls(page))) {
    const [target = '', id] = address.split('#');
    if (target === '/api/v1/posts') continue;
    const answer = target === '' ? undefined : await get(target, { headers: { accept: 'text/html' } });
    expect([address, answer?.status ?? 200]).toEqual([address, 200]);
    if (id !== undefined) expect([address, idsOf(answer?.body ?? page).includes(id)]).toEqual([address, true]);
  }
});
