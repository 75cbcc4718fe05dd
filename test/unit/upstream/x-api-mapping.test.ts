// Tests the mapping of posts and profiles of the official API. Every response gives a valid result or a failed outcome.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import type { Post } from '../../../shared/model/post.ts';
import { Conversation } from '../../../shared/model/resources.ts';
import type { Outcome, PostRequest } from '../../../shared/ports/upstream.ts';
import { createXApi, type XApi } from '../../../shared/upstream/x-api/provider.ts';
import { readingAt } from '../../support/clocks.ts';
import { json, providerCalling } from '../../support/provider-calls.ts';
import { whole } from '../../support/whole.ts';
import { type Spelling, spelled, spellings } from '../../support/x-api-words.ts';

const NOW = Date.parse('2026-08-25T00:00:00Z');
const BUDGET = { deadline: readingAt(NOW + 8000), calls: { retries: 0 } };

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const fixture = (file: string): Json =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8'));
const bodyOf = (name: string): Json => fixture(`x_api/${name}.json`);

const exchanges: readonly { file: string; path: string; status: number }[] = Object.values(
  fixture('x_api/manifest.json'),
).filter((entry): entry is { file: string; path: string; status: number } => isRecord(entry) && 'file' in entry);

const providerWith = (body: unknown): XApi => providerCalling(createXApi, () => json(body), NOW);

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

const reading = (spelling: Spelling) => {
  const read = async (name: string, body: unknown = bodyOf(name), request: Omit<PostRequest, 'id'> = FULL) => {
    const outcome = await providerWith(spelled(body, spelling)).readPost({ id: idOf(name), ...request }, BUDGET);
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

  return { read, readAltered, saying };
};

describe.each(spellings)('a post of the official API in %s words', (spelling) => {
  const { read } = reading(spelling);

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

/** A long post with its figures, a quote and an answered post. */
const LONG: Json = {
  data: {
    id: '2085900000000000900',
    text: 'Harbour log. Cut here',
    note_post: { text: 'Harbour log. Here is the rest of the long text.' },
    author_id: '880001',
    created_at: '2026-08-06T10:00:00.000Z',
    edit_history_post_ids: ['2085900000000000899', '2085900000000000900'],
    in_reply_to_user_id: '880002',
    public_metrics: { like_count: 57, repost_count: 7 },
    referenced_posts: [
      { type: 'quoted', id: '2085900000000000700' },
      { type: 'replied_to', id: '2085900000000000800' },
    ],
  },
  includes: {
    users: [
      { id: '880001', username: 'lena_quay', name: 'Lena', public_metrics: { followers_count: 10, post_count: 29 } },
      { id: '880002', username: 'omar_vell', name: 'Omar' },
    ],
    posts: [
      { id: '2085900000000000700', text: 'The quoted post.', public_metrics: { repost_count: 2 } },
      { id: '2085900000000000800', text: 'The answered post.', author_id: '880002' },
    ],
  },
};

test.each(spellings)('[provider-faults 15] a post in %s words has all that X calls by two names', async (spelling) => {
  const readLong = async (id: string) =>
    foundIn(await providerWith(spelled(LONG, spelling)).readPost({ id, thread: 'off', replies: 'off' }, BUDGET)).post;
  const post = await readLong('2085900000000000900');
  expect(post).toMatchObject({
    text: 'Harbour log. Here is the rest of the long text.',
    metrics: { reposts: 7 },
    author: { metrics: { posts: 29 } },
    quote: { text: 'The quoted post.', metrics: { reposts: 2 } },
    in_reply_to: { handle: 'omar_vell', id: '2085900000000000800' },
  });
  expect(whole(await readLong('2085900000000000899'))).toBe(whole(post));
});

describe.each(spellings)('the text of a post in %s words', (spelling) => {
  const { readAltered, saying } = reading(spelling);

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

  test('[text 3] only http and https URLs become links', async () => {
    const post = await saying('h https://t.co/a1', {
      entities: { urls: [link(2, 'https://t.co/a1', 'javascript:alert(1)', { title: 'x' })] },
    });
    expect(post.links).toEqual([]);
    expect(post.card).toBeUndefined();
  });
});
