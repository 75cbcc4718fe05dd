// Reads one post with its conversation. The only place where an upstream outcome becomes a problem of a post.
import type { PostInput } from '../contract/inputs.ts';
import { problem } from '../contract/problems.ts';
import type { Conversation } from '../model/conversation.ts';
import type { TombstoneReason } from '../model/post.ts';
import type { Clock, Outcome, ReadResult, Upstream } from '../ports.ts';
import { REQUEST_MILLISECONDS } from './deadline.ts';

const SNOWFLAKE_EPOCH = 1288834974657n;
const CLOCK_TOLERANCE_MILLISECONDS = 60_000n;

/** An id made in the future cannot exist. Ids of before November 2010 carry no time and are far below. */
const isFromTheFuture = (id: string, now: number): boolean =>
  (BigInt(id) >> 22n) + SNOWFLAKE_EPOCH > BigInt(now) + CLOCK_TOLERANCE_MILLISECONDS;

const goneDetails: Readonly<Record<TombstoneReason, string>> = {
  deleted: 'The post was deleted.',
  protected: 'The author limits who can read the post.',
  suspended: 'The account of the author is suspended.',
  withheld: 'The platform withholds the post from the public.',
  unknown: 'There is no post with this id, or it is not available to the public.',
};

const gone = (reason: TombstoneReason) =>
  problem(reason === 'protected' ? 'post_protected' : 'post_not_found', { reason, detail: goneDetails[reason] });

const bounded = ({ post, ancestors, thread, replies }: Conversation, input: PostInput): Conversation => ({
  post,
  ancestors: input.thread === 'off' ? [] : ancestors,
  thread: input.thread === 'off' ? [] : input.thread === 'full' ? thread : thread.slice(0, input.thread),
  replies: input.replies === 'off' ? [] : replies,
});

const resultOf = (outcome: Outcome<Conversation>, input: PostInput): ReadResult<Conversation> => {
  switch (outcome.kind) {
    case 'found':
      return {
        value: bounded(outcome.value, input),
        source: outcome.source,
        fetchedAt: outcome.fetchedAt,
        warnings: outcome.warnings,
      };
    case 'gone':
      throw gone(outcome.reason);
    case 'absent':
      throw gone('unknown');
    case 'ambiguous':
      throw problem('upstream_unavailable', { cause: 'a bare 404 was not confirmed' });
    case 'down':
      throw problem('upstream_unavailable', { cause: outcome.why });
    case 'refused':
    case 'failed':
      throw problem('upstream_failed', { cause: outcome.why });
    default:
      return outcome satisfies never;
  }
};

/** @throws Problem `post_not_found`, `post_protected`, `upstream_failed` or `upstream_unavailable` */
export const readPost = async (
  input: PostInput,
  { upstream, clock }: { readonly upstream: Pick<Upstream, 'readPost'>; readonly clock: Clock },
): Promise<ReadResult<Conversation>> => {
  const now = clock();
  if (isFromTheFuture(input.ref.id, now)) throw gone('unknown');
  const outcome = await upstream.readPost(
    { id: input.ref.id, thread: input.thread, replies: input.replies },
    now + REQUEST_MILLISECONDS,
  );
  return resultOf(outcome, input);
};
