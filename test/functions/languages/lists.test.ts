// Checks lists in the language of a reader: real client, real mappers, and a provider on loopback.
import { describe, expect, test } from 'vitest';
import type { JsonRecord } from '../../../shared/model/json.ts';
import type { UpstreamOptions } from '../../../shared/upstream/create-upstream.ts';
import { type Behaviour, faultServer, json, reply } from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { TINY_ALLOWANCES } from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

const ID = '2040000000000000001';
const REPLY = '2040000000000000009';
const TEXT = '今日の海は静かです。';
const WORDS = 'Das Meer ist heute ruhig.';

const author = { screen_name: 'ada', name: 'Ada' };
const raw = (id: string, members: JsonRecord = {}) => ({
  type: 'status',
  id,
  text: TEXT,
  lang: 'ja',
  author,
  replies: 1,
  source: 'Web',
  ...members,
});
const into = (target: string) => ({
  translation: { text: WORDS, source_lang: 'ja', source_lang_en: 'Japanese', target_lang: target, provider: 'grok' },
});

/** Every list that has posts, with the path of its member of posts in JSON. */
const LISTS: readonly (readonly [name: string, target: string])[] = [
  ['a profile', '/api/v1/profiles/ada'],
  ['the posts of a profile', '/api/v1/profiles/ada/posts'],
  ['its replies', '/api/v1/profiles/ada/posts?kind=replies'],
  ['a timeline', '/api/v1/timeline?handles=ada'],
  ['a search', '/api/v1/search?q=sea'],
  ['a list of X', '/api/v1/lists/2026/posts'],
  ['replies', `/api/v1/posts/${ID}/replies`],
  ['quotes', `/api/v1/posts/${ID}/quotes`],
  ['a conversation', `/api/v1/posts/${ID}/conversation`],
];
const ACCOUNT_LISTS = [
  '/api/v1/profiles/ada/followers',
  '/api/v1/profiles/ada/following',
  `/api/v1/posts/${ID}/reposts`,
];

const withQuery = (target: string, query: string): string => `${target}${target.includes('?') ? '&' : '?'}${query}`;

/** @param members of each post of an answer to a request with `lang` @param failure the answer to such a request instead */
const serviceWith = async (members: JsonRecord, failure?: Behaviour, options: Partial<UpstreamOptions> = {}) => {
  const fxtwitter: Behaviour = (incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://provider');
    const isTranslated = searchParams.has('lang');
    if (isTranslated && failure !== undefined) return failure(incoming, response);
    const own = isTranslated ? members : {};
    const answered = { replying_to: { screen_name: 'ada', status: ID } };
    const of = (id: string, more: JsonRecord = {}) => raw(id, { ...own, ...more });
    if (/\/profile\/\w+$/.test(pathname)) return json({ code: 200, user: author })(incoming, response);
    const reply = of(REPLY, { ...answered, replies: 0, author: { screen_name: 'bo', name: 'Bo' } });
    if (!pathname.includes('/conversation/'))
      return json({ code: 200, results: [of(REPLY)], cursor: {} })(incoming, response);
    const conversation = pathname.endsWith(REPLY)
      ? { status: reply, thread: [of(ID), reply], replies: [] }
      : { status: of(ID), thread: [of(ID)], replies: [reply] };
    json({ code: 200, ...conversation, cursor: null })(incoming, response);
  };
  const server = await faultServer({ fxtwitter });
  const app = createTestApp({ upstream: fxTwitterAt(server, options) });
  return { ...app, calls: () => server.calls('fxtwitter').map((path) => path.replace('/fx/2/', '')) };
};

const postsOf = (body: JsonRecord): readonly JsonRecord[] => (Array.isArray(body['posts']) ? body['posts'] : []);
const codesOf = (body: JsonRecord): readonly unknown[] =>
  Array.isArray(body['warnings']) ? body['warnings'].map(({ code }) => code) : [];
/** The requests for posts: a profile has no language. */
const ofPosts = (calls: readonly string[]): readonly string[] => calls.filter((path) => !/^profile\/\w+\?/.test(path));

describe('[languages 7] with lang', () => {
  test.each(LISTS)('%s has the translations of the provider, and takes no further call', async (_, target) => {
    const plain = await serviceWith(into('de'));
    const plainBody = (await plain.get(withQuery(target, 'format=json'))).json();
    const { get, calls } = await serviceWith(into('de'));
    const body = (await get(withQuery(target, 'format=json&lang=de-AT'))).json();
    expect(postsOf(body).length).toBeGreaterThan(0);
    for (const post of postsOf(body)) expect(post).toMatchObject({ text: TEXT, translation: { text: WORDS } });
    expect(codesOf(body)).toEqual(codesOf(plainBody));
    expect(ofPosts(calls()).filter((path) => !path.endsWith('&lang=de'))).toEqual([]);
    expect(calls().map((path) => path.replace('&lang=de', ''))).toEqual(plain.calls());
  });

  test.each(LISTS)('%s without any translation is the plain list with a warning', async (_, target) => {
    const { get } = await serviceWith({});
    const plain = (await get(withQuery(target, 'format=json'))).json();
    const answer = await get(withQuery(target, 'format=json&lang=de'));
    const body = answer.json();
    expect(codesOf(body)).toEqual([...codesOf(plain), 'translation_unavailable']);
    expect(postsOf(body)).toEqual(postsOf(plain));
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
  });

  test.each(LISTS)('%s has no translation into another language', async (_, target) => {
    const { get } = await serviceWith(into('fr'));
    const body = (await get(withQuery(target, 'format=json&lang=de'))).json();
    expect(postsOf(body).length).toBeGreaterThan(0);
    for (const post of postsOf(body)) expect(post).not.toHaveProperty('translation');
    expect(codesOf(body)).toContain('translation_unavailable');
  });

  test.each(LISTS)('%s that fails is read without it', async (_, target) => {
    for (const failure of [reply(500), json({ code: 500, results: [] }), reply(200, '<h1>LEAKY')]) {
      const { get, calls } = await serviceWith({}, failure);
      const answer = await get(withQuery(target, 'format=json&lang=de'));
      expect(answer.status).toBe(200);
      expect(postsOf(answer.json()).length).toBeGreaterThan(0);
      expect(codesOf(answer.json())).toContain('translation_unavailable');
      expect(ofPosts(calls()).some((path) => !path.includes('lang='))).toBe(true);
    }
  });

  test('posts in the language need no translation and no warning', async () => {
    const { get } = await serviceWith({});
    for (const [, target] of LISTS)
      expect(codesOf((await get(withQuery(target, 'format=json&lang=ja'))).json())).not.toContain(
        'translation_unavailable',
      );
  });

  test('a cursor continues the list in any language', async () => {
    const server = await faultServer({
      fxtwitter: (incoming, response) => {
        const { searchParams } = new URL(incoming.url ?? '', 'http://provider');
        const isSecond = searchParams.has('cursor');
        const results = [raw(isSecond ? '2040000000000000007' : '2040000000000000009')];
        json({ code: 200, results, cursor: isSecond ? {} : { bottom: 'next' } })(incoming, response);
      },
    });
    const { get } = createTestApp({ upstream: fxTwitterAt(server) });
    const list = '/api/v1/search?q=sea&limit=1&format=json';
    const { next_cursor: cursor } = (await get(`${list}&lang=de`)).json();
    for (const lang of ['', '&lang=de', '&lang=fr&translation=only'])
      expect(postsOf((await get(`${list}&cursor=${cursor}${lang}`)).json())).toMatchObject([
        { id: '2040000000000000007' },
      ]);
  });

  test.each(['markdown', 'rss', 'atom', 'jsonfeed'])('%s shows the translation above the original', async (format) => {
    const { get } = await serviceWith(into('de'));
    const { body } = await get(`/api/v1/search?q=sea&lang=de&format=${format}`);
    expect(body).toMatch(
      /In German · translated from Japanese by grok.*Das Meer ist heute ruhig.*Original, in Japanese/s,
    );
  });

  test('Markdown with translation=only leaves the original out', async () => {
    const { get } = await serviceWith(into('de'));
    const { body } = await get('/api/v1/search?q=sea&lang=de&format=markdown&translation=only');
    expect(body).toContain(WORDS);
    expect(body).not.toContain('Original');
    expect(body).not.toContain(TEXT);
  });

  test.each(['json', 'ndjson', 'csv', 'rss'])('%s has both texts, also with translation=only', async (format) => {
    const { get } = await serviceWith(into('de'));
    const { body } = await get(`/api/v1/search?q=sea&lang=de&translation=only&format=${format}`);
    expect(body).toContain(WORDS);
    expect(body).toContain(TEXT);
  });
});

test('[languages 2] an unknown language of a list is 400 without a call', async () => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  for (const target of [...LISTS.map(([, list]) => list), ...ACCOUNT_LISTS])
    for (const lang of ['xx', 'klingon', 'deutsch', 'qme'])
      expectProblem(await get(withQuery(target, `lang=${lang}`)), 400, 'invalid_parameter');
});

test('[languages 3] a translated list charges what the list charges', async () => {
  const search = { ...TINY_ALLOWANCES.search, anonymous: { count: 2, seconds: 60 } };
  const server = await faultServer({ fxtwitter: json({ code: 200, results: [raw(ID)], cursor: {} }) });
  const { get } = createTestApp({ upstream: fxTwitterAt(server), access: { allowances: { search } } });
  for (const [query, status] of [200, 200, 429].entries())
    expect((await get(`/api/v1/search?q=sea${query}&lang=de&format=json`)).status).toBe(status);
});

test('[languages 6] a service that translates nothing gives the plain list with a warning, and no form', async () => {
  const { get, calls } = await serviceWith(into('de'), undefined, { isUntranslated: true });
  for (const [, target] of LISTS) {
    const body = (await get(withQuery(target, 'format=json&lang=de'))).json();
    expect(codesOf(body)).toContain('translation_unavailable');
  }
  expect(calls().filter((path) => path.includes('lang='))).toEqual([]);
});
