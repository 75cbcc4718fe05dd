import { describe, expect, test } from 'vitest';
import type { PostInput } from '../../../shared/contract/inputs.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { Conversation, Warning } from '../../../shared/model/resources.ts';
import type { Deadline } from '../../../shared/ports/system.ts';
import type { Outcome, PostRequest } from '../../../shared/ports/upstream.ts';
import { readPost, withConversationParts } from '../../../shared/reads/post/read.ts';
import { clocksOf, readingAt } from '../../support/clocks.ts';
import { conversation, found, NOW, post, postUpstreamReturning } from '../../support/test-app.ts';

type UpstreamRequest = readonly [PostRequest, Deadline];

const input = (id: string, rest: Partial<PostInput> = {}): PostInput => ({
  ref: { id, handle: 'jack' },
  thread: 'full',
  replies: 'top',
  ...rest,
});

const createTestUpstream = (outcome: Outcome<Conversation>) => {
  const requests: UpstreamRequest[] = [];
  const upstream = {
    readPost: async (request: PostRequest, deadline: Deadline) => {
      requests.push([request, deadline]);
      return outcome;
    },
  };
  return { requests, read: (what: PostInput) => readPost(what, { upstream, ...clocksOf(() => NOW) }) };
};

test('readPost has a deadline of 8 seconds', async () => {
  const { requests, read } = createTestUpstream(found(conversation('20')));
  await read(input('20', { thread: 5, replies: 'off' }));
  expect(requests).toEqual([[{ id: '20', handle: 'jack', thread: 5, replies: 'off' }, readingAt(NOW + 8000)]]);
});

describe('the id of a post', () => {
  const EPOCH = 1288834974657n;
  const madeAt = (milliseconds: number, sequence = 0): string =>
    String(((BigInt(milliseconds) - EPOCH) << 22n) + BigInt(sequence));
  const LAST_OF_A_MILLISECOND = 2 ** 22 - 1;

  test.each([
    ['[ids 4] made now', madeAt(NOW)],
    ['[ids 4] made within the tolerance for clocks', madeAt(NOW + 60_000, LAST_OF_A_MILLISECOND)],
    ['[ids 5] of 2006', '20'],
    ['[ids 5] without any time in it', '1'],
    ['[ids 5] just below the first that has one', String(2 ** 22 - 1)],
    ['[ids 5] of before snowflakes', '17723456789'],
  ])('readPost requests %s from the upstream', async (_, id) => {
    const { requests, read } = createTestUpstream(found(conversation(id)));
    expect((await read(input(id))).value.post.id).toBe(id);
    expect(requests).toHaveLength(1);
  });
});

describe('the limits of a request', () => {
  const whole: Conversation = {
    post: post('20'),
    ancestors: [post('10')],
    thread: ['21', '22', '23', '24'].map((id) => post(id)),
    replies: [post('30')],
  };
  const sizes = async (rest: Partial<PostInput>) => {
    const { ancestors, thread, replies } = (await createTestUpstream(found(whole)).read(input('20', rest))).value;
    return [ancestors.length, thread.length, replies.length];
  };

  test('readPost leaves out parts that the request excludes although the upstream returned them', async () => {
    expect(await sizes({})).toEqual([1, 4, 1]);
    expect(await sizes({ thread: 3 })).toEqual([1, 3, 1]);
    expect(await sizes({ thread: 'off' })).toEqual([0, 0, 1]);
    expect(await sizes({ replies: 'off' })).toEqual([1, 4, 0]);
    expect(whole.thread).toHaveLength(4);
  });
});

describe('thread_incomplete', () => {
  const answering = (id: string, parent: string): Conversation['post'] => ({
    ...post(id),
    in_reply_to: { handle: 'jack', id: parent },
  });
  const thread = [answering('21', '20'), answering('22', '21'), answering('23', '22')];
  const incomplete = { code: 'thread_incomplete', message: 'more' };
  const other = { code: 'text_incomplete', message: 'cut' };

  const codes = async (limit: PostInput['thread'], conversation: Partial<Conversation>) => {
    const whole = { post: answering('20', '10'), ancestors: [post('10')], thread, replies: [], ...conversation };
    const { warnings } = await createTestUpstream(found(whole, [incomplete, other])).read(
      input('20', { thread: limit }),
    );
    return warnings.map(({ code }) => code);
  };
  const BOTH = ['thread_incomplete', 'text_incomplete'];

  test.each<readonly [string, PostInput['thread'], Partial<Conversation>, readonly string[]]>([
    ['as many posts as requested', 3, {}, ['text_incomplete']],
    ['more posts than requested', 2, {}, ['text_incomplete']],
    ['fewer posts than requested', 4, {}, BOTH],
    ['no limit', 'full', {}, BOTH],
    ['a post missing in the thread', 3, { thread: [answering('21', '20'), answering('23', '22'), post('24')] }, BOTH],
    ['a post missing before its end', 2, { thread: [answering('21', '20'), answering('23', '22')] }, BOTH],
    [
      'a post missing behind the limit',
      1,
      { thread: [answering('21', '20'), answering('23', '22')] },
      ['text_incomplete'],
    ],
    ['a post missing before the post', 3, { ancestors: [] }, BOTH],
  ])('readPost warns unless the thread is complete up to the limit: %s', async (_, limit, conversation, expected) => {
    expect(await codes(limit, conversation)).toEqual(expected);
  });
});

describe('more_replies', () => {
  const counting = (replies: number | null): Conversation['post'] => {
    const focal = post('20');
    return { ...focal, metrics: { ...focal.metrics, replies } };
  };
  const answer = (id: string, to: string) => ({ ...post(id), in_reply_to: { id: to } });
  const warningsOf = async (value: Conversation, input: Partial<PostInput> = {}, known: readonly Warning[] = []) => {
    const upstream = postUpstreamReturning(found(value, known));
    const ref = { id: '20' };
    const result = await readPost(
      { ref, thread: 'full', replies: 'top', ...input },
      { upstream, ...clocksOf(() => NOW) },
    );
    return result.warnings.map(({ code, message }) => (code === 'more_replies' ? message : code));
  };
  const five = ['31', '32', '33', '34', '35'].map((id) => answer(id, '20'));
  const value: Conversation = { ...conversation('20'), post: counting(9), replies: [...five, answer('36', '35')] };

  test('[threads 2] an answer with fewer replies than the post has counts them and names the list and the tool', async () => {
    expect(await warningsOf(value)).toEqual([
      '5 of 9 replies are shown. All replies: /api/v1/posts/20/replies, or the tool x_list_replies with the id 20.',
    ]);
  });

  test.each<readonly [string, Conversation, Partial<PostInput>, readonly Warning[]]>([
    ['replies=off', value, { replies: 'off' }, []],
    ['as many replies as the post has', { ...value, post: counting(5) }, {}, []],
    ['an unknown number of replies', { ...value, post: counting(null) }, {}, []],
    [
      'a thread whose first part is the last reply',
      { ...value, post: counting(6), thread: [answer('21', '20')] },
      {},
      [],
    ],
    ['a provider without replies', value, {}, [{ code: 'replies_unavailable', message: 'none' }]],
  ])('[threads 2] there is no warning with %s', async (_, conversation, input, known) => {
    expect(await warningsOf(conversation, input, known)).toEqual(known.map(({ code }) => code));
  });
});

const PREVIEW: Post['article'] = { title: 'Fjords', preview_text: 'They are deep.', blocks: [] };
const WHOLE: Post['article'] = { title: 'Fjords', blocks: [{ type: 'divider' }] };

test.each<readonly [string, Partial<Conversation>, readonly string[]]>([
  ['a quote', { post: { ...post('20'), quote: { ...post('10'), article: PREVIEW } } }, ['article_previews']],
  [
    'a quote of a quote',
    { post: { ...post('20'), quote: { ...post('10'), quote: { ...post('9'), article: PREVIEW } } } },
    ['article_previews'],
  ],
  ['a reply', { replies: [{ ...post('30'), article: PREVIEW }] }, ['article_previews']],
  ['a quote with all of it', { post: { ...post('20'), quote: { ...post('10'), article: WHOLE } } }, []],
  ['the post, of which the provider tells', { post: { ...post('20'), article: PREVIEW } }, []],
])('[threads 6] a read warns of the preview of an article in %s', async (_, members, codes) => {
  const { read } = createTestUpstream(found({ ...conversation('20'), ...members }));
  expect((await read(input('20'))).warnings.map(({ code }) => code)).toEqual(codes);
});

describe('a conversation that is too large for one answer', () => {
  const large: Conversation = {
    post: post('50'),
    ancestors: ['10', '20', '30'].map((id) => post(id)),
    thread: ['60', '70'].map((id) => post(id)),
    replies: ['80', '90'].map((id) => post(id)),
  };

  const keptOf = (count: number): readonly string[] => {
    const whole = { value: large, source: 'fxtwitter', fetchedAt: 0, warnings: [] };
    const { value } = withConversationParts(whole).parts?.keep(count) ?? whole;
    return [...value.ancestors, ...value.thread, ...value.replies].map(({ id }) => id);
  };

  test.each([
    [0, []],
    [1, ['60']],
    [2, ['60', '70']],
    [3, ['30', '60', '70']],
    [4, ['20', '30', '60', '70']],
    [5, ['10', '20', '30', '60', '70']],
    [6, ['10', '20', '30', '60', '70', '80']],
  ])(
    'withConversationParts() keeps the thread, then the nearest ancestors, then replies: %i posts are %j',
    (count, ids) => {
      expect(keptOf(count)).toEqual(ids);
    },
  );

  test('a reduced conversation says how many posts are left out, and can be reduced again', () => {
    const warnings = [{ code: 'text_incomplete', message: 'cut' }];
    const { parts } = withConversationParts({ value: large, source: 'fxtwitter', fetchedAt: 5, warnings });
    expect(parts).toMatchObject({ count: 7, minimum: 0 });
    const told = (posts: string) => ({
      code: 'truncated',
      message: `The answer would be too large: ${posts} of the conversation left out. Read them one by one, or pass replies=off.`,
    });
    const six = parts?.keep(6);
    expect(six).toMatchObject({ source: 'fxtwitter', fetchedAt: 5, warnings: [...warnings, told('1 post')] });
    expect(parts?.keep(5).warnings).toEqual([...warnings, told('2 posts')]);
    expect(six?.parts).toMatchObject({ count: 6, minimum: 0 });
    expect(six?.parts?.keep(0).value).toEqual({ post: large.post, ancestors: [], thread: [], replies: [] });
    expect(parts?.keep(7).value).toEqual(large);
  });
});
