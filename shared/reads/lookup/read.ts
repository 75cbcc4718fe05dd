// Reads several posts at the same time, without their conversations.
import type { LookupInput } from '../../contract/inputs.ts';
import { distinctWarnings, QUOTED_PREVIEW, warning } from '../../contract/warnings.ts';
import { hasArticlePreview, isPost } from '../../model/conversation.ts';
import type { Conversation, LookupEntry, PostLookup, Warning } from '../../model/resources.ts';
import { isFromTheFuture } from '../../model/snowflake.ts';
import { later } from '../../model/time.ts';
import type { HttpPorts } from '../../ports/http.ts';
import type { Outcome, PostPorts, Requester, SourcedResult, UseCaseResult } from '../../ports/upstream.ts';
import { POST_PROBLEMS, problemFromOutcome, USE_CASE_MILLISECONDS } from '../outcome-problems.ts';

interface PostRead {
  readonly id: string;
  readonly outcome: Outcome<Conversation>;
}

const entryOf = ({ id, outcome }: PostRead): LookupEntry => {
  switch (outcome.kind) {
    case 'found':
      return outcome.value.post;
    case 'gone':
      return { id, unavailable: true, reason: outcome.reason };
    case 'withheld':
      return { id, unavailable: true, reason: 'withheld' };
    case 'absent':
      return { id, unavailable: true, reason: 'unknown' };
    default:
      return { id, unavailable: true, reason: 'failed' };
  }
};

/** The source if no provider returned a post. */
const NO_SOURCE = 'none';

const hasFailed = (entry: LookupEntry): boolean => 'unavailable' in entry && entry.reason === 'failed';

const omissionMessage = (count: number): string =>
  `The answer would be too large: the last ${count === 1 ? 'post' : `${count} posts`} left out. Ask for them in another request.`;

const withParts = (result: SourcedResult<PostLookup>): UseCaseResult<PostLookup> => {
  const { posts } = result.value;
  return {
    ...result,
    parts: {
      count: posts.length,
      minimum: 1,
      keep: (count) =>
        withParts({
          ...result,
          value: { posts: posts.slice(0, count) },
          warnings: [...result.warnings, warning('truncated', omissionMessage(posts.length - count))],
        }),
    },
  };
};

const resultOf = (reads: readonly PostRead[], now: number): UseCaseResult<PostLookup> => {
  const found = reads.flatMap(({ outcome }) => (outcome.kind === 'found' ? [outcome] : []));
  const posts = reads.map(entryOf);
  const failures: readonly Warning[] = posts.some(hasFailed) ? [warning('posts_failed')] : [];
  const quotes = found.flatMap(({ value: { post } }) => (isPost(post.quote) ? [post.quote] : []));
  const previews: readonly Warning[] = quotes.some(hasArticlePreview)
    ? [warning('article_previews', QUOTED_PREVIEW)]
    : [];
  return withParts({
    value: { posts },
    source: [...new Set(found.map(({ source }) => source))].join(', ') || NO_SOURCE,
    fetchedAt: Math.min(now, ...found.map(({ fetchedAt }) => fetchedAt)),
    warnings: distinctWarnings([...found.flatMap(({ warnings }) => warnings), ...failures, ...previews]),
  });
};

/**
 * Each post counts as one read of the requester.
 *
 * @throws Problem `rate_limited`; `upstream_failed` or `upstream_unavailable` if every read failed
 */
export const lookupPosts = async (
  { ids }: LookupInput,
  { upstream, clock, wall }: PostPorts & Pick<HttpPorts, 'clock' | 'wall'>,
  requester?: Requester,
): Promise<UseCaseResult<PostLookup>> => {
  const now = wall.now();
  const deadline = later(clock(), USE_CASE_MILLISECONDS);
  const read = async (id: string): Promise<PostRead> => {
    if (isFromTheFuture(id, now)) return { id, outcome: { kind: 'absent' } };
    const reader = requester?.forAnotherRead?.() ?? requester;
    return { id, outcome: await upstream.readPost({ id, thread: 'off', replies: 'off' }, deadline, reader) };
  };
  const reads = await Promise.all(ids.map(read));
  const result = resultOf(reads, now);
  const [first] = reads;
  if (first !== undefined && first.outcome.kind !== 'found' && result.value.posts.every(hasFailed))
    throw problemFromOutcome(first.outcome, POST_PROBLEMS);
  return result;
};
