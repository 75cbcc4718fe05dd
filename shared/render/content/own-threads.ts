// Finds the threads of accounts among the posts of a list: posts with which an account continues its own.
import { isSameHandle } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import { byAge } from '../../model/snowflake.ts';

/** A repost stands alone, also one of an own post. */
export const isOwn = ({ reposted_by: reposter }: Post): boolean => reposter === undefined;

/** @returns a function that finds the first known post of the thread of a post; the post itself if it continues none of them */
export const threadStarts = (posts: readonly Post[]): ((post: Post) => Post) => {
  const byId = new Map(posts.filter(isOwn).map((post) => [post.id, post]));
  const answeredBy = (post: Post): Post | undefined => {
    const parent = isOwn(post) ? byId.get(post.in_reply_to?.id ?? '') : undefined;
    return isSameHandle(parent?.author?.handle, post.author?.handle ?? '') ? parent : undefined;
  };
  return (post) => {
    let first = post;
    // An answer has a larger id than its parent, so this ends.
    for (let parent = answeredBy(first); parent && byAge(parent, first) < 0; parent = answeredBy(parent))
      first = parent;
    return first;
  };
};

/** What is known of a thread. */
export interface SeenThread {
  /** At least 2. */
  readonly parts: number;
  readonly last: Post;
}

const NONE: ReadonlyMap<string, SeenThread> = new Map();

/** A page of a provider has fewer. The bound limits the work for a hostile one. */
const MAX_BESIDE = 200;

/** @param beside posts that the source gave with the list @returns by the id of the first post */
export const seenThreads = (posts: readonly Post[], beside: readonly Post[]): ReadonlyMap<string, SeenThread> => {
  if (beside.length === 0 && posts.every(({ in_reply_to: parent }) => parent === undefined)) return NONE;
  const all = [
    ...new Map([...posts, ...beside.slice(0, MAX_BESIDE)].filter(isOwn).map((post) => [post.id, post])).values(),
  ];
  const startOf = threadStarts(all);
  const seen = new Map<string, SeenThread>();
  for (const post of all) {
    const { id } = startOf(post);
    const { parts = 0, last = post } = seen.get(id) ?? {};
    seen.set(id, { parts: parts + 1, last: byAge(last, post) < 0 ? post : last });
  }
  return new Map([...seen].filter(([, { parts }]) => parts > 1));
};

export const threadLabel = (parts: number): string => `Thread of ${parts} posts`;

/** The words of the link from the first post of a thread. A list need not have seen all parts. */
export const threadStartLabel = (parts: number): string => `Show this thread, ${parts} posts or more`;
