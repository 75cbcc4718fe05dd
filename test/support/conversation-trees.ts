// Builds trees of conversations for tests of their forms.

import { createFindings, type Findings, treeOf } from '../../shared/model/conversation-tree.ts';
import type { Post } from '../../shared/model/post.ts';
import type { ConversationTree } from '../../shared/model/resources.ts';
import { postOf, userOf } from './post-models.ts';
import { pick, seededRandom } from './random.ts';

export const idAt = (index: number): string => String(1_900_000_000_000_000_000n + BigInt(index));

/** @param to index of the answered post */
export const answer = (index: number, to: number, members: Partial<Post> = {}): Post =>
  postOf({
    id: idAt(index),
    url: `https://x.com/ada/status/${idAt(index)}`,
    text: `@bo number ${index}`,
    mentions: ['bo'],
    in_reply_to: { id: idAt(to), handle: 'bo' },
    metrics: { likes: 0, reposts: 0, replies: 0, quotes: null, bookmarks: null, views: null },
    ...members,
  });

export const treeWith = (root: Post, entries: readonly Parameters<Findings['add']>[]): ConversationTree => {
  const findings = createFindings();
  findings.add(root);
  for (const entry of entries) findings.add(...entry);
  const { posts, missing } = treeOf(root, findings, true);
  const lost = missing.reduce((sum, { count }) => sum + count, 0);
  return {
    root: root.id,
    posts: [...posts],
    missing: [...missing],
    completeness: { found: posts.length - 1, said: posts.length - 1 + lost },
  };
};

export const root = postOf({
  id: idAt(0),
  url: `https://x.com/bo/status/${idAt(0)}`,
  text: 'The fjord is <quiet> & ]]> "deep".\n=1+1',
  author: userOf('Bo', 'bo'),
  metrics: { likes: 7, reposts: 1, replies: 5, quotes: 1, bookmarks: 0, views: 3_000_000_000 },
});

/** Many answers to the newest post, and some to others. */
export const largeTree = (size: number): ConversationTree => {
  const random = seededRandom(size);
  return treeWith(
    root,
    Array.from({ length: size - 1 }, (_, index): [Post] => [
      answer(index + 1, random() < 0.6 ? Math.floor(random() * (index + 1)) : index, {
        author: userOf('N', pick(random, ['n', 'm'])),
      }),
    ]),
  );
};
