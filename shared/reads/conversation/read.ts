// Reads all that answers a post, as a tree.
import type { IdInput } from '../../contract/list-inputs.ts';
import { distinctWarnings, warning } from '../../contract/warnings.ts';
import { hasArticlePreview } from '../../model/conversation.ts';
import type { ListPosition } from '../../model/lists.ts';
import type { ConversationGap, ConversationTree } from '../../model/resources.ts';
import { isFromTheFuture } from '../../model/snowflake.ts';
import type { Requester, UseCaseResult } from '../../ports/upstream.ts';
import { goneProblem, POST_PROBLEMS } from '../outcome-problems.ts';
import type { ListUseCasePorts } from '../paging/list-pages.ts';
import { fingerprint } from '../paging/recent-items.ts';
import { inLanguage, translationWarnings } from '../paging/translated-lists.ts';
import { collectConversation, SEARCH_SIZE } from './collect.ts';

/** A page that was too large goes on after its last post; if that is gone, after as many posts. `size`: the posts before it. */
const startOf = (position: ListPosition | undefined, ids: readonly string[]): number => {
  if (position === undefined || !position.isPartial) return 0;
  const last = position.recentFingerprints.at(-1);
  const index = ids.findIndex((id) => fingerprint(id) === last);
  return index === -1 ? position.size : index + 1;
};

const sumOf = (gaps: readonly ConversationGap[]): number => gaps.reduce((sum, { count }) => sum + count, 0);

/**
 * Reads the post and all posts that answer it, directly or not, as far as the provider gives them.
 *
 * @throws Problem `post_not_found`, `post_protected`, `upstream_failed` or `upstream_unavailable`
 */
export const readConversation = async (
  input: IdInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<ConversationTree>> => {
  const { list, position } = input;
  if (isFromTheFuture(input.id, ports.wall.now())) throw goneProblem(POST_PROBLEMS, 'unknown');
  const collected = await collectConversation(input, ports, requester);
  const { root, tree, nearRoot, searched, pages, next, isIncomplete, source, fetchedAt, warnings } = collected;
  // A page that goes on with the search knows neither the posts of the pages before it nor which replies they had. What a page
  // before the last one lacks can be on the next.
  const isFirst = position?.cursor === undefined;
  const earlier =
    isFirst || position === undefined ? [] : position.recentFingerprints.slice(0, position.isPartial ? -1 : undefined);
  const shownBefore = new Set(earlier);
  const posts = isFirst
    ? tree.posts
    : tree.posts.filter(({ id }) => id !== root.id && searched.has(id) && !shownBefore.has(fingerprint(id)));
  // The posts that were shown before the search comes to them.
  const ahead = isFirst
    ? tree.posts.filter(({ id }) => id !== root.id && !searched.has(id)).map(({ id }) => fingerprint(id))
    : earlier;
  const known = isFirst ? tree.missing : tree.missing.filter(({ id }) => id !== undefined && !nearRoot.has(id));
  const gaps = next === undefined ? known : known.filter(({ reason }) => reason !== 'not_given');
  const found = isFirst ? posts.length - 1 : posts.length;
  const completeness = { said: found + sumOf(known), found };
  const ids = posts.map(({ id }) => id);
  const all = new Set(ids);
  const start = startOf(position, ids);

  const resultOf = (count: number): UseCaseResult<ConversationTree> => {
    const end = Math.min(start + count, posts.length);
    const isPartial = end < posts.length;
    const last = ids[end - 1];
    const place = isPartial
      ? { provider: position?.provider ?? '', ...position, size: end }
      : next && { ...next, size: SEARCH_SIZE };
    const recentFingerprints = isPartial && last !== undefined ? [...earlier, fingerprint(last)] : ahead;
    const nextCursor =
      place &&
      ports.cursors.encode(list, {
        ...place,
        isPartial,
        emptyPages: 0,
        ...(isPartial && { searchPages: pages }),
        recentFingerprints,
      });
    const shown = new Set(ids.slice(start, end));
    // A gap comes with its parent; one without a post above it comes last.
    const missing = gaps.filter(({ parent }) =>
      parent !== undefined && all.has(parent) ? shown.has(parent) : !isPartial,
    );
    const page = inLanguage(posts.slice(start, end), input);
    return {
      value: { root: root.id, posts: page, missing, completeness, ...(nextCursor && { next_cursor: nextCursor }) },
      source,
      fetchedAt,
      warnings: distinctWarnings([
        ...warnings,
        ...(isIncomplete ? [warning('replies_incomplete')] : []),
        ...(nextCursor === undefined ? [] : [warning('partial_page')]),
        ...(gaps.some(({ reason }) => reason === 'withheld') ? [warning('withheld')] : []),
        ...(page.some(hasArticlePreview) ? [warning('article_previews')] : []),
        ...translationWarnings(page, input),
      ]),
      parts: { count: page.length, minimum: 1, keep: resultOf },
    };
  };
  return resultOf(posts.length);
};
