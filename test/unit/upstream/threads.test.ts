// Tests threads of FxTwitter that lack parts. Whole ones are in threads-property.test.ts and functions/posts/threads.test.ts.
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { PostRequest } from '../../../shared/ports/upstream.ts';
import { type LaidOut, layoutOf, type RawPost } from '../../support/conversation-layout.ts';
import { chainOf, type Fault, idsOf, rawPosts, threadReader, type WrittenPost } from '../../support/threads.ts';

interface Seen {
  readonly ancestors: readonly string[];
  readonly thread: readonly string[];
  readonly replies: readonly string[];
  readonly warnings: readonly string[];
  readonly calls: readonly string[];
  readonly value: Conversation;
}

const BARE: LaidOut = { status: 404, body: { status: null, thread: null, replies: null, author: null, code: 404 } };

const readFrom = async (
  layout: ReturnType<typeof layoutOf>,
  id: string,
  rest: Partial<PostRequest> = {},
  fault?: Fault,
): Promise<Seen> => {
  const reader = threadReader(layout, fault);
  const outcome = await reader.read({ id, thread: 'full', replies: 'top', ...rest });
  if (outcome.kind !== 'found') throw new Error(outcome.kind);
  const { ancestors, thread, replies } = outcome.value;
  return {
    ancestors: idsOf(ancestors),
    thread: idsOf(thread),
    replies: idsOf(replies),
    warnings: outcome.warnings.map(({ code }) => code),
    calls: reader.calls,
    value: outcome.value,
  };
};

const readWritten = (posts: readonly WrittenPost[], id: string, rest?: Partial<PostRequest>, fault?: Fault) =>
  readFrom(layoutOf(rawPosts(posts)), id, rest, fault);

test('[threads 1] parts with a previous handle of the author belong to the thread', async () => {
  const layout = layoutOf(
    rawPosts(chainOf(4)).map((post, index) => ({
      ...post,
      replying_to: index === 0 ? null : { screen_name: 'ada_before', status: String(1000 + index) },
    })),
  );
  expect((await readFrom(layout, '1001')).thread).toEqual(['1002', '1003', '1004']);
});

describe('a deleted part', () => {
  const withDeleted = (part: number, length = 25): WrittenPost[] =>
    chainOf(length).map((post, index) => (index + 1 === part ? { ...post, gone: 'deleted' } : post));
  const all = idsOf(chainOf(25));

  test.each([2, 5, 11, 12, 15, 24])(
    '[threads 1] [threads 2] a deleted part stays in its place as a tombstone: part %i',
    async (part) => {
      for (const [index, id] of all.entries()) {
        if (index + 1 === part) continue;
        const seen = await readWritten(withDeleted(part), id);
        expect([...seen.ancestors, id, ...seen.thread], `from ${id}`).toEqual(all);
        expect(seen.calls.length).toBeLessThanOrEqual(5);
        expect(seen.warnings).toEqual([]);
        const shown = [...seen.value.ancestors, ...seen.value.thread].find((entry) => entry.id === all[part - 1]);
        expect(shown).toEqual({ id: all[part - 1], unavailable: true, reason: 'deleted' });
      }
    },
  );

  test('[threads 1] a deleted part without a tombstone leaves the other parts and a warning', async () => {
    const hidden: Fault = (route, id, call) => {
      const { status, body } = layoutOf(rawPosts(withDeleted(5, 9))).answer(route, id, new URLSearchParams());
      const thread = Array.isArray(body['thread']) ? body['thread'] : [];
      return { status, body: { ...body, thread: thread.filter((entry: RawPost) => entry['type'] === 'status'), call } };
    };
    const seen = await readWritten(withDeleted(5, 9), '1001', {}, hidden);
    expect(seen.thread).toEqual(idsOf(chainOf(9)).filter((id) => id !== '1001' && id !== '1005'));
    expect(seen.warnings).toEqual(['thread_incomplete']);
  });
});

describe('parts that cannot be read', () => {
  const long = idsOf(chainOf(130));

  test('[threads 1] [threads 2] a very long thread ends after 5 calls with a warning and with its parts in order', async () => {
    const seen = await readWritten(chainOf(130), '1001');
    expect(seen.calls).toHaveLength(5);
    expect(seen.thread.length).toBeGreaterThanOrEqual(45);
    expect(seen.thread).toEqual(long.slice(1, seen.thread.length + 1));
    expect(seen.warnings).toEqual(['thread_incomplete']);
    const fromTheEnd = await readWritten(chainOf(130), '1130');
    expect(fromTheEnd.ancestors).toEqual(long.slice(0, -1));
    expect(fromTheEnd.warnings).toEqual([]);
  });

  test.each<readonly [string, LaidOut | 'down']>([
    ['a bare 404', BARE],
    ['an outage', 'down'],
    ['another post', { status: 200, body: { code: 200, status: { id: '9', text: 'x' }, thread: [], replies: [] } }],
    ['the post alone', { status: 200, body: { code: 200, status: { id: '1011', text: 'x' }, thread: null } }],
    ['rubbish', { status: 200, body: { code: 'x', status: [], thread: {} } }],
  ])('[threads 1] %s instead of the following parts gives a warning and keeps the other parts', async (_, answer) => {
    const seen = await readWritten(chainOf(25), '1001', {}, (_route, _id, call) => (call > 1 ? answer : undefined));
    expect(seen.thread).toEqual(long.slice(1, 11));
    expect(seen.warnings).toEqual(['thread_incomplete']);
    expect(seen.calls.length).toBeLessThanOrEqual(answer === 'down' ? 2 : 5);
  });

  test('[threads 1] [threads 2] the thread query replaces a failed conversation query', async () => {
    const seen = await readWritten(chainOf(25), '1001', {}, (route, _id, call) =>
      route === 'conversation' && call > 1 ? BARE : undefined,
    );
    expect(seen.thread).toEqual(long.slice(1, 25));
    expect(seen.calls).toHaveLength(5);
    expect(seen.warnings).toEqual([]);
  });

  test('[threads 1] a provider that repeats its response ends the thread', async () => {
    const first = layoutOf(rawPosts(chainOf(25))).answer('conversation', '1001', new URLSearchParams()).body;
    const repeated: Fault = (route, id, call) =>
      call === 1 ? undefined : { status: 200, body: { ...first, status: { ...rawPosts(chainOf(25))[10], route, id } } };
    const seen = await readWritten(chainOf(25), '1001', {}, repeated);
    expect(seen.thread).toEqual(long.slice(1, 11));
    expect(seen.calls).toHaveLength(2);
  });
});

describe('missing ancestors', () => {
  const talk: readonly WrittenPost[] = [
    { id: '1001', by: 'ada' },
    { id: '1002', by: 'bob', to: '1001' },
    { id: '1003', by: 'eve', to: '1002' },
    { id: '1004', by: 'zoe', to: '1003' },
  ];
  /** The first response lacks these entries. */
  const lacking =
    (...ids: readonly string[]): Fault =>
    (route, id, call) => {
      const { status, body } = layoutOf(rawPosts(talk)).answer(route, id, new URLSearchParams());
      const thread = Array.isArray(body['thread']) ? body['thread'] : [];
      const kept = thread.filter((entry: RawPost) => !ids.includes(String(entry['id'])));
      return { status, body: { ...body, thread: call === 1 ? kept : thread } };
    };

  test.each([[['1001', '1002', '1003']], [['1001', '1002']], [['1001']], [['1002']], [['1003']]])(
    '[threads 1] [threads 2] missing ancestors are read with one more call: %j',
    async (ids) => {
      const seen = await readWritten(talk, '1004', {}, lacking(...ids));
      expect(seen.ancestors).toEqual(['1001', '1002', '1003']);
      expect(seen.warnings).toEqual([]);
      expect(seen.calls).toHaveLength(2);
    },
  );

  test('[threads 1] deleted ancestors are tombstones with their reason', async () => {
    const gone: LaidOut = {
      status: 404,
      body: { code: 404, status: { type: 'tombstone', reason: 'deleted', id: '1003' }, thread: null },
    };
    const seen = await readWritten(talk, '1004', {}, (route, id, call) =>
      call === 1 ? lacking('1001', '1002', '1003')(route, id, call) : gone,
    );
    expect(seen.value.ancestors).toEqual([{ id: '1003', unavailable: true, reason: 'deleted' }]);
    expect(seen.warnings).toEqual([]);
  });

  test('[threads 2] ancestors that come one by one take no third call', async () => {
    const onlyItself: Fault = (route, id) => {
      const { status, body } = layoutOf(rawPosts(talk)).answer(route, id, new URLSearchParams());
      return { status, body: { ...body, thread: [body['status']] } };
    };
    const seen = await readWritten(talk, '1004', {}, onlyItself);
    expect(seen.ancestors).toEqual(['1003']);
    expect(seen.warnings).toEqual(['thread_incomplete']);
    expect(seen.calls).toHaveLength(2);
  });

  test('[threads 1] ancestors that cannot be read give a warning', async () => {
    const seen = await readWritten(talk, '1004', {}, (route, id, call) =>
      call === 1 ? lacking('1001', '1002')(route, id, call) : BARE,
    );
    expect(seen.ancestors).toEqual(['1003']);
    expect(seen.warnings).toEqual(['thread_incomplete']);
    expect(seen.calls).toHaveLength(2);
  });
});

describe('hostile conversations', () => {
  const authorPost = (id: string, to: string | null, by = 'ada') => ({
    type: 'status',
    id,
    text: 'x',
    author: { screen_name: by },
    source: 'Web',
    replying_to: to === null ? null : { screen_name: by, status: to },
  });
  const focal = authorPost('1001', null);
  const readAmong = (replies: readonly RawPost[]): Promise<Seen> => {
    const body = { code: 200, author: null, status: focal, thread: [focal], replies, cursor: null };
    return readFrom(layoutOf([]), '1001', {}, () => ({ status: 200, body }));
  };

  test('[threads 1] posts that answer each other in a circle are not parts', async () => {
    const seen = await readAmong([
      authorPost('1002', '1003'),
      authorPost('1003', '1002'),
      authorPost('1004', '1004'),
      authorPost('1005', '1001'),
    ]);
    expect(seen.thread).toContain('1005');
    expect(new Set([...seen.thread, ...seen.replies]).size).toBe(seen.thread.length + seen.replies.length);
    expect(seen.calls.length).toBeLessThanOrEqual(5);
  });

  test('[threads 1] a chain of 10,000 posts does not overflow the stack', async () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => authorPost(String(1002 + index), String(1001 + index)));
    const seen = await readAmong(chain.toReversed());
    expect(seen.thread).toEqual(idsOf(chain));
    expect(seen.calls).toHaveLength(1);
  });

  test('[threads 1] 10,000 unconnected posts of the author end after 5 calls', async () => {
    const loose = Array.from({ length: 10_000 }, (_, index) =>
      authorPost(String(3001 + 2 * index), String(2000 + 2 * index)),
    );
    const seen = await readAmong(loose);
    expect(seen.calls.length).toBeLessThanOrEqual(5);
    expect(seen.warnings).toEqual(['thread_incomplete']);
  });
});

test('[threads 1] a thread of which the author continued the first post twice has both branches, or a warning', async () => {
  const branch = (start: number, length: number): WrittenPost[] =>
    Array.from({ length }, (_, index) => ({
      id: String(start + index),
      by: 'ada',
      to: index === 0 ? '1000' : String(start + index - 1),
    }));
  const partsWith = async (first: number, second: number) => {
    const posts: WrittenPost[] = [{ id: '1000', by: 'ada' }, ...branch(1100, first), ...branch(2100, second)];
    const { thread, warnings } = await readFrom(layoutOf(rawPosts(posts)), '1000');
    return [thread.length, warnings];
  };
  expect(await partsWith(25, 3)).toEqual([28, []]);
  expect(await partsWith(25, 15)).toEqual([40, []]);
  expect(await partsWith(15, 25)).toEqual([40, []]);
  expect(await partsWith(25, 45)).toEqual([expect.any(Number), ['thread_incomplete']]);
});
