// Tests the HTML pages without a browser.
import { describe, expect, test } from 'vitest';
import { adminPageFiles } from '../../../infra/build/page-files.ts';
import { documentRows, documents } from '../../../shared/contract/documents.ts';
import { problems } from '../../../shared/contract/problem-rows.ts';
import { chapters } from '../../../shared/publish/document.ts';
import { BASE_URL, createTestApp } from '../../support/test-app.ts';

const FRONT_PAGE_POLICY =
  "default-src 'none'; img-src 'self' https://pbs.twimg.com https://video.twimg.com https://abs.twimg.com; style-src 'self'; script-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The script of a page is loaded after what the page shows. */
const LOADER = '<script type="module" src="/assets/load.js">';

const DOCUMENTATION_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const PAGES = documentRows.flatMap(([, { kind, path }]) => (kind === 'page' ? [path] : []));
/** In the order of the navigation, without the pages that moved. */
const CHAPTERS: readonly string[] = chapters.map((name) => documents[name].path);
const DOCUMENTATION_PAGES = PAGES.filter((path) => path !== '/');

const { get } = createTestApp();

const html = async (path: string): Promise<string> => (await get(path, { headers: { accept: 'text/html' } })).body;

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

/** The URLs of links, pictures, styles, scripts and forms on this service, without the base URL. */
const ownUrls = (page: string): readonly string[] =>
  matches(page, /\s(?:href|src|action)="([^"]*)"/g)
    .map((address) => address.replace(BASE_URL, '').replaceAll('&amp;', '&'))
    .filter((address) => !/^[a-z]+:/.test(address));

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
    const files = ['/', '/assets/style.css', '/assets/load.js', '/assets/home.js'];
    const parts = await Promise.all(files.map(html));
    expect(Buffer.byteLength(parts.join(''))).toBeLessThan(50_000);
    expect(Buffer.byteLength(await html('/assets/icon.svg'))).toBeLessThan(1_000);
  });

  test('the front page contains nothing that its policy forbids, and loads nothing from other hosts', async () => {
    const page = await html('/');
    expect(matches(page, /(<script[^>]*>)/g)).toEqual([LOADER]);
    expect(page).not.toMatch(/<style|<base|<iframe|\sstyle=|\son[a-z]+=|http-equiv/i);
    const loaded = [
      ...matches(page, /\ssrc="([^"]*)"/g),
      ...matches(page, /rel="(?:icon|stylesheet)"[^>]*href="([^"]*)"/g),
    ];
    expect(loaded.filter((address) => !/^\/(?:assets\/|favicon\.ico$)/.test(address))).toEqual([]);
    expect(page).toContain('<body class="home" data-script="/assets/home.js">');
    expect(await html('/assets/load.js')).toContain('import(String(document.body.dataset.script))');
    const script = await html('/assets/home.js');
    expect(script).not.toMatch(/\beval\(|new Function|innerHTML|outerHTML|srcdoc|insertAdjacentHTML|document\.write/);
    expect(await html('/assets/style.css')).not.toMatch(/@import|url\(|expression\(/);
  });

  test('the only script in a link of the front page is the bookmarklet, which opens the address of its tab here', async () => {
    const [bookmarklet = '', ...more] = matches(await html('/'), /\shref="javascript:([^"]*)"/g);
    expect(more).toEqual([]);
    const location = { href: 'https://x.com/search?q=a&f=live#\u2713' };
    new Function('location', bookmarklet)(location);
    expect(location.href).toBe(`${BASE_URL}/?q=https%3A%2F%2Fx.com%2Fsearch%3Fq%3Da%26f%3Dlive%23%E2%9C%93`);
    expect((await get(location.href.slice(BASE_URL.length))).headers['location']).toBe('/search?q=a&feed=latest');
  });

  test('[pages 3] the front page has the box, which needs no script', async () => {
    const page = await html('/');
    expect(page).toContain('<form class="ask" action="/" method="get" role="search"');
    expect(page).toContain('<label class="unseen" for="q">Link, @handle or words</label>');
    expect(matches(page, /<(input[^>]*)>/g)[0]).toMatch(/ id="q" name="q" .*required maxlength="2000"/);
  });

  test('[timelines 8] the front page has a form that leads from handles to their timeline, without a script', async () => {
    const [, form = ''] = /<form class="ask" action="\/" method="get">(.*?)<\/form>/s.exec(await html('/')) ?? [];
    const [to] = matches(form, /<input type="hidden" name="to" value="([^"]*)">/g);
    expect(matches(form, /<input type="text"[^>]* name="([^"]*)"/g)).toEqual(['q']);
    const locationOf = async (q: string) =>
      (await get(`/?${new URLSearchParams({ q, to: to ?? '' })}`)).headers['location'];
    expect(await locationOf('Jack, ada bo')).toBe('/ada,bo,jack');
    expect(await locationOf('jack')).toBe('/jack');
    expect(await locationOf('https://x.com/jack;@ada')).toBe('/ada,jack');
  });

  test('[pages 8] with proxied pictures the front page loads its avatar and its manifest from the service alone', async () => {
    const proxied = createTestApp({ settings: { proxyPath: (url) => `/assets/signed${new URL(url).pathname}` } });
    const { body, headers } = await proxied.get('/', { headers: { accept: 'text/html' } });
    expect(headers['content-security-policy']).toBe(FRONT_PAGE_POLICY.replace(/ https:\S+twimg\.com/g, ''));
    expect(headers['content-security-policy']).toContain("manifest-src 'self'");
    expect(matches(body, /<img class="avatar" src="([^"]*)"/g)).toEqual([
      '/assets/signed/profile_images/1661201415899951105/azNjKOSH_x96.jpg',
    ]);
    expect(body).toContain('Pictures and videos come from here');
    expect(await html('/')).not.toMatch(/twimg\.com|Pictures and videos come from here|\{[a-z]+[ _]/);
  });

  test('the front page links to the documents for programs, and has the configuration of MCP clients', async () => {
    const page = await html('/');
    for (const link of [
      `canonical" href="${BASE_URL}/`,
      'alternate" type="text/markdown" href="/',
      'api-catalog" type="application/linkset+json" href="/.well-known/api-catalog',
      'ard" type="application/json" href="/.well-known/ard.json',
      'service-desc" type="application/json" href="/openapi.json',
    ])
      expect(page).toContain(`<link rel="${link}">`);
    const configuration = /<code id="mcp">(.*?)<\/code>/s.exec(page)?.[1] ?? '';
    expect(JSON.parse(configuration)).toEqual({ mcpServers: { postern: { type: 'http', url: `${BASE_URL}/mcp` } } });
  });
});

describe.each(DOCUMENTATION_PAGES)('%s', (path) => {
  test('[text 10] a documentation page runs and loads only the own script, style and icon', async () => {
    const { body, headers } = await get(path, { headers: { accept: 'text/html' } });
    expect(headers['content-security-policy']).toBe(DOCUMENTATION_POLICY);
    expect(matches(body, /(<script[^>]*>)/g)).toEqual([LOADER]);
    expect(body).not.toMatch(/<style|<iframe|\sstyle=|\son[a-z]+=|="\s*javascript:/i);
    expect(matches(body, /\ssrc="([^"]*)"/g).filter((address) => !address.startsWith('/assets/'))).toEqual([]);
  });

  test('a documentation page has the box, a title, a description, and links to the previous and the next page', async () => {
    const page = await html(path);
    expect(matches(page, /<form[^>]* action="([^"]*)" method="get" role="search"/g)).toEqual(['/']);
    expect(page).toMatch(/<title>[^<]+ · Postern<\/title>/);
    expect(page).toMatch(/<meta name="description" content="[^"]{20,200}">/);
    expect(matches(page, /<li><a href="([^"]*)" aria-current="page">/g)).toEqual(CHAPTERS.filter((to) => to === path));
    const place = CHAPTERS.indexOf(path);
    const neighbours = place === -1 ? [] : [CHAPTERS[place - 1] ?? [], CHAPTERS[place + 1] ?? []].flat();
    expect(matches(page, /<a rel="(?:prev|next)" href="([^"]*)">/g)).toEqual(neighbours);
    expect(page).toContain(`curl -H 'Accept: text/markdown' ${BASE_URL}${path}<`);
  });
});

test('the scripts of the documentation create no HTML from text, and evaluate nothing', async () => {
  for (const script of ['/assets/docs.js', '/assets/docs-search.js']) {
    const { body, headers } = await get(script);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(body).not.toMatch(/\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
  }
});

test('a script with code of a package names the file with its licence, which the documentation links', async () => {
  const [notice] = (await html('/assets/docs-search.js')).split('\n');
  expect(notice).toBe('// Licences: /assets/licenses.txt');
  const { body, headers } = await get('/assets/licenses.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(body).toMatch(/^minisearch \d+\.\d+\.\d+ \(MIT\)$/m);
  expect(body).toMatch(/^Copyright \d+ Luca Ongaro$/m);
  expect(body).toContain('Permission is hereby granted, free of charge');
  const others = [await html('/assets/docs.js'), await html('/assets/home.js'), (await adminPageFiles()).script];
  expect(others.filter((script) => script.includes('// Licences: '))).toEqual([]);
  expect(await html('/docs')).toContain('/assets/licenses.txt"');
});

test('a documentation page needs less than 12 kB of scripts until the reader searches', async () => {
  expect(Buffer.byteLength(await html('/assets/docs.js'))).toBeLessThan(12_000);
});

test.each(PAGES)('every link of %s leads to an existing page and section', async (path) => {
  const page = await html(path);
  for (const address of new Set(ownUrls(page))) {
    const [target = '', id] = address.split('#');
    const answer = target === '' ? undefined : await get(target, { headers: { accept: 'text/html' } });
    expect([address, answer?.status ?? 200]).toEqual([address, 200]);
    if (id !== undefined) expect([address, idsOf(answer?.body ?? page).includes(id)]).toEqual([address, true]);
  }
});

test('[problems 3] the type of every problem leads to a section that explains it', async () => {
  const page = await html('/docs/errors');
  for (const [code, { title, resolution }] of Object.entries(problems)) {
    expect(page).toContain(`<h2 id="${code}">`);
    expect(page).toContain(title);
    expect(page).toContain(
      resolution.replace('{base_url}', BASE_URL).replaceAll('"', '&quot;').split('{')[0]?.slice(0, 40),
    );
  }
});

test.each([
  ['*/*', 'text/html; charset=utf-8'],
  ['text/markdown', 'text/markdown; charset=utf-8'],
  ['text/markdown;q=0.5, text/html', 'text/html; charset=utf-8'],
  ['image/png', 'application/problem+json'],
])('the documentation for Accept %s is %s', async (accept, type) => {
  expect((await get('/docs', { headers: { accept } })).headers['content-type']).toBe(type);
});

test('no document contains an unfilled placeholder', async () => {
  for (const route of ['/api', '/docs', '/docs/errors', '/docs/versioning', '/no-pe']) {
    for (const accept of ['text/html', 'text/markdown'])
      expect((await get(route, { headers: { accept } })).body).not.toMatch(/(?:\{|%7B)base_url/);
  }
});
