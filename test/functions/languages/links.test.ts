// Follows the links of the pages of the sample as a reader does who has chosen a language.
import { expect, onTestFinished, test } from 'vitest';
import { startSampleServer } from '../../../infra/local/sample-server.ts';
import { documents } from '../../../shared/contract/documents.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { BASE_URL, createTestApp } from '../../support/test-app.ts';

const PATHS = new Set<string>(Object.values(documents).map(({ path }) => path));
const HTML = { headers: { accept: 'text/html' } };

const appOfSample = async () => {
  const sample = await startSampleServer();
  onTestFinished(() => sample.close());
  return createTestApp({ upstream: fxTwitterAt({ fxtwitter: `${sample.origin}/fxtwitter` }) });
};

interface Link {
  readonly url: URL;
  readonly isOriginal: boolean;
}

/** The links of a page that lead to pages of this service for reading. */
const readingLinks = (html: string): readonly Link[] =>
  [...html.slice(html.indexOf('<body')).matchAll(/<a ([^>]*?)href="([^"]*)"([^>]*)>/g)].flatMap(
    ([, before = '', href = '', after = '']) => {
      const url = new URL(href.replaceAll('&amp;', '&'), `${BASE_URL}/`);
      const isElsewhere = url.origin !== BASE_URL || href.startsWith('#');
      const isFile = url.searchParams.has('format') || url.searchParams.has('download');
      if (isElsewhere || isFile || (PATHS.has(url.pathname) && url.pathname !== '/')) return [];
      return [{ url, isOriginal: `${before}${after}`.includes('rel="alternate"') }];
    },
  );

/** The kind of page: its path without handles, ids and words. */
const kindOf = ({ pathname, searchParams }: URL): string => {
  const path = pathname
    .replace(/\d{2,}/g, '1')
    .replace(/^\/(?!i\/|search$)[^/]+/, (account) => (account.includes(',') ? '/a,b' : '/a'));
  return [path, ...['feed', 'reposts', 'cursor'].filter((name) => searchParams.has(name))].join(' ');
};

const STARTS = ['/', '/ada_larsson', '/ada_larsson,desk_reuben', '/search?q=tide', '/i/lists/2026', '/i/user/2201001'];
const QUERY = 'lang=es&translation=only';

test('[languages 5] each link of each kind of page keeps the language, and so do the boxes', async () => {
  const { get } = await appOfSample();
  const open = STARTS.map((path) => new URL(`${path}${path.includes('?') ? '&' : '?'}${QUERY}`, BASE_URL));
  const visited = new Set<string>();
  const lost: string[] = [];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const page = next;
    const kind = kindOf(page);
    if (visited.has(kind)) continue;
    visited.add(kind);
    const { status, body } = await get(`${page.pathname}${page.search}`, HTML);
    expect(`${page.href} ${status}`).toBe(`${page.href} 200`);
    expect(/<link rel="canonical" href="([^"]*)"/.exec(body)?.[1] ?? '').not.toContain('lang=');
    for (const { url, isOriginal } of readingLinks(body)) {
      if (isOriginal) continue;
      if (url.searchParams.get('lang') === null) lost.push(`${kind}: ${url.href}`);
      else if (url.searchParams.get('lang') === 'es') open.push(url);
    }
    for (const [form] of body.matchAll(/<form [^>]*action="\/"[\s\S]*?<\/form>/g))
      for (const field of ['name="lang" value="es"', 'name="translation" value="only"'])
        if (!form.includes(field)) lost.push(`${kind}: a box`);
  }
  expect(lost).toEqual([]);
  // All that readers reach: profiles and their tabs, followers, posts and what is below them, searches, later pages.
  for (const kind of [
    '/a',
    '/a/with_replies',
    '/a/followers',
    '/a/status/1',
    '/a/status/1/replies',
    '/a/status/1/quotes',
    '/a/status/1/retweets',
    '/a/status/1/conversation',
    '/a,b',
    '/search',
    '/search feed',
    '/a reposts',
    '/i/lists/1 cursor',
  ])
    expect(visited).toContain(kind);
});

test('[languages 5] without a language no page names one, but for the offers of a translation', async () => {
  const { get } = await appOfSample();
  for (const path of ['/ada_larsson', '/ada_larsson/status/2034932961899447678', '/search?q=tide']) {
    const { body } = await get(path, HTML);
    expect(readingLinks(body).filter(({ url }) => url.searchParams.has('lang'))).toEqual([]);
    expect(body).not.toContain('type="hidden" name="lang"');
  }
});

test('[languages 5] a list of posts has a folded form that stays on the page, and a list of accounts has none', async () => {
  const { get } = await appOfSample();
  const list = (await get('/search?q=tide&feed=top&limit=2', HTML)).body;
  const [form = ''] = /<details><summary>Another language<\/summary>.*?<\/details>/s.exec(list) ?? [];
  expect(form).toContain('<form action="/search">');
  for (const [name, value] of [
    ['q', 'tide'],
    ['feed', 'top'],
    ['limit', '2'],
  ])
    expect(form).toContain(`<input type="hidden" name="${name}" value="${value}">`);
  const chosen = (await get('/search?q=tide&feed=top&lang=es&translation=only', HTML)).body;
  expect(chosen).toContain('<summary>In Spanish, where it is translated</summary>');
  expect(chosen.match(/<option /g)?.length).toBeLessThan(20);
  expect((await get('/search?q=tide&lang=sw', HTML)).body).toContain('<option value="sw" selected>Swahili');
  expect(chosen).toContain('<a href="/search?q=tide&amp;feed=top" rel="alternate">Original</a>');
  expect((await get('/ada_larsson/followers?lang=es', HTML)).body).not.toContain('<select');
});

test('[languages 5] the box leads to what it means in the language of its page', async () => {
  const { get } = await appOfSample();
  const locationOf = async (target: string) => (await get(target, HTML)).headers['location'];
  expect(await locationOf('/?q=jack/status/20&lang=es')).toBe('/jack/status/20?lang=es');
  expect(await locationOf('/?q=tide+notes&lang=es&translation=only')).toBe(
    '/search?q=tide%20notes&lang=es&translation=only',
  );
  expect(await locationOf('/?q=%40bo&to=ada%2C&lang=pt-BR')).toMatch(/\?lang=pt-BR$/);
  expect(await locationOf('/?q=%40jack&lang=')).toBe('/jack');
  for (const lang of ['xx', '"><b>']) {
    const front = await get(`/?lang=${encodeURIComponent(lang)}`, HTML);
    expect(front.body).toBe((await get('/', HTML)).body);
  }
});

test('[languages 5] an item says in which language it is, beside a text with its language and direction', async () => {
  const { get } = await appOfSample();
  const { body } = await get('/noor_alhuda', HTML);
  expect(body).toMatch(/<span>in Arabic<\/span><\/p><p class="text" lang="ar" dir="auto">/);
  const translated = (await get('/noor_alhuda?lang=es', HTML)).body;
  expect(translated).toMatch(
    /In Spanish · translated from Arabic by hand<\/p><p class="text" lang="es" dir="auto">Hoy leí/,
  );
  expect(translated).toMatch(/Original, in Arabic<\/p><p class="text" lang="ar" dir="auto">/);
});
