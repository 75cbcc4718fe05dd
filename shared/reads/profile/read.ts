// Reads a profile and its recent posts: at the same time by handle, one after the other by id. If only the posts cannot be
// read, the answer has a warning.
import type { HandleInput, IdInput, ListInput } from '../../contract/list-inputs.ts';
import { distinctWarnings, warning } from '../../contract/warnings.ts';
import { nameOfId } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import type { Profile, Warning } from '../../model/resources.ts';
import { later } from '../../model/time.ts';
import type { User } from '../../model/user.ts';
import type { FailedOutcome, Requester, SourcedResult, UseCaseResult } from '../../ports/upstream.ts';
import { PROFILE_PROBLEMS, problemFromOutcome, rejectedParameter, USE_CASE_MILLISECONDS } from '../outcome-problems.ts';
import { type FilledPage, fillPage } from '../paging/fill-page.ts';
import { degradedBy, type ListUseCasePorts, nextCursor, pageWarnings, withParts } from '../paging/list-pages.ts';
import { translatedLists } from '../paging/translated-lists.ts';
import { isContinuationOf, isPostOf, isReply, repostReader } from '../profile-posts/read.ts';

type PostsOutcome = ({ readonly kind: 'found' } & FilledPage<Post>) | FailedOutcome;

/** The posts and their cursor. If the posts could not be read, the cursor requests the same page again. */
const postsOf = (
  page: PostsOutcome,
  profile: User,
  input: ListInput,
  { cursors }: ListUseCasePorts,
): { readonly value: Omit<Profile, 'profile'>; readonly warnings: readonly Warning[] } => {
  if (profile.protected) return { value: { posts: [] }, warnings: [warning('posts_protected')] };
  if (page.kind === 'found') {
    const value = { posts: [...page.items], ...nextCursor(page, input, cursors), ...degradedBy(page.isFallback) };
    return { value, warnings: pageWarnings(page, input) };
  }
  const retryCursor = nextCursor({ next: input.position }, input, cursors);
  return { value: { posts: [], ...retryCursor }, warnings: [warning('posts_unavailable')] };
};

/** @throws Problem `profile_not_found`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable` */
export const readProfile = async (
  input: HandleInput | IdInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<Profile>> => {
  const { upstream, clock } = ports;
  const { limit, position } = input;
  const deadline = later(clock(), USE_CASE_MILLISECONDS);
  let showsPosts = true;
  const readPosts = (name: string): Promise<PostsOutcome> => {
    const handle = name.toLowerCase();
    const isOwn = isPostOf(handle);
    const reposts = repostReader(handle, { kind: 'posts', reposts: input.reposts });
    return fillPage({
      shouldContinue: () => showsPosts,
      limit,
      position,
      fetch: (page) =>
        translatedLists(input, ports)(
          { list: 'posts', handle, kind: 'posts', ...reposts.wanted },
          page,
          deadline,
          requester,
        ),
      idOf: reposts.idOf,
      isPlacedById: isOwn,
      belongs: (post) => (isOwn(post) ? !isReply(post) : reposts.belong(post)),
    });
  };
  const startedPosts = 'handle' in input ? readPosts(input.handle) : undefined;
  startedPosts?.catch(() => undefined); // not awaited if the profile cannot be read
  const name = 'handle' in input ? input.handle.toLowerCase() : nameOfId(input.id);
  const profile = await upstream.readProfile(name, deadline, requester);
  // A failed profile ends the request without waiting for the posts.
  showsPosts = profile.kind === 'found' && !profile.value.protected;
  if (profile.kind !== 'found') throw problemFromOutcome(profile, PROFILE_PROBLEMS);
  const page: PostsOutcome = profile.value.protected
    ? { kind: 'gone', reason: 'protected' }
    : await (startedPosts ?? readPosts(profile.value.handle));
  if (page.kind === 'refused' && position !== undefined) throw rejectedParameter.cursor(page.why);
  const resultOf = (part: PostsOutcome): SourcedResult<Profile> => {
    const { value, warnings } = postsOf(part, profile.value, input, ports);
    return {
      value: { profile: profile.value, ...value },
      source: profile.source,
      fetchedAt: part.kind === 'found' ? Math.min(profile.fetchedAt, part.fetchedAt) : profile.fetchedAt,
      warnings: distinctWarnings([...profile.warnings, ...warnings]),
      ...(part.kind === 'found' && { continuations: part.leftOut.filter(isContinuationOf(profile.value.handle)) }),
    };
  };
  return page.kind === 'found' ? withParts(page, (part) => resultOf({ kind: 'found', ...part })) : resultOf(page);
};
