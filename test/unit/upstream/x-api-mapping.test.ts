// Tests the mapping of posts and profiles of the official API. Every response gives a valid result or a failed outcome.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import type { Post } from '../../../shared/model/post.ts';
import { Conversation } from '../../../shared/model/resources.ts';
import type { Outcome, PostRequest } from '../../../shared/ports/upstream.ts';
import { createXApi, type XApi } from '../../../shared/upstream/x-api/provider.ts';

const NOW = Date.parse('2026-08-25T00:00:00Z');
const BUDGET = { deadline: NOW + 8000, retries: 0 };

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const fixture = (file: string): Json =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8'));
const bodyOf = (name: string): Json => fixture(`x_api/${name}.json`);

const exchanges: readonly { file: string; path: string; status: number }[] = Object.values(
  fixture('x_api/manifest.json'),
).filter((entry): entry is { file: string; path: string; status: number } => isRecord(entry) && 'file' in entry);

const providerWith = (json: unknown): XApi =>
  createXApi({
    baseUrl: 'http://127.0.0.1:1',
    source: 'x_api',
    clock: () => NOW,
    http: { get: async () => ({ kind: 'response', status: 200, json, isHtml: false }) },
  });

const pathOf = (name: string): string => exchanges.find(({ file }) => file === `x_api/${name}.json`)?.path ?? '';
const idOf = (name: string): string => /^\/2\/tweets\/([0-9]+)/.exec(pathOf(name))?.[1] ?? '';

const foundIn = <T>(outcome: Outcome<T> | undefined): T => {
  if (outcome?.kind !== 'found') throw new Error(outcome?.kind);
  return outcome.value;
};

/** Parsing the JSON with the published schema gives the same value, so it has no undeclared member. */
const expectValid = (schema: z.ZodType, value: unknown): void => {
  const sent: unknown = JSON.parse(JSON.stringify(value));
  expect(schema.parse(sent)).toEqual(sent);
};

const FULL = { thread: 'full', replies: 'top' } as const;

const read = async (name: string, json: unknown = bodyOf(name), request: Omit<PostRequest, 'id'> = FULL) => {
  const outcome = await providerWith(json).readPost({ id: idOf(name), ...request }, BUDGET);
  const conversation = foundIn(outcome);
  expectValid(Conversation, conversation);
  const warnings = outcome.kind === 'found' ? outcome.warnings.map(({ code }) => code) : [];
  return { ...conversation, warnings };
};

/** @param alter changes the requested post */
const readAltered = async (name: string, alter: (data: Json, body: Json) => void): Promise<Post> => {
  const body = bodyOf(name);
  if (isRecord(body['data'])) alter(body['data'], body);
  return (await read(name, body)).post;
};

const saying = (text: string, members: Json = {}): Promise<Post> =>
  readAltered('post', (data) => Object.assign(data, { text, ...members }));

describe('a post of the official API', () => {
  test('a post without conversation is complete when only the post is requested', async () => {
    const { warnings } = await read('post', bodyOf('post'), { thread: 'off', replies: 'off' });
    expect(warnings).toEqual([]);
    expect((await read('post', bodyOf('post'), { thread: 5, replies: 'off' })).warnings).toHaveLength(1);
    expect((await read('post', bodyOf('post'), { thread: 'off', replies: 'recent' })).warnings).toHaveLength(1);
  });

  test('a link to pictures that are not in the response stays in the text', async () => {
    const { quote } = (await read('post_quote')).post;
    expect(quote && 'text' in quote && quote.text).toBe(
      'Old boards: https://x.com/bob_okafor/status/2030000000000000003 https://x.com/kestrel_labs/status/2031000000000000002/photo/1',
    );
  });

  test('in_reply_to has the handle of a mention when the answered post is missing', async () => {
    const { post, ancestors } = await read('post_reply_to_missing');
    expect(post.in_reply_to).toEqual({ handle: 'bob_okafor', id: '2032900000000000002' });
    expect(ancestors).toEqual([]);
  });

  test('[provider-faults 12] a repost gives the original post with its reposter', async () => {
    const { post } = await read('post_repost');
    expect(post).toMatchObject({
      id: '2032048958469046864',
      text: 'Rev C boards, four angles. #openhardware',
      author: { handle: 'kestrel_labs' },
      reposted_by: { handle: 'bob_okafor' },
      media: [{ type: 'photo' }],
    });
  });

  test('an edited post gives its latest edit', async () => {
    expect((await read('post_edited')).post).toMatchObject({ id: '2033000000000000014', text: 'Second try' });
  });

  test('an article has title and preview with the warning article_incomplete', async () => {
    const { post, warnings } = await read('post_article');
    expect(post.text).toBe('');
    expect(post.article).toEqual({
      title: 'Why shallow fjords ring',
      preview_text: 'When ice leaves, sound channels move up.',
      blocks: [],
    });
    expect(warnings).toEqual(['thread_incomplete', 'replies_unavailable', 'article_incomplete']);
  });
});

describe('a long post', () => {
  test('a long post is complete with expanded links', async () => {
    const { post } = await read('post_note_entities');
    expect(post.text).toBe(
      '𝛥f first 🐋.\n\nThe same twice: https://data.example/fjord and https://data.example/fjord, 1 < 2 && 3 > 2.\n\nThanks @kestrel_labs and @bob_okafor. #acoustics #鯨\n\nA quote in between https://x.com/kestrel_labs/status/2031000000000000002 is a link.',
    );
    expect(post.mentions).toEqual(['kestrel_labs', 'bob_okafor']);
    expect(post.hashtags).toEqual(['acoustics', '鯨']);
    expect(post.links.map(({ url }) => url)).toEqual([
      'https://data.example/fjord',
      'https://x.com/kestrel_labs/status/2031000000000000002',
    ]);
  });

  test('a long post without entities keeps its short links', async () => {
    const { post } = await read('post_note');
    expect(post.text).toMatch(/^Long post: why shallow fjords ring\.\n\nWhen ice leaves 🧊/);
    expect(post.text).toContain('boards & for everyone else <us>.\n\nData: https://t.co/VEgDDraQiW');
    expect(post.text).toMatch(/#acoustics \$KSTL$/);
  });
});

describe('a record without a key', () => {
  const nameless = { username: 'eve', url: 'https://pbs.twimg.com/a.jpg', type: 'photo', options: [], text: 'x' };

  test('it belongs to no post, also if a post has no author, no poll and no answered account', async () => {
    const post = await readAltered('post', (data, body) => {
      delete data['author_id'];
      const parts = {
        referenced_tweets: [{ type: 'replied_to', id: '19' }],
        entities: { mentions: [{ start: 0, end: 4, username: 'eve' }] },
        attachments: { media_keys: [] },
      };
      Object.assign(data, parts);
      Object.assign(body, {
        includes: { users: [nameless], polls: [nameless], media: [nameless], tweets: [nameless] },
      });
    });
    expect([post.author, post.poll, post.in_reply_to]).toEqual([undefined, undefined, { id: '19' }]);
  });

  test('it is not the media of a post whose key is null', async () => {
    const post = await readAltered('post', (data, body) => {
      Object.assign(data, { attachments: { media_keys: [null] } });
      Object.assign(body, { includes: { media: [{ ...nameless, media_key: null }] } });
    });
    expect(post.media).toEqual([]);
  });
});

describe('the text of a post', () => {
  const link = (start: number, short: string, target: string, members: Json = {}): Json => ({
    start,
    end: start + short.length,
    url: short,
    expanded_url: target,
    ...members,
  });

  test.each([
    ['positions in code points', 2],
    ['positions in UTF-16 units', 3],
    ['wrong positions', 0],
    ['positions beyond the end', 900],
  ])('%s', async (_, start) => {
    const { text } = await saying('🐋 https://t.co/a1 ok', {
      entities: { urls: [link(start, 'https://t.co/a1', 'https://a.example/?x=1&amp;y')] },
    });
    expect(text).toBe('🐋 https://a.example/?x=1&amp;y ok');
  });

  test('the text is decoded once', async () => {
    expect((await saying('&amp;lt; &lt;b&gt; &quot; &#39; &nbsp;')).text).toBe('&lt; <b> &quot; &#39; &nbsp;');
  });

  test('the text keeps short links without an entity', async () => {
    expect((await saying('look https://t.co/a1')).text).toBe('look https://t.co/a1');
    expect((await read('post_photos')).post.text).not.toContain('t.co');
  });

  test.each([
    ['no target', { start: 5, end: 20, url: 'https://t.co/a1' }],
    [
      'a place that is not in the text',
      { start: 5, end: 20, url: 'https://t.co/zz', expanded_url: 'https://a.example/' },
    ],
  ])('the text keeps a short link whose entity has %s', async (_, entity) => {
    const post = await saying('look https://t.co/a1 here', { entities: { urls: [entity] } });
    expect([post.text, post.links]).toEqual(['look https://t.co/a1 here', []]);
  });

  test('the text keeps a link to another site at the end', async () => {
    const entities = { urls: [link(5, 'https://t.co/a1', 'https://x.com/bob/status/7/photo/1')] };
    expect((await saying('look https://t.co/a1', { entities })).text).toBe('look https://x.com/bob/status/7/photo/1');
  });

  test('the text keeps a link to the pictures of another post at the end', async () => {
    const { text } = await readAltered('post_video', (data) =>
      Object.assign(data, {
        text: 'look https://t.co/a1 https://t.co/b2',
        entities: {
          urls: [
            link(5, 'https://t.co/a1', 'https://x.com/bob/status/7/photo/1'),
            link(21, 'https://t.co/b2', `https://x.com/ada_larsson/status/${String(data['id'])}/video/1`),
          ],
        },
      }),
    );
    expect(text).toBe('look https://x.com/bob/status/7/photo/1');
  });

  test('the text loses a short link without an entity at the end when the post has media or a quote', async () => {
    const post = await readAltered('post_quote', (data) => Object.assign(data, { entities: {} }));
    expect(post.text).toBe('They got smaller');
  });

  test('[text 3] only http and https URLs become links', async () => {
    const post = await saying('h https://t.co/a1', {
      entities: { urls: [link(2, 'https://t.co/a1', 'javascript:alert(1)', { title: 'x' })] },
    });
    expect(post.links).toEqual([]);
    expect(post.card).toBeUndefined();
  });
});

describe('lists of the official API', () => {
  test('an account without a usable handle is left out', async () => {
    const body = { data: [{ id: '1', username: 'no handle' }, { id: '2', username: 'ada' }, null], meta: {} };
    const page = { cursor: '7:T', size: 5 };
    const { items } = foundIn(await providerWith(body).readUsers({ list: 'followers', handle: 'x' })?.(page, BUDGET));
    expect(items.map(({ handle }) => handle)).toEqual(['ada']);
  });

  const search = { list: 'search', query: 'tide', feed: 'latest' } as const;

  test('a repost in a list is the original post, or is left out when that is missing', async () => {
    const outcome = await providerWith(bodyOf('search_repost')).readPosts(search)({ size: 10 }, BUDGET);
    expect(foundIn(outcome).items).toMatchObject([
      { id: '2032048958469046864', reposted_by: { handle: 'bob_okafor' } },
      { id: '2034000000000000007' },
    ]);
  });

  test('a search has the warning recent_only, also without results', async () => {
    const recent = [expect.objectContaining({ code: 'recent_only' })];
    const some = await providerWith(bodyOf('search_recent')).readPosts(search)({ size: 10 }, BUDGET);
    expect(some).toMatchObject({ warnings: recent });
    expect(foundIn(some).items).toHaveLength(2);
    const none = await providerWith(bodyOf('search_empty')).readPosts(search)({ size: 10 }, BUDGET);
    expect(none).toEqual({ kind: 'found', value: { items: [] }, source: 'x_api', fetchedAt: NOW, warnings: recent });
  });
});
