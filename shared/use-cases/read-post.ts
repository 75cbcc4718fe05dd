// Reads a post with its conversation.
import type { PostInput } from '../contract/inputs.ts';
import { versionedPath } from '../contract/operations.ts';
import { useCases } from '../contract/use-cases.ts';
import { type WarningCode, warning } from '../contract/warnings.ts';
import { ancestorGap } from '../model/entries.ts';
import { missingReplies, missingSentence } from '../model/replies.ts';
import type { Conversation, Warning } from '../model/resources.ts';
import { isFromTheFuture } from '../model/snowflake.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { Requester, Upstream, UseCaseResult } from '../ports/upstream.ts';
import { withConversationParts } from './conversation-parts.ts';
import { USE_CASE_MILLISECONDS } from './deadline.ts';
import { goneProblem, POST_PROBLEMS, problemFromOutcome } from './outcome-problems.ts';

const INCOMPLETE: WarningCode = 'thread_incomplete';

const limitConversation = ({ post, ancestors, thread, replies }: Conversation, input: PostInput): Conversation => ({
  post,
  ancestors: input.thread === 'off' ? [] : ancestors,
  thread: input.thread === 'off' ? [] : input.thread === 'full' ? thread : thread.slice(0, input.thread),
  replies: input.replies === 'off' ? [] : replies,
});

/** A thread with as many posts as requested is complete if no post before its end is missing. */
const isCompleteUpToLimit = ({ post, ancestors, thread }: Conversation, { thread: limit }: PostInput): boolean => {
  if (typeof limit !== 'number' || thread.length < limit) return false;
  const posts = [...ancestors, post, ...thread];
  return ancestorGap(posts.at(-1) ?? post, posts.slice(0, -1)) === undefined;
};

/** @param known the warnings of the provider: one that lists no replies says so itself */
const repliesWarning = (
  conversation: Conversation,
  input: PostInput,
  known: readonly Warning[],
): readonly Warning[] => {
  const missing = input.replies === 'off' ? undefined : missingReplies(conversation);
  if (missing === undefined || known.some(({ code }) => code === 'replies_unavailable')) return [];
  const { id } = conversation.post;
  const path = versionedPath('listReplies').replace('{id}', id);
  const message = `${missingSentence(missing)} All replies: ${path}, or the tool ${useCases.listReplies.tool} with the id ${id}.`;
  return [warning('more_replies', message)];
};

/** @throws Problem `post_not_found`, `post_protected`, `rate_limited`, `upstream_failed` or `upstream_unavailable` */
export const readPost = async (
  input: PostInput,
  {
    upstream,
    clock,
    wall = { now: clock },
  }: { readonly upstream: Pick<Upstream, 'readPost'> } & Pick<HttpPorts, 'clock' | 'wall'>,
  requester?: Requester,
): Promise<UseCaseResult<Conversation>> => {
  const now = wall.now();
  if (isFromTheFuture(input.ref.id, now)) throw goneProblem(POST_PROBLEMS, 'unknown');
  const outcome = await upstream.readPost(
    { id: input.ref.id, thread: input.thread, replies: input.replies },
    clock() + USE_CASE_MILLISECONDS,
    requester,
  );
  if (outcome.kind !== 'found') throw problemFromOutcome(outcome, POST_PROBLEMS);
  const { value, source, fetchedAt, warnings } = outcome;
  const limited = limitConversation(value, input);
  const isComplete = isCompleteUpToLimit(limited, input);
  const told = warnings.filter(({ code }) => !(isComplete && code === INCOMPLETE));
  return withConversationParts({ value: limited, source, fetchedAt, warnings: told }, (kept) =>
    repliesWarning({ ...kept, thread: value.thread }, input, warnings),
  );
};
