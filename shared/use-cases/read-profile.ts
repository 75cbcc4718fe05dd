// Reads a profile with its recent posts. Both are asked for at once; posts that cannot be read cost the profile nothing.
import type { HandleInput } from '../contract/inputs.ts';
import { distinctWarnings, warning } from '../contract/warnings.ts';
import type { Warning } from '../model/conversation.ts';
import type { Post } from '../model/post.ts';
import type { Profile } from '../model/profile.ts';
import type { User } from '../model/user.ts';
import type { FailedOutcome, Requester, SourcedResult, UseCaseResult } from '../ports/upstream.ts';
import { USE_CASE_MILLISECONDS } from './deadline.ts';
import { type FilledPage, fillPage } from './fill-page.ts';
import { type ListUseCasePorts, nextCursor, postWarnings, withParts } from './list-result.ts';
import { PROFILE_PROBLEMS, problemFromOutcome, rejectedParameter } from './outcome-problems.ts';

/** Not a repost, which names its reposter or at least another author, and not a reply. */
const isOwnPost =
  (handle: string) =>
  ({ author, reposted_by: reposter, in_reply_to: parent }: Post): boolean =>
    reposter === undefined && parent === undefined && author?.handle.toLowerCase() === handle.toLowerCase();

type PostsOutcome = ({ readonly kind: 'found' } & FilledPage<Post>) | FailedOutcome;

/** What of the answer is about posts; where they could not be read, the caller may ask for the same page again. */
const postsOf = (
  page: PostsOutcome,
  profile: User,
  input: HandleInput,
  { cursors }: ListUseCasePorts,
): { readonly value: Omit<Profile, 'profile'>; readonly warnings: readonly Warning[] } => {
  if (profile.protected) return { value: { posts: [] }, warnings: [warning('posts_protected')] };
  if (page.kind === 'found') {
    return { value: { posts: [...page.items], ...nextCursor(page, input, cursors) }, warnings: postWarnings(page) };
  }
  const again = input.position === undefined ? {} : nextCursor({ next: input.position }, input, cursors);
  return { value: { posts: [], ...again }, warnings: [warning('posts_unavailable')] };
};

/** @throws Problem `profile_not_found`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable` */
export const readProfile = async (
  input: HandleInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<Profile>> => {
  const { upstream, clock } = ports;
  const { limit, position } = input;
  const handle = input.handle.toLowerCase();
  const deadline = clock() + USE_CASE_MILLISECONDS;
  let showsPosts = true;
  const posts = fillPage({
    shouldContinue: () => showsPosts,
    limit,
    from: position,
    fetch: (page) => upstream.listPosts({ list: 'posts', handle }, page, deadline, requester),
    idOf: ({ id }) => id,
    belongs: isOwnPost(handle),
  });
  posts.catch(() => undefined); // awaited below, unless there is no profile to show them with
  const who = await upstream.readProfile(handle, deadline, requester);
  // A profile that cannot be had is said at once, whatever becomes of the posts.
  showsPosts = who.kind === 'found' && !who.value.protected;
  if (who.kind !== 'found') throw problemFromOutcome(who, PROFILE_PROBLEMS);
  const page: PostsOutcome = who.value.protected ? { kind: 'gone', reason: 'protected' } : await posts;
  if (page.kind === 'refused' && position !== undefined) throw rejectedParameter.cursor(page.why);
  const resultOf = (shown: PostsOutcome): SourcedResult<Profile> => {
    const { value, warnings } = postsOf(shown, who.value, input, ports);
    return {
      value: { profile: who.value, ...value },
      source: who.source,
      fetchedAt: shown.kind === 'found' ? Math.min(who.fetchedAt, shown.fetchedAt) : who.fetchedAt,
      warnings: distinctWarnings([...who.warnings, ...warnings]),
    };
  };
  return page.kind === 'found' ? withParts(page, (shown) => resultOf({ kind: 'found', ...shown })) : resultOf(page);
};
