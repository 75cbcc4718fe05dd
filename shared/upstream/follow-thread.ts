// Completes a thread with further provider calls.
//
// After each call the thread is assembled from all excerpts. The next query is about the first of these that was not yet
// requested: the last parts of unconnected branches, the last part of the thread and of its other long branches, unconnected
// single posts, a missing ancestor. The loop ends if there is no such query, or after 5 provider calls for one post (2 if the
// post has no thread).
//
// If a call brings no excerpt, or if calls run out, the thread has what the other calls brought, and `isWhole` is false.
import { isTombstone } from '../model/conversation.ts';
import { isSameHandle } from '../model/handle.ts';
import type { Post } from '../model/post.ts';
import { type AssembledThread, assembleThread, type Excerpt } from './assemble-thread.ts';

/** The maximum of provider calls for one post, including the first call (requirements: threads). */
const MAX_CALLS = 5;
/** The maximum for a post without a thread. */
export const MAX_CALLS_WITHOUT_THREAD = 2;

export interface PartialExcerpt extends Excerpt {
  /** The provider can have more posts below. It is not used of an excerpt about an ancestor. @default false */
  readonly hasMore?: boolean;
}

export interface ThreadQuery {
  readonly about: 'part' | 'ancestor';
  readonly id: string;
}

export interface ThreadQueryResult {
  /** Undefined: the provider did not answer or does not have the post. */
  readonly excerpt: PartialExcerpt | undefined;
  /** The number of provider calls. */
  readonly calls: number;
}

/** @param maxCalls the maximum of provider calls, at least 1 */
export type QueryThread = (query: ThreadQuery, maxCalls: number) => Promise<ThreadQueryResult>;

export interface FollowedThread extends AssembledThread {
  /** No part is known to be missing. */
  readonly isWhole: boolean;
  /** The number of provider calls that are left for the post. */
  readonly callsLeft: number;
}

const hasThread = ({ author }: Post, { ancestors, thread }: AssembledThread): boolean => {
  const parent = ancestors.at(-1);
  const parentAuthor = parent === undefined || isTombstone(parent) ? undefined : parent.author;
  return thread.length > 0 || isSameHandle(parentAuthor?.handle, author?.handle);
};

const tipsOf = ({ tip, sideTips }: AssembledThread): readonly string[] => [tip, ...sideTips];

/** A single unconnected post comes last: mostly it is one that X recommends. */
const nextQuery = (
  assembled: AssembledThread,
  requested: Record<ThreadQuery['about'], Set<string>>,
): ThreadQuery | undefined => {
  const { unconnected, above } = assembled;
  const unconnectedTips = (isSingle: boolean): readonly string[] =>
    unconnected.filter((branch) => branch.isSingle === isSingle).map(({ tip }) => tip);
  const tips = [...unconnectedTips(false), ...tipsOf(assembled), ...unconnectedTips(true)];
  const part = tips.find((id) => !requested.part.has(id));
  if (part !== undefined) return { about: 'part', id: part };
  return above === undefined || requested.ancestor.has(above) ? undefined : { about: 'ancestor', id: above };
};

export interface ThreadStart {
  readonly post: Post;
  /** The excerpt of the first call. */
  readonly excerpt: PartialExcerpt;
  /** The first call included the posts of the author below the post. */
  readonly showsContinuation: boolean;
  /** The number of provider calls so far. @default 1 */
  readonly calls?: number;
}

export const followThread = async (
  { post, excerpt, showsContinuation, calls: callsBefore = 1 }: ThreadStart,
  queryThread: QueryThread,
): Promise<FollowedThread> => {
  const excerpts: Excerpt[] = [excerpt];
  const requested = { part: new Set<string>(showsContinuation ? [post.id] : []), ancestor: new Set<string>() };
  let assembled = assembleThread(post, excerpts);
  if (!excerpt.hasMore) for (const id of tipsOf(assembled)) requested.part.add(id);
  let calls = callsBefore;
  let isAnswered = true;
  const maxCalls = (): number => (hasThread(post, assembled) ? MAX_CALLS : MAX_CALLS_WITHOUT_THREAD);
  for (;;) {
    const query = nextQuery(assembled, requested);
    if (query === undefined) break;
    const callsLeft = maxCalls() - calls;
    if (callsLeft < 1) {
      isAnswered = false;
      break;
    }
    requested[query.about].add(query.id);
    const result = await queryThread(query, callsLeft);
    calls += result.calls;
    if (result.excerpt === undefined) {
      isAnswered = false;
      continue;
    }
    excerpts.push(result.excerpt);
    const before = new Set(tipsOf(assembled));
    assembled = assembleThread(post, excerpts);
    // The excerpt has brought the other last parts.
    const isWhole = query.about === 'part' && !result.excerpt.hasMore;
    if (isWhole) for (const id of tipsOf(assembled)) if (!before.has(id)) requested.part.add(id);
  }
  const { hasGap, unconnected, above } = assembled;
  const isWhole = isAnswered && !hasGap && unconnected.length === 0 && above === undefined;
  return { ...assembled, isWhole, callsLeft: maxCalls() - calls };
};
