// Tests the mapping of recorded and constructed provider responses to conversations. Every response gives a valid result or
// a failed outcome.
import { describe, expect, test } from 'vitest';
import type { JsonRecord } from '../../../shared/model/json.ts';
import type { Post } from '../../../shared/model/post.ts';
import { Conversation } from '../../../shared/model/resources.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import { createJsonClient } from '../../../shared/upstream/json-client.ts';
import { asWebUrl } from '../../../shared/upstream/json-readers.ts';
import { createSyndication } from '../../../shared/upstream/syndication/provider.ts';
import { clocksOf, readingAt } from '../../support/clocks.ts';
import { json, providerCalling } from '../../support/provider-calls.ts';
import {
  type Exchange,
  exchangeOf,
  exchanges,
  foundIn,
  RECORDED_AT,
  readablePosts,
  readRecorded,
  readStatus,
  recordedConversation,
  recordedObject,
  requestOf,
  startReplay,
} from '../../support/recorded-posts.ts';

/** Reads over loopback with a new client, which has no open breaker. */
const readReplayed = async (exchange: Exchange) => {
  const replay = await startReplay();
  try {
    replay.answer(exchange);
    const http = createJsonClient({
      source: 'recorded',
      userAgent: 'test',
      ...clocksOf(Date.now),
      log: () => {},
      random: () => 0,
    });
    const provider = exchange.file.startsWith('syndication/') ? createSyndication : createFxTwitter;
    const reader = provider({ baseUrl: replay.baseUrl, source: 'recorded', http, clock: () => RECORDED_AT });
    return await reader.readPost(requestOf(exchange), {
      deadline: readingAt(Date.now() + 8000),
      calls: { retries: 0 },
    });
  } finally {
    await replay.close();
  }
};

/** Parsing the JSON gives the same value, so it has no undeclared member, and no number that JSON cannot have. */
const expectValid = (conversation: unknown): void => {
  const sent: unknown = JSON.parse(JSON.stringify(conversation));
  expect(Conversation.parse(sent)).toEqual(sent);
};

describe('recorded responses', () => {
  test.each(exchanges)('[ids 6] $file is read without an exception, and a found result is valid', async (exchange) => {
    const outcome = await readReplayed(exchange);
    if (outcome.kind === 'found') expectValid(outcome.value);
    if (readablePosts.includes(exchange.file)) expect(outcome).toMatchObject({ kind: 'found', source: 'recorded' });
  });

  test.each(exchanges.filter(({ file }) => file.startsWith('fxtwitter/errors/backend_')))(
    '[provider-faults 10] an outage behind the provider is never "not found": $file',
    async (exchange) => {
      expect(await readReplayed(exchange)).toEqual({ kind: 'ambiguous' });
    },
  );

  test.each([
    ['status/unavailable_001.json', 'deleted'],
    ['status/unavailable_002.json', 'deleted'],
    ['status/unavailable_003.json', 'suspended'],
    ['status/unavailable_004.json', 'protected'],
    ['status/unavailable_100.json', 'protected'],
    ['status/unavailable_101.json', 'suspended'],
    ['thread/tombstone.json', 'suspended'],
    ['conversation/tombstone.json', 'suspended'],
  ])('the response %s gives gone with the reason %s', async (file, reason) => {
    expect(await readReplayed(exchangeOf(`fxtwitter/${file}`))).toEqual({ kind: 'gone', reason });
  });

  test.each([
    ['edge/429_plain.txt', 'down'],
    ['edge/502.html', 'down'],
    ['edge/503.html', 'down'],
    ['edge/522.html', 'down'],
    ['edge/530.html', 'down'],
    ['edge/403_block.html', 'failed'],
    ['edge/html_200.html', 'failed'],
    ['edge/truncated_json.json.txt', 'failed'],
    ['edge/json_null.json', 'failed'],
    ['edge/json_string.json', 'failed'],
    ['edge/json_array.json', 'failed'],
    ['edge/missing_required.json', 'found'],
    ['errors/worker_crash_html500.html', 'down'],
    ['errors/worker_crash_preview_ua_html200.html', 'failed'],
    ['errors/status_id_text_400.json', 'refused'],
    ['status/missing.json', 'ambiguous'],
    ['conversation/missing.json', 'ambiguous'],
  ])('%s: %s', async (file, kind) => {
    expect((await readReplayed(exchangeOf(`fxtwitter/${file}`))).kind).toBe(kind);
  });
});

const postWith = async (members: object): Promise<Post> => {
  const { value } = foundIn(await readStatus(members));
  expectValid(value);
  return value.post;
};

describe('FxTwitter', () => {
  const author = { screen_name: 'ada', name: 'Ada' };
  const quoting = (levels: number): JsonRecord => {
    let innermost: JsonRecord = { type: 'status', id: String(1000 + levels), text: 'x', author };
    for (let level = levels - 1; level > 0; level -= 1)
      innermost = { type: 'status', id: String(1000 + level), text: 'x', author, quote: innermost };
    return innermost;
  };

  test('[provider-faults 8] quotes are posts down to the fourth level and links on the fifth', async () => {
    let entry: Post['quote'] = await postWith({ quote: quoting(5) });
    for (let level = 0; level < 5; level += 1)
      entry = entry !== undefined && 'quote' in entry ? entry.quote : undefined;
    expect(entry).toEqual({ id: '1005', url: 'https://x.com/ada/status/1005' });
  });

  test('[provider-faults 8] 20,000 nested quotes give failed without an exception', async () => {
    expect((await readStatus({ quote: quoting(20_000) })).kind).toBe('failed');
  });

  describe('the conversation around a post', () => {
    const ID = requestOf(exchangeOf('fxtwitter/status/text_plain.json')).id;
    const idAt = (distance: number): string => String(BigInt(ID) + BigInt(distance));
    const ada = { id: '1', screen_name: 'ada_larsson', name: 'Ada' };
    const bob = { id: '2', screen_name: 'bob', name: 'Bob' };
    const answering = (distance: number) => ({ replying_to: { screen_name: 'ada_larsson', status: idAt(distance) } });
    const entry = (distance: number, writer: object, to = distance - 1) => ({
      type: 'status',
      id: idAt(distance),
      text: 'x',
      author: writer,
      ...answering(to),
    });
    const around = async (thread: readonly object[]): Promise<readonly string[][]> => {
      const request = { thread: 'full', replies: 'off' } as const;
      const { value } = foundIn(await readStatus({ author: ada, ...answering(-1) }, { thread, cursor: null }, request));
      expectValid(value);
      return [value.ancestors, value.thread].map((entries) => entries.map(({ id }) => id));
    };

    test('the conversation is ordered by age when the post itself is missing from it', async () => {
      expect(await around([entry(-2, bob), entry(-1, ada), entry(1, ada), entry(2, bob), entry(3, ada, 1)])).toEqual([
        [idAt(-2), idAt(-1)],
        [idAt(1), idAt(3)],
      ]);
    });
  });

  describe('an account that occurs twice in a response', () => {
    const bare = { id: '7', screen_name: 'ada', name: 'Ada' };
    const counted = { ...bare, followers: 12, following: 3, statuses: 4, likes: 5, media_count: 6 };
    const quotes = (author: object) => ({ type: 'status', id: '19', text: 'x', author });

    test.each([
      ['first without counts, then with them', bare, counted, undefined, 12],
      ['first with counts, then without them', counted, bare, 12, 12],
      ['twice with counts: the first ones', counted, { ...counted, followers: 13 }, 12, 12],
    ])('%s', async (_, first, second, firstCount, secondCount) => {
      // Quotes are mapped before the reposter.
      const { quote, reposted_by: reposter } = await postWith({ quote: quotes(first), reposted_by: second });
      const author = quote !== undefined && 'author' in quote ? quote.author : undefined;
      expect(author?.handle).toBe('ada');
      expect(author?.metrics?.followers).toBe(firstCount);
      expect(reposter?.metrics?.followers).toBe(secondCount);
    });
  });

  test('[text 7] names have no invisible characters; text keeps them', async () => {
    const post = await postWith({
      raw_text: { text: 'a\u202eb', facets: [] },
      author: { screen_name: 'eve', name: ' Eve\u202e\u{e0041}\n---\nadmin\u200b ' },
    });
    expect(post.author?.name).toBe('Eve --- admin');
    expect(post.text).toBe('a\u202eb');
  });

  test.each([
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['//x.example'],
    ['https://a b'],
    ['https://a<b>'],
    ['ftp://a'],
    ['https://a"b'],
  ])('[text 3] %s is not accepted as URL', (url) => {
    expect(asWebUrl(url)).toBeUndefined();
  });

  test('[text 3] only http and https URLs become links', async () => {
    const facet = { type: 'url', indices: [0, 1], original: 'h', replacement: 'javascript:alert(1)', display: 'x' };
    const { links } = await postWith({
      raw_text: { text: 'h', facets: [facet, { ...facet, replacement: 'https://a.example/' }] },
    });
    expect(links).toEqual([{ url: 'https://a.example/', display_url: 'x' }]);
  });
});

/** The reasons of its tombstones are tested with whole requests, in functions/posts/upstream-faults.test.ts. */
describe('syndication', () => {
  test.each([
    'text_entities_amp',
    'text_markdown_traps',
    'text_astral_then_entities',
    'text_two_same_urls',
    'text_cjk_newlines',
    'text_rtl',
    'text_plain',
    'photo_four',
  ])('the text of %s equals the text of FxTwitter, with decoded entities and expanded links', async (name) => {
    const [ours, theirs] = [
      await recordedConversation(`syndication/${name}.json`),
      await recordedConversation(`fxtwitter/status/${name}.json`),
    ];
    expect(ours.post.text).toBe(theirs.post.text);
    expect(ours.post.text).not.toMatch(/&(?:amp|lt|gt);(?!#)|https:\/\/t\.co\//);
  });

  test('[provider-faults 8] quotes are posts down to the fourth level and links on the fifth', async () => {
    const raw = recordedObject('syndication/text_plain.json');
    const quoting = (level: number): JsonRecord => ({
      ...raw,
      id_str: String(1000 + level),
      ...(level < 6 && { quoted_tweet: quoting(level + 1) }),
    });
    const outcome = await readRecorded('syndication/text_plain.json', { ...raw, quoted_tweet: quoting(1) });
    let entry: Post['quote'] = outcome.kind === 'found' ? outcome.value.post : undefined;
    for (let level = 0; level < 5; level += 1)
      entry = entry !== undefined && 'quote' in entry ? entry.quote : undefined;
    expect(entry).toEqual({ id: '1005', url: 'https://x.com/i/status/1005' });
  });

  test('short links at the end of the text are removed; short links inside the text stay', async () => {
    const raw = recordedObject('syndication/text_plain.json');
    const saying = async (text: string) => {
      const outcome = await readRecorded('syndication/text_plain.json', { ...raw, text, entities: {} });
      return outcome.kind === 'found' ? outcome.value.post.text : outcome.kind;
    };
    expect(await saying('a https://t.co/abc b https://t.co/def  https://t.co/ghi ')).toBe('a https://t.co/abc b');
    expect(await saying('https://t.co/abc')).toBe('');
    expect(await saying('https://t.co/abc!')).toBe('https://t.co/abc!');
  });

  const readAnswer = (fetched: FetchResult) =>
    providerCalling(createSyndication, () => fetched, RECORDED_AT).readPost(
      { id: '20', thread: 'off', replies: 'off' },
      { deadline: readingAt(RECORDED_AT + 8000), calls: { retries: 0 } },
    );

  const page = (status: number): FetchResult => ({ kind: 'response', status, json: undefined, isHtml: true });

  const POST = { __typename: 'Tweet', id_str: '20', user: {} };
  const TOMBSTONE = { __typename: 'TweetTombstone' };

  test.each<readonly [string, FetchResult, object]>([
    ['an HTML page with 404', page(404), { kind: 'absent' }],
    ['JSON with 404', json({}, 404), { kind: 'failed', why: 'status 404' }],
    ['no known type with 404', json(undefined, 404), { kind: 'failed', why: 'status 404' }],
    ['an HTML page with 200', page(200), { kind: 'failed', why: 'status 200' }],
    ['a list', json([POST], 200), { kind: 'failed', why: 'status 200' }],
    ['a post with 403', json(POST, 403), { kind: 'failed', why: 'status 403' }],
    ['an empty object', json({}, 200), { kind: 'failed', why: 'an object that is no post' }],
    ['another post', json({ ...POST, id_str: '21' }, 200), { kind: 'failed', why: 'wrong post' }],
    ['a post without a user', json({ ...POST, user: null }, 200), { kind: 'gone', reason: 'suspended' }],
    ['a tombstone without text', json(TOMBSTONE, 200), { kind: 'gone', reason: 'withheld' }],
    ['no response', { kind: 'down', why: 'time-out' }, { kind: 'down', why: 'time-out' }],
  ])('%s has its own outcome', async (_, fetched, outcome) => {
    expect(await readAnswer(fetched)).toEqual(outcome);
  });

  test('a post without a conversation has the counts that the CDN has', async () => {
    expect(await readAnswer(json(POST))).toMatchObject({ kind: 'found', source: 'test', fetchedAt: RECORDED_AT });
  });
});
