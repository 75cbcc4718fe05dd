// Compares generated conversations, in the layout of the real service, with an oracle that has only the tree.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LaidOut, layoutOf } from '../../support/conversation-layout.ts';
import { type Fault, idsOf, rawPosts, threadReader, type WrittenPost } from '../../support/threads.ts';

const AUTHORS = ['ada', 'Ada', 'bob', 'eve'] as const;
const FIRST_ID = 1000;
const BARE: LaidOut = { status: 404, body: { status: null, thread: null, replies: null, author: null, code: 404 } };

interface Talk {
  readonly posts: readonly WrittenPost[];
  readonly focal: WrittenPost;
  readonly moduleEntries: number;
  /** Indexes of calls that fail. */
  readonly failing: readonly number[];
}

/** A thread and answers to any of its posts, also by its author. Ids ascend with time. */
const talks: fc.Arbitrary<Talk> = fc
  .record({
    // The parent of each post: the newest part (0) or an earlier post.
    hooks: fc.array(
      fc.record({
        goesOn: fc.boolean(),
        below: fc.nat(200),
        by: fc.constantFrom(...AUTHORS),
        likes: fc.nat(1000),
      }),
      { maxLength: 70 },
    ),
    moduleEntries: fc.integer({ min: 6, max: 12 }),
    focal: fc.nat(200),
    failing: fc.oneof(fc.constant([]), fc.uniqueArray(fc.integer({ min: 2, max: 5 }), { maxLength: 3 })),
  })
  .map(({ hooks, moduleEntries, focal, failing }) => {
    const posts: WrittenPost[] = [{ id: String(FIRST_ID), by: 'ada' }];
    let newest = 0;
    for (const { goesOn, below, by, likes } of hooks) {
      const index = posts.length;
      const to = goesOn ? newest : below % index;
      posts.push({ id: String(FIRST_ID + index), by: goesOn ? 'ada' : by, to: String(FIRST_ID + to), likes });
      if (goesOn) newest = index;
    }
    const requestedPost = posts[focal % posts.length];
    if (requestedPost === undefined) throw new Error('a talk has posts');
    return { posts, focal: requestedPost, moduleEntries, failing };
  });

/** Has every post and does not use the layout. */
const oracleOf = ({ posts, focal }: Talk) => {
  const find = (id: string | undefined) => posts.find((post) => post.id === id);
  const isOwn = ({ by }: WrittenPost) => by.toLowerCase() === focal.by.toLowerCase();
  const ancestors: string[] = [];
  for (let at = find(focal.to); at !== undefined; at = find(at.to)) ancestors.unshift(at.id);
  const answersTo = (id: string) => posts.filter(({ to }) => to === id);
  const ownBelow = (id: string): string[] =>
    answersTo(id)
      .filter(isOwn)
      .flatMap((post) => [post.id, ...ownBelow(post.id)]);
  /** The thread on X: the oldest answer of the author, then the oldest answer to that one, and so on. */
  const line = (id: string): string[] => {
    const next = answersTo(id).find(isOwn);
    return next === undefined ? [] : [next.id, ...line(next.id)];
  };
  const below = (id: string): string[] => answersTo(id).flatMap((post) => [post.id, ...below(post.id)]);
  return {
    ancestors,
    parts: new Set(ownBelow(focal.id)),
    line: line(focal.id),
    below: new Set(below(focal.id)),
    parentOf: (id: string) => find(id)?.to,
  };
};

const faultOf =
  ({ failing }: Talk): Fault =>
  (_, _id, call) =>
    failing.includes(call) ? BARE : undefined;

test.each(['top', 'recent', 'off'] as const)(
  '[threads 1] [threads 2] every post of every conversation is read as in the oracle with replies=%s',
  async (replies) => {
    await fc.assert(
      fc.asyncProperty(talks, async (talk) => {
        const { posts, focal, moduleEntries } = talk;
        const oracle = oracleOf(talk);
        const reader = threadReader(layoutOf(rawPosts(posts), { moduleEntries }), faultOf(talk));
        const outcome = await reader.read({ id: focal.id, thread: 'full', replies });
        if (outcome.kind !== 'found') throw new Error(outcome.kind);
        const { post, ancestors, thread, replies: shown } = outcome.value;
        const parts = idsOf(thread);
        const isWhole = !outcome.warnings.some(({ code }) => code === 'thread_incomplete');

        expect(post.id).toBe(focal.id);
        expect(idsOf(ancestors)).toEqual(oracle.ancestors);
        // Every part is a part in the oracle and comes after the post that it answers.
        expect(parts.filter((id) => !oracle.parts.has(id))).toEqual([]);
        expect(new Set(parts).size).toBe(parts.length);
        parts.forEach((id, index) => {
          expect([focal.id, ...parts.slice(0, index)]).toContain(oracle.parentOf(id));
        });
        // The thread is in order, and it is complete unless there is a warning.
        const included = oracle.line.filter((id) => parts.includes(id));
        expect(included).toEqual(isWhole ? oracle.line : oracle.line.slice(0, included.length));
        if (talk.failing.length === 0 && oracle.line.length <= 24) expect(isWhole).toBe(true);
        // Replies are posts of other authors, or of the author to other authors.
        expect(idsOf(shown).filter((id) => oracle.parts.has(id) || !oracle.below.has(id))).toEqual([]);
        expect(shown.length).toBeLessThanOrEqual(replies === 'off' ? 0 : 20);
        const isAlone =
          oracle.parts.size === 0 &&
          focal.by.toLowerCase() !== posts.find(({ id }) => id === focal.to)?.by.toLowerCase();
        expect(reader.calls.length).toBeLessThanOrEqual(isAlone ? 2 : 5);
      }),
      { numRuns: 400 },
    );
  },
);
