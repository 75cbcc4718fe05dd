// Completes a thread: asks a provider about the last known part, about loose parts and about missing ancestors, until
// nothing is missing or the calls of one read are used up.
import type { Post } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import { type AssembledThread, assembleThread, type Excerpt } from './assemble-thread.ts';

/** Provider calls of one read, the first included (decision 2). */
const MAX_CALLS = 5;
/** The same for a post without a thread. */
const MAX_CALLS_WITHOUT_THREAD = 2;

export interface PartialExcerpt extends Excerpt {
  /** The provider may have more below. */
  readonly hasMore: boolean;
}

export interface ThreadQuery {
  readonly about: 'part' | 'ancestor';
  readonly id: string;
}

export interface ThreadQueryResult {
  /** Undefined: the provider did not answer, or does not know. */
  readonly excerpt: PartialExcerpt | undefined;
  /** Provider calls that it took. */
  readonly calls: number;
}

/** @param maxCalls that it may take, at least 1 */
export type QueryThread = (question: ThreadQuery, maxCalls: number) => Promise<ThreadQueryResult>;

export interface FollowedThread extends AssembledThread {
  readonly isWhole: boolean;
}

const hasThread = ({ author }: Post, { ancestors, thread }: AssembledThread): boolean => {
  const parent = ancestors.at(-1);
  const parentAuthor = parent === undefined || isTombstone(parent) ? undefined : parent.author;
  const isOwnAnswer = parentAuthor !== undefined && parentAuthor.handle.toLowerCase() === author?.handle.toLowerCase();
  return thread.length > 0 || isOwnAnswer;
};

const nextQuestion = (
  { unconnected, tip, above }: AssembledThread,
  settled: Record<ThreadQuery['about'], Set<string>>,
): ThreadQuery | undefined => {
  const part = [...unconnected, tip].find((id) => !settled.part.has(id));
  if (part !== undefined) return { about: 'part', id: part };
  return above === undefined || settled.ancestor.has(above) ? undefined : { about: 'ancestor', id: above };
};

export interface ThreadStart {
  readonly post: Post;
  /** From the first call. */
  readonly excerpt: PartialExcerpt;
  /** The first call showed what the author goes on with, if anything. */
  readonly showsContinuation: boolean;
}

export const followThread = async (
  { post, excerpt, showsContinuation }: ThreadStart,
  ask: QueryThread,
): Promise<FollowedThread> => {
  const excerpts: Excerpt[] = [excerpt];
  const settled = { part: new Set<string>(showsContinuation ? [post.id] : []), ancestor: new Set<string>() };
  let assembled = assembleThread(post, excerpts);
  if (!excerpt.hasMore) settled.part.add(assembled.tip);
  let calls = 1;
  let isAnswered = true;
  for (;;) {
    const question = nextQuestion(assembled, settled);
    if (question === undefined) break;
    const callsLeft = (hasThread(post, assembled) ? MAX_CALLS : MAX_CALLS_WITHOUT_THREAD) - calls;
    if (callsLeft < 1) {
      isAnswered = false;
      break;
    }
    settled[question.about].add(question.id);
    const reply = await ask(question, callsLeft);
    calls += reply.calls;
    if (reply.excerpt === undefined) {
      isAnswered = false;
      continue;
    }
    excerpts.push(reply.excerpt);
    assembled = assembleThread(post, excerpts);
    if (question.about === 'part' && !reply.excerpt.hasMore) settled.part.add(assembled.tip);
  }
  const { hasGap, above } = assembled;
  return { ...assembled, isWhole: isAnswered && !hasGap && above === undefined };
};
