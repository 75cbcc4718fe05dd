// Tests posts whose author limits who can reply, which FxTwitter cuts in single reads and as quotes.
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { asRecord, type JsonRecord } from '../../../shared/model/json.ts';
import type { Post } from '../../../shared/model/post.ts';
import { monotonic } from '../../../shared/model/time.ts';
import type { PostRequest } from '../../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import type { Query } from '../../../shared/upstream/json-client.ts';
import { json, providerCalling } from '../../support/provider-calls.ts';
import { clientAnswering } from '../../support/recorded-lists.ts';
import { foundIn, RECORDED_AT } from '../../support/recorded-posts.ts';

const BUDGET = { deadline: monotonic(RECORDED_AT + 8000), calls: { retries: 0 } };
const LINK = 'https://t.co/cutcutcut1';

const text = (value: string): JsonRecord => ({ text: value, raw_text: { text: value, facets: [] } });

/** Authors of posts with other ids limit who can reply. */
const isOpen = ({ id }: JsonRecord): boolean => /^[23][0-9]{3}$/.test(String(id));

/** What the service shows of a wrapped post: no client, note or article, and the beginning of a long text. */
const wrapped = (raw: JsonRecord): JsonRecord => {
  if (isOpen(raw)) return raw;
  const { source: _, article, community_note: __, ...rest } = raw;
  const characters = [...String(raw['text'])];
  const isLong = raw['is_note_tweet'] === true && characters.length > 280;
  const cut = isLong ? text(`${characters.slice(0, 260).join('')}… ${LINK}`) : {};
  return { ...rest, is_note_tweet: false, ...(article === undefined ? cut : text(LINK)) };
};

const status = (id: string, members: JsonRecord = {}): JsonRecord => ({
  ...{ type: 'status', id, author: { screen_name: 'ada', name: 'Ada' }, source: 'Web', replies: 0, replying_to: null },
  ...text(`post ${id}`),
  ...members,
});

const LONG = status('1001', { ...text('A long sentence of the tide. '.repeat(60)), is_note_tweet: true });
const NOTED = status('1001', { community_note: { text: 'Readers added this.', facets: [] } });
const ARTICLE = status('1001', {
  ...text(''),
  article: { title: 'How the pier was built', content: { blocks: [{ type: 'unstyled', text: 'Wood.' }] } },
});

const MISSING = json({ code: 404, status: null, thread: null }, 404);

/** A service that has these posts as X has them. */
const serviceWith = (posts: readonly JsonRecord[], threadFails = false, languageFails = false) => {
  const calls: string[] = [];
  const byId = new Map(posts.map((post) => [String(post['id']), post]));
  const quoting = (post: JsonRecord): JsonRecord => {
    const quote = asRecord(post['quote']);
    return quote === undefined ? post : { ...post, quote: wrapped(quoting(quote)) };
  };
  const answer = ({ pathname, searchParams }: URL): FetchResult => {
    calls.push(pathname.replace('/2/', ''));
    const [, , route = '', id = ''] = pathname.split('/');
    const post = byId.get(id);
    if (route === 'profile') return json({ code: 200, results: posts.map(quoting), cursor: {} });
    if (languageFails && searchParams.has('lang')) return json({ code: 500 }, 500);
    if (post === undefined || (threadFails && route === 'thread')) return MISSING;
    const shown = quoting(post);
    if (route === 'status') return json({ code: 200, status: wrapped(shown), thread: null });
    const answers = posts.filter(({ replying_to: to }) => asRecord(to)?.['status'] === id).map(quoting);
    const around = route === 'conversation' ? { replies: answers, cursor: null } : {};
    return json({ code: 200, status: shown, thread: [shown], ...around });
  };
  const provider = providerCalling(createFxTwitter, answer, RECORDED_AT);
  const read = async (id: string, rest: Partial<PostRequest> = {}) => {
    const { value, warnings } = foundIn(
      await provider.readPost({ id, thread: 'full', replies: 'top', ...rest }, BUDGET),
    );
    return { ...value, warnings: warnings.map(({ code }) => code), calls };
  };
  const timeline = async () => {
    const page = foundIn(
      await provider.listPosts({ list: 'posts', kind: 'posts', handle: 'ada' })?.({ size: 20 }, BUDGET),
    );
    return { posts: page.value.items, warnings: page.warnings.map(({ code }) => code), calls };
  };
  return { read, timeline };
};

const ALONE = { thread: 'off', replies: 'off' } as const;
const REPLY = { replying_to: { screen_name: 'ada', status: '2001' } };

/** The parts that a cut takes. */
const partsOf = ({ text, article, community_note }: Post) => ({ text, article, community_note });

const quoteIn = ({ quote }: Post): Post => {
  if (quote === undefined || !('metrics' in quote)) throw new Error('no quote');
  return quote;
};

const recordedPosts: readonly (readonly [string, JsonRecord])[] = [
  ...['article', 'article_no_cover_short', 'community_note', 'converted_article_parts', 'converted_links'],
  ...['converted_note_styles', 'note_rich', 'note_very_long', 'quote_plain', 'text_plain', 'text_cjk_newlines'],
].map((name) => {
  const file = new URL(`../../fixtures/fxtwitter/status/${name}.json`, import.meta.url);
  return [name, asRecord(asRecord(JSON.parse(readFileSync(file, 'utf8')))?.['status']) ?? {}];
});

describe.each(recordedPosts)('the recorded post %s of an author who limits replies', (_, raw) => {
  const id = String(raw['id']);
  const around = status('2001', { quote: raw });

  test('[threads 6] has the same text, article and note in each kind of read', async () => {
    const whole = await clientAnswering(json({ code: 200, status: raw, thread: null })).readPost(
      { id, ...ALONE },
      BUDGET,
    );
    const expected = partsOf(foundIn(whole).value.post);
    const { read, timeline } = serviceWith([raw, around]);
    for (const request of [ALONE, {}]) {
      const single = await read(id, request);
      expect(partsOf(single.post)).toEqual(expected);
      const quoted = await read('2001', request);
      expect(quoteIn(quoted.post)).toMatchObject({ id });
      expect(partsOf(quoteIn(quoted.post))).toEqual(expected);
    }
    const list = await timeline();
    const [first, second] = list.posts;
    expect(first && partsOf(first)).toEqual(expected);
    const quote = second && partsOf(quoteIn(second));
    const saysSo = list.warnings.some((code) => code === 'text_incomplete' || code === 'article_incomplete');
    expect(saysSo || (quote?.text === expected.text && quote.article === expected.article)).toBe(true);
  });
});

describe('a post read alone', () => {
  test.each([
    ['long text', LONG, {}, ['text_incomplete']],
    ['article', ARTICLE, {}, ['article_incomplete']],
    ['community note', NOTED, {}, []],
    ['long text in Japanese', { ...LONG, ...text('潮の満ち引き。'.repeat(60)) }, {}, ['text_incomplete']],
  ])('[threads 6] has its %s with one more call, and warns when that call fails', async (_, raw, rest, codes) => {
    const whole = await serviceWith([raw]).read('1001', { ...ALONE, ...rest });
    const cut = await serviceWith([raw], true).read('1001', { ...ALONE, ...rest });
    expect([whole.calls, whole.warnings]).toEqual([['status/1001', 'thread/1001'], []]);
    expect(whole.post.article?.title).toBe(raw === ARTICLE ? 'How the pier was built' : undefined);
    expect(whole.post.community_note?.text).toBe(raw === NOTED ? 'Readers added this.' : undefined);
    expect([cut.calls, cut.warnings]).toEqual([whole.calls, codes]);
    expect(cut.post.text.length <= whole.post.text.length || raw === ARTICLE).toBe(true);
  });

  test('[threads 6] takes one call when its author lets everyone reply', async () => {
    const requests: string[] = [];
    const provider = clientAnswering(json({ code: 200, status: LONG, thread: null }), requests);
    const outcome = foundIn(await provider.readPost({ id: '1001', ...ALONE }, BUDGET));
    expect([requests, outcome.warnings]).toEqual([['/2/status/1001'], []]);
  });

  test('[threads 6] keeps who reposted it when it is asked for again', async () => {
    const reposted = { ...wrapped(LONG), reposted_by: { screen_name: 'bob', name: 'Bob' } };
    const answers = [
      json({ code: 200, status: reposted, thread: null }),
      json({ code: 200, status: LONG, thread: [] }),
    ];
    const requests: string[] = [];
    const { value } = foundIn(await clientAnswering(answers, requests).readPost({ id: '3003', ...ALONE }, BUDGET));
    expect(value.post).toMatchObject({ id: '1001', client: 'Web', reposted_by: { handle: 'bob' } });
    expect(requests).toEqual(['/2/status/3003', '/2/thread/1001']);
  });
});

describe('a quote', () => {
  test.each<Partial<PostRequest>>([{}, { thread: 'off' }, { replies: 'off' }])(
    '[threads 6] is whole in a conversation, by its own id, with %j',
    async (rest) => {
      const { read } = serviceWith([LONG, status('2001', { quote: LONG })]);
      const { post, warnings, calls } = await read('2001', rest);
      expect([quoteIn(post).text, warnings]).toEqual([LONG['text'], []]);
      expect(calls).toEqual(['conversation/2001', 'thread/1001']);
    },
  );

  test('[threads 6] of a quote is asked for, too, and leaves a warning when no call is left', async () => {
    const inner = { ...LONG, id: '1002' };
    const { read } = serviceWith([LONG, inner, status('2001', { quote: status('1001', { quote: inner }) })]);
    const { post, warnings, calls } = await read('2001');
    expect(quoteIn(quoteIn(post)).text).toContain('…');
    expect([warnings, calls]).toEqual([['text_incomplete'], ['conversation/2001', 'thread/1001']]);
  });

  test('[threads 6] [threads 2] quotes of replies take the calls that are left, and the others leave a warning', async () => {
    const quotes: JsonRecord[] = ['1001', '1002', '1003'].map((id) => ({ ...LONG, id }));
    const replies = quotes.map((quote, index) =>
      status(`300${index}`, { ...REPLY, quote, author: { screen_name: 'bo' } }),
    );
    const alone = await serviceWith([status('2001'), ...quotes, ...replies]).read('2001');
    expect([alone.calls.length, alone.warnings]).toEqual([2, ['text_incomplete']]);
    const part = status('2002', REPLY);
    const thread = await serviceWith([status('2001'), part, ...quotes, ...replies]).read('2001');
    expect([thread.calls.length, thread.warnings]).toEqual([4, []]);
    expect(thread.replies.map((entry) => ('text' in entry ? quoteIn(entry).text : ''))).toEqual(
      quotes.map((quote) => quote['text']),
    );
  });

  test('[threads 6] in a list has a warning and takes no call', async () => {
    const { warnings, calls } = await serviceWith([status('2001', { quote: LONG })]).timeline();
    expect([warnings, calls]).toEqual([['text_incomplete'], ['profile/ada/statuses']]);
    expect((await serviceWith([status('2001', { quote: status('1001') })]).timeline()).warnings).toEqual([]);
  });

  test('[threads 8] does not hold up the conversation for longer than 2 seconds, and leaves a warning then', async () => {
    vi.useFakeTimers();
    const quotes = [LONG, { ...LONG, id: '1002' }];
    const replies = quotes.map((quote, index) =>
      status(`300${index}`, { ...REPLY, quote: wrapped(quote), author: { screen_name: 'bo' } }),
    );
    const posts = [status('2001'), status('2002', REPLY), ...replies];
    const http = {
      get: ({ url }: Query): Promise<FetchResult> => {
        if (url.includes('/2/thread/1001')) return new Promise(() => undefined);
        const id = /[0-9]{4}/.exec(url)?.[0];
        const asked = [...posts, ...quotes].find((post) => post['id'] === id);
        const around = id === '2001' ? posts.slice(1) : [];
        return Promise.resolve(json({ code: 200, status: asked, thread: [asked], replies: around, cursor: null }));
      },
    };
    const options = { baseUrl: 'https://provider.example', source: 'test', clock: () => RECORDED_AT, http };
    const reading = createFxTwitter(options).readPost({ id: '2001', thread: 'full', replies: 'top' }, BUDGET);
    await vi.advanceTimersByTimeAsync(2000);
    const { value, warnings } = foundIn(await reading);
    expect(
      value.replies.map((entry) => ('text' in entry ? quoteIn(entry).text.length : 0)).toSorted((a, b) => a - b),
    ).toEqual([wrapped(LONG)['text'], LONG['text']].map((each) => String(each).length));
    expect(warnings.map(({ code }) => code)).toEqual(['text_incomplete']);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test('[threads 2] takes no third call when the conversation with translations failed', async () => {
    const { read } = serviceWith([LONG, status('2001', { quote: LONG })], false, true);
    const { calls, warnings } = await read('2001', { lang: 'de' });
    expect([calls, warnings]).toEqual([['conversation/2001', 'conversation/2001'], ['text_incomplete']]);
  });
});
