// Tests which entries of an answer belong to the conversation.
import { describe, expect, test } from 'vitest';
import type { PostOrTombstone } from '../../../shared/model/post.ts';
import { byAge } from '../../../shared/model/snowflake.ts';
import { monotonic } from '../../../shared/model/time.ts';
import type { PostRequest } from '../../../shared/ports/upstream.ts';
import type { LaidOut, RawPost } from '../../support/conversation-layout.ts';
import { layoutOf } from '../../support/conversation-layout.ts';
import { json } from '../../support/provider-calls.ts';
import { clientAnswering } from '../../support/recorded-lists.ts';
import { foundIn } from '../../support/recorded-posts.ts';
import { idsOf, threadReader } from '../../support/threads.ts';

/** An id with a time: each number is an hour. */
const idAt = (hour: number): string => String((BigInt(hour) + 1_000n) * 3_600_000n * 2n ** 22n);

const status = (id: string, by: string, to?: string, toHandle = 'ada'): RawPost => ({
  type: 'status',
  id,
  text: 'x',
  author: { screen_name: by },
  source: 'Web',
  likes: 1,
  replies: 3,
  replying_to: to === undefined ? null : { screen_name: toHandle, status: to },
});

const LONG_AGO = idAt(2);
const POST = idAt(20);
/** No answer has it. */
const UNSEEN = idAt(21);
const [A, B, C, D] = [idAt(22), idAt(23), idAt(24), idAt(25)] as const;
const post = status(POST, 'ada');

const BARE: LaidOut = { status: 404, body: { status: null, thread: null, replies: null, author: null, code: 404 } };

const conversation = (thread: readonly RawPost[], replies: readonly RawPost[] = []): LaidOut => ({
  status: 200,
  body: { code: 200, status: thread.at(-1), thread, replies, cursor: null },
});

/** @param later the answer to each call after the first one */
const readFrom = async (first: LaidOut, later: LaidOut = BARE, rest: Partial<PostRequest> = {}) => {
  const { calls, read } = threadReader(layoutOf([]), (_route, _id, call) => (call === 1 ? first : later));
  const { value, warnings } = foundIn(await read({ id: POST, thread: 'full', replies: 'top', ...rest }));
  return {
    ancestors: idsOf(value.ancestors),
    thread: idsOf(value.thread),
    replies: idsOf(value.replies).toSorted(),
    warnings: warnings.map(({ code }) => code),
    calls: calls.length,
  };
};

const NOTHING = { ancestors: [], thread: [], replies: [], warnings: [], calls: 1 };

test.each<Partial<PostRequest>>([{}, { thread: 'off' }])(
  '[threads 5] what answers nothing is no reply and no part, nor is what answers it, with %j',
  async (rest) => {
    const advertised = [status(A, 'shop'), status(B, 'bob', A, 'shop')];
    const recommended = [status(C, 'ada'), status(D, 'ada', C)];
    const first = conversation([post], [...advertised, ...recommended]);
    expect(await readFrom(first, BARE, rest)).toEqual(NOTHING);
  },
);

describe('a post of the author that answers an unseen post of theirs', () => {
  const first = conversation([post], [status(A, 'ada', UNSEEN), status(B, 'bob', POST)]);

  test('[threads 5] is no part and no reply when the later call fails', async () => {
    expect(await readFrom(first)).toEqual({ ...NOTHING, replies: [B], warnings: ['thread_incomplete'], calls: 2 });
  });

  test('[threads 5] is no part and no reply when the thread is not asked for', async () => {
    expect(await readFrom(first, BARE, { thread: 'off' })).toEqual({ ...NOTHING, replies: [B] });
  });

  test('[threads 5] is no part, without a warning, when the later call shows another thread of theirs', async () => {
    const other = conversation([status(LONG_AGO, 'ada'), status(UNSEEN, 'ada', LONG_AGO), status(A, 'ada', UNSEEN)]);
    expect(await readFrom(first, other)).toEqual({ ...NOTHING, replies: [B], calls: 2 });
  });

  test('[threads 5] is a part when the later call connects it', async () => {
    const connected = conversation([post, status(UNSEEN, 'ada', POST), status(A, 'ada', UNSEEN)]);
    expect(await readFrom(first, connected)).toEqual({ ...NOTHING, thread: [UNSEEN, A], replies: [B], calls: 2 });
  });

  test('[threads 5] leaves a warning when no call shows what it answers', async () => {
    const alone = conversation([status(A, 'ada', UNSEEN)]);
    expect(await readFrom(first, alone)).toMatchObject({ thread: [], warnings: ['thread_incomplete'] });
  });

  test('[threads 5] takes no call when the unseen post is older than the post', async () => {
    expect(await readFrom(conversation([post], [status(A, 'ada', LONG_AGO)]))).toEqual(NOTHING);
  });
});

test('[threads 5] what another account answers to an unseen post is a reply unless that post is older', async () => {
  const replies = [status(A, 'bob', UNSEEN), status(B, 'ada', UNSEEN, 'bob'), status(C, 'eve', LONG_AGO)];
  expect((await readFrom(conversation([post], replies))).replies).toEqual([A, B]);
});

test('[threads 5] answers to an earlier version of an edited post are replies', async () => {
  const version = String(BigInt(POST) - 1_800_000n * 2n ** 22n);
  expect((await readFrom(conversation([post], [status(A, 'bob', version)]))).replies).toEqual([A]);
});

test('[threads 5] a post of a chain that answers nothing is the first one', async () => {
  const reply = status(POST, 'ada', A, 'bob');
  const thread = [status(LONG_AGO, 'shop'), status(A, 'bob'), reply];
  expect((await readFrom(conversation(thread))).ancestors).toEqual([A]);
});

test('[threads 5] a tombstone and the post after it keep their places in a chain', async () => {
  const gone = { type: 'tombstone', id: UNSEEN, reason: 'deleted' };
  const before = [status(LONG_AGO, 'bob'), gone, { ...status(POST, 'ada'), replying_to: null }];
  expect((await readFrom(conversation(before))).ancestors).toEqual([LONG_AGO, UNSEEN]);
  const after = { status: 200, body: { code: 200, status: post, thread: [post, gone, status(A, 'ada')] } };
  expect(await readFrom(after)).toMatchObject({ thread: [UNSEEN, A] });
});

describe('the id of the conversation', () => {
  const idsFrom = async (
    thread: readonly RawPost[],
    replies: readonly RawPost[] = [],
    rest: Partial<PostRequest> = {},
  ) => {
    const { read } = threadReader(layoutOf([]), (_route, _id, call) =>
      call === 1 ? conversation(thread, replies) : BARE,
    );
    const { value } = foundIn(
      await read({ id: String(thread.at(-1)?.['id']), thread: 'full', replies: 'top', ...rest }),
    );
    const nameOf = (entry: PostOrTombstone) => ('text' in entry ? entry.conversation_id : 'gone');
    return [value.post, ...value.ancestors, ...value.thread, ...value.replies.toSorted(byAge)].map(nameOf);
  };

  test('[threads 7] is that of the first post for every post that certainly belongs to it', async () => {
    const replies = [status(A, 'ada', POST), status(B, 'bob', POST), status(C, 'bob', UNSEEN)];
    expect(await idsFrom([post], replies)).toEqual([POST, POST, POST, undefined]);
    const reply = status(B, 'bob', A);
    expect(await idsFrom([post, status(A, 'ada', POST), reply])).toEqual([POST, POST, POST]);
    expect(await idsFrom([post, status(A, 'ada', POST), reply], [], { thread: 'off' })).toEqual([POST]);
  });

  test('[threads 7] is left out when the first post was not read', async () => {
    const gone = { type: 'tombstone', id: POST, reason: 'deleted' };
    expect(await idsFrom([gone, status(A, 'ada', POST)])).toEqual([undefined, 'gone']);
    expect(await idsFrom([status(LONG_AGO, 'ada'), status(A, 'ada', UNSEEN)])).toEqual([undefined, LONG_AGO]);
  });
});

describe('the list of replies', () => {
  const request = { list: 'replies', id: POST, order: 'top' } as const;
  const budget = { deadline: monotonic(Number.MAX_SAFE_INTEGER), calls: { retries: 0 } };
  const replies = [
    status(idAt(30), 'shop'),
    status(A, 'bob', POST),
    status(B, 'eve', A, 'bob'),
    status(C, 'eve', idAt(30), 'shop'),
    status(D, 'ada', UNSEEN),
  ];
  const body = { code: 200, status: post, thread: [post], replies, cursor: { bottom: 'next' } };

  test.each([
    ['the first page', undefined],
    ['a later page', `conversation|ada|${POST}|9|0|0|||token`],
  ])('[threads 5] has the posts that belong to the conversation: %s', async (_, cursor) => {
    const provider = clientAnswering(json(body));
    const { value } = foundIn(await provider.listPosts(request)({ size: 20, ...(cursor && { cursor }) }, budget));
    expect(idsOf(value.items).toSorted()).toEqual([A, B]);
    // Posts that do not belong to the conversation take no room in the cursor.
    expect(value.next).toMatch(new RegExp(`^conversation\\|ada\\|${POST}\\|\\d\\|1\\|0\\|[\\w-]{22}\\|\\|next$`));
  });
});
