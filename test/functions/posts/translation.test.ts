// Checks translated reads: real client, real mappers, and providers on loopback.
import { describe, expect, test } from 'vitest';
import type { JsonRecord } from '../../../shared/model/json.ts';
import type { UpstreamOptions } from '../../../shared/upstream/create-upstream.ts';
import { type Behaviour, faultServer, json, neverResponds, recorded, reply } from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { chargingUpstream } from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { SHORT_TIMEOUT } from '../../support/provider-faults.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

const ID = '2040000000000000001';
const TARGET = `/api/v1/posts?handle=i&id=${ID}&format=json`;

const raw = (id: string, members: JsonRecord = {}) => ({
  type: 'status',
  id,
  text: '今日の海は静かです。',
  lang: 'ja',
  author: { screen_name: 'ada_larsson', name: 'Ada' },
  replies: 1,
  source: 'Web',
  ...members,
});
const into = (target: string, text = `a text in ${target}`) => ({
  translation: { text, source_lang: 'ja', source_lang_en: 'Japanese', target_lang: target, provider: 'grok' },
});
const single = (members: JsonRecord = {}) => json({ code: 200, status: raw(ID, members), thread: null });
const conversation = (members: JsonRecord = {}, reply: JsonRecord = {}) => {
  const answered = { replying_to: { screen_name: 'ada_larsson', status: ID } };
  const replies = [raw('2040000000000000009', { author: { screen_name: 'bo', name: 'Bo' }, ...answered, ...reply })];
  return json({ code: 200, status: raw(ID, members), thread: [raw(ID, members)], replies, cursor: null });
};

interface Service {
  readonly conversation?: Behaviour;
  /** The answer of the conversation with `lang`. @default as without it */
  readonly translatedConversation?: Behaviour;
  readonly translator?: Behaviour;
}

const serviceWith = async (answers: Service, options: Partial<UpstreamOptions> = {}) => {
  const plain = answers.conversation ?? conversation();
  const fxtwitter: Behaviour = (incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://provider');
    const isTranslated = searchParams.has('lang');
    const isConversation = pathname.includes('/conversation/');
    const behaviour = isConversation
      ? isTranslated
        ? (answers.translatedConversation ?? plain)
        : plain
      : ((isTranslated ? answers.translator : undefined) ?? reply(418));
    behaviour(incoming, response);
  };
  const server = await faultServer({ fxtwitter });
  const app = createTestApp({ upstream: fxTwitterAt(server, options) });
  return { ...app, calls: () => server.calls('fxtwitter').map((path) => path.replace('/fx/2/', '')) };
};

const codesOf = (body: Record<string, unknown>): readonly unknown[] =>
  Array.isArray(body['warnings']) ? body['warnings'].map(({ code }) => code) : [];

describe('[languages 1] a read with lang', () => {
  test('has the translation of the post, which a translator made, and those that the provider has of the others', async () => {
    const { get, calls } = await serviceWith({
      translatedConversation: conversation({}, into('de', 'Stille See')),
      translator: single(into('de', 'Das Meer ist heute ruhig.')),
    });
    const answer = await get(`${TARGET}&lang=de`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      warnings: [],
      post: {
        text: '今日の海は静かです。',
        translation: { text: 'Das Meer ist heute ruhig.', source_lang: 'ja', target_lang: 'de', provider: 'grok' },
      },
      replies: [{ translation: { text: 'Stille See' } }],
    });
    expect(answer.headers['cache-control']).toContain('stale-if-error');
    expect(calls()).toEqual([`conversation/${ID}?ranking_mode=likes&lang=de`, `status/${ID}?lang=de`]);
  });

  test('needs no translator if the conversation has the translation', async () => {
    const { get, calls } = await serviceWith({ translatedConversation: conversation(into('de')) });
    expect((await get(`${TARGET}&lang=de`)).json()).toMatchObject({
      post: { translation: { target_lang: 'de' } },
    });
    expect(calls()).toHaveLength(1);
  });

  test.each<readonly [string, Service]>([
    ['is in the language', { conversation: conversation({ lang: 'de' }) }],
    ['has no text', { conversation: conversation({ text: '' }) }],
    ['is not translated by the provider', { translator: recorded('fxtwitter/status/lang_es_no_translation.json') }],
    ['has an empty translation', { translator: single(into('de', ' \n')) }],
    ['is translated into another language', { translator: single(into('fr')) }],
    ['is only repeated', { translator: single({ translation: { text: 'x', source_lang: 'de', target_lang: 'de' } }) }],
    ['has another inline translation', { conversation: conversation(into('fr')), translator: single() }],
    ['cannot be translated: the translator fails', { translator: reply(500) }],
    ['cannot be translated: it refuses', { translator: json({ code: 400 }, 400) }],
    ['cannot be translated: it finds no post', { translator: json({ code: 404, status: null }, 404) }],
    ['cannot be translated: it has another post', { translator: single({ id: '2040000000000000002', ...into('de') }) }],
    ['cannot be translated: it sends HTML', { translator: reply(200, '<h1>LEAKY', { 'content-type': 'text/html' }) }],
    ['cannot be translated: the translator does not answer', { translator: neverResponds }],
  ])('is the plain read with a warning for a minute when the post %s', async (_, answers) => {
    const { get } = await serviceWith(answers, { limits: SHORT_TIMEOUT });
    const plain = (await get(TARGET)).json();
    const answer = await get(`${TARGET}&lang=de`);
    expect(answer.status).toBe(200);
    const body = answer.json();
    expect(codesOf(body)).toEqual(['translation_unavailable']);
    expect(body['post']).toEqual({ ...(plain['post'] as object), translation: undefined });
    expect(body['replies']).toEqual(plain['replies']);
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
  });

  test.each<readonly [string, Service, string, string]>([
    [
      'is in the language',
      { conversation: conversation({ lang: 'de' }) },
      'it is in this language already',
      'There is nothing to translate: the post is in this language already.',
    ],
    [
      'is not translated',
      { translator: reply(500) },
      'the source did not translate it',
      'This post could not be translated just now.',
    ],
  ])('says why there is no translation when the post %s', async (_, answers, reason, sentence) => {
    const { get } = await serviceWith(answers);
    expect((await get(`${TARGET}&lang=de`)).body).toContain(reason);
    const page = (await get(`/i/status/${ID}?lang=de`, { headers: { accept: 'text/html' } })).body;
    expect(page).toContain(sentence);
  });

  test.each<readonly [string, Behaviour]>([
    ['fails', reply(500)],
    ['is refused', json({ code: 400 }, 400)],
    ['does not come', neverResponds],
  ])('has the whole conversation if the one with lang %s', async (_, translatedConversation) => {
    const { get } = await serviceWith({ translatedConversation, translator: reply(500) }, { limits: SHORT_TIMEOUT });
    const body = (await get(`${TARGET}&lang=de`)).json();
    expect(codesOf(body)).toEqual(['translation_unavailable']);
    expect(body['replies']).toHaveLength(1);
  });

  test('has the post of another provider without a translation', async () => {
    const server = await faultServer({
      fxtwitter: reply(500),
      syndication: recorded('syndication/text_plain.json'),
    });
    const upstream = fxTwitterAt(server, {
      providers: [{ name: 'syndication', baseUrls: [server.syndication], source: 'syndication' }],
    });
    const { get } = createTestApp({ upstream });
    const answer = await get('/i/status/2028036267832246272?lang=de&format=json&thread=off&replies=off');
    expect(answer.json()).toMatchObject({ source: 'syndication' });
    expect(codesOf(answer.json())).toContain('translation_unavailable');
    expect(server.calls('fxtwitter')).toEqual([]);
  });
});

test('[languages 2] each language has an answer of its own in the request cache', async () => {
  const { get, calls } = await serviceWith({ translator: reply(500) });
  for (const query of ['', '&lang=de', '&lang=fr', '&lang=de']) await get(TARGET + query);
  expect(calls().filter((call) => call.startsWith('conversation'))).toEqual(
    ['', '&lang=de', '&lang=fr'].map((language) => `conversation/${ID}?ranking_mode=likes${language}`),
  );
});

describe('[languages 2] the language', () => {
  test.each([
    ['de', 'de'],
    ['DE-at', 'de'],
    ['pt-BR', 'pt'],
    ['zh-Hans', 'zh-cn'],
    ['zh-TW', 'zh-tw'],
    ['zh-hant-HK', 'zh-tw'],
    ['iw', 'he'],
    ['msa', 'ms'],
  ])('%s is requested as %s', async (lang, code) => {
    const { get, calls } = await serviceWith({ translator: single() });
    expect((await get(`${TARGET}&lang=${lang}`)).status).toBe(200);
    expect(calls()[1]).toBe(`status/${ID}?lang=${code}`);
  });

  test('has one spelling in the request cache', async () => {
    const { get, calls } = await serviceWith({ translator: single(into('pt')) });
    for (const lang of ['pt', 'PT', 'pt-BR', 'pt-PT']) expect((await get(`${TARGET}&lang=${lang}`)).status).toBe(200);
    expect((await get(`/ada/status/${ID}/pt-br?format=json`)).json()['warnings']).toEqual([]);
    expect(calls()).toHaveLength(2);
  });

  test.each(['xx', 'klingon', 'd', 'de_AT', 'de-', '-', 'e'.repeat(36), `de${'-a'.repeat(17)}`, '../de', 'de&x=1 '])(
    '%s is 400 invalid_parameter without a provider call',
    async (lang) => {
      const { get } = createTestApp({ upstream: upstreamNotCalled });
      const answer = await get(`${TARGET}&lang=${encodeURIComponent(lang)}`);
      expectProblem(answer, 400, 'invalid_parameter');
      expect(answer.json()['errors']).toEqual([
        { parameter: 'lang', message: 'must be the code of a language, such as de, pt or zh-hans' },
      ]);
    },
  );
});

test('[inputs 5] a path below a post is the language of a translation only if it has the form of a tag', async () => {
  const { get } = createTestApp({});
  expect((await get('/jack/status/20/de')).status).toBe(200);
  expect((await get('/jack/status/20/zh-Hant')).status).toBe(200);
  expectProblem(await get('/jack/status/20/xx'), 400, 'invalid_parameter');
  for (const name of ['rss', 'likes', 'en_US', 'photo', '1'])
    expectProblem(await get(`/jack/status/20/${name}`), 404, 'route_not_found');
  for (const name of ['replies', 'quotes', 'retweets']) expect((await get(`/jack/status/20/${name}`)).status).toBe(200);
});

test('[languages 6] a service that translates nothing gives the plain read with a warning and no form', async () => {
  const { get, calls } = await serviceWith({ translator: single(into('de')) }, { isUntranslated: true });
  const plain = (await get(TARGET)).json();
  const body = (await get(`${TARGET}&lang=de`)).json();
  expect(body['post']).toEqual(plain['post']);
  expect(codesOf(body)).toEqual(['translation_unavailable']);
  expect(calls()).toEqual([`conversation/${ID}?ranking_mode=likes`]);
  const pages = createTestApp({ settings: { isUntranslated: true } });
  const html = { headers: { accept: 'text/html' } };
  expect((await pages.get('/jack/status/20?lang=de', html)).body).not.toContain('class="lang"');
  expect((await createTestApp().get('/jack/status/20?lang=de', html)).body).toContain('class="lang"');
});

test('[languages 3] a translated read counts five reads of the fair-use bound', async () => {
  const { get } = createTestApp({ upstream: chargingUpstream() });
  const translated: number[] = [];
  while (translated.length < 24) translated.push((await get('/jack/status/20?lang=de')).status);
  expect(translated).toEqual(Array(24).fill(200));
  expect((await get('/jack/status/20')).status).toBe(429);
});

describe('quoted posts', () => {
  const HOSTILE = '</p></blockquote><script>alert(1)</script>\n# Heading\n> quote\n\n---\n[link](javascript:alert(1))';
  const quoting = (translation: JsonRecord) =>
    conversation({
      ...into('de', 'Das Meer ist ruhig.'),
      quote: raw('2039999999999999999', { text: '引用です。', ...translation }),
    });

  test('[languages 1] a quoted post has its translation, and none into another language', async () => {
    const german = await serviceWith({ conversation: quoting(into('de', 'Zitat')) });
    expect((await german.get(`${TARGET}&lang=de`)).json()).toMatchObject({
      post: { quote: { translation: { text: 'Zitat', target_lang: 'de' } } },
    });
    const french = await serviceWith({ conversation: quoting(into('fr')) });
    const { quote } = (await french.get(`${TARGET}&lang=de`)).json()['post'] as { quote: object };
    expect(quote).not.toHaveProperty('translation');
  });

  test('[languages 4] a hostile translation of a quoted post forges no structure, and only leaves out its original', async () => {
    const { get } = await serviceWith({ conversation: quoting(into('de', HOSTILE)) });
    const target = `/i/status/${ID}?lang=de`;
    const { body: markdown } = await get(`${target}&format=markdown`);
    for (const line of markdown.split('\n')) expect(line).not.toMatch(/^(?:> )*(?:# Heading|---|<script|> > quote)/);
    expect(markdown).not.toMatch(/(?<!\\)\[link\]\(|(?<!\\)<script/);
    const { body: page } = await get(target, { headers: { accept: 'text/html' } });
    expect(page).toContain('引用です。');
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/<script>alert|href="javascript:/);
    const only = await get(`${target}&translation=only`, { headers: { accept: 'text/html' } });
    expect(only.body).not.toContain('引用です。');
  });
});
