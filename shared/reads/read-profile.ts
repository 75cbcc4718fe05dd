// Reads a profile with its recent posts. Both are asked for at once; posts that cannot be read cost the profile nothing.
import type { HandleInput } from '../contract/inputs.ts';
import { distinctWarnings, warning } from '../contract/warnings.ts';
import type { Warning } from '../model/conversation.ts';
import type { Post } from '../model/post.ts';
import type { Profile } from '../model/profile.ts';
import type { User } from '../model/user.ts';
import type { Miss, ReadAnswer, ReadResult, Requester } from '../ports.ts';
import { type Assembled, assemble } from './assemble.ts';
import { REQUEST_MILLISECONDS } from './deadline.ts';
import { nextCursor, postWarnings, type ReadListPorts, withParts } from './list-ports.ts';
import { missProblem, PROFILE, refusedBy } from './misses.ts';

/** Not a repost, which names its reposter or at least another author, and not a reply. */
const isOwnPost =
  (handle: string) =>
  ({ author, reposted_by: reposter, in_reply_to: parent }: Post): boolean =>
    reposter === undefined && parent === undefined && author?.handle.toLowerCase() === handle.toLowerCase();

type Posts = ({ readonly kind: 'found' } & Assembled<Post>) | Miss;

/** What of the answer is about posts; where they could not be read, the caller may ask for the same page again. */
const postsOf = (
  page: Posts,
  profile: User,
  input: HandleInput,
  { cursors }: ReadListPorts,
): { readonly value: Omit<Profile, 'profile'>; readonly warnings: readonly Warning[] } => {
  if (profile.protected) return { value: { posts: [] }, warnings: [warning('posts_protected')] };
  if (page.kind === 'found') {
    return { value: { posts: [...page.items], ...nextCursor(page, input, cursors) }, warnings: postWarnings(page) };
  }
  const again = input.from === undefined ? {} : nextCursor({ next: input.from }, input, cursors);
  return { value: { posts: [], ...again }, warnings: [warning('posts_unavailable')] };
};

/** @throws Problem `profile_not_found`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable` */
export const readProfile = async (
  input: HandleInput,
  ports: ReadListPorts,
  requester?: Requester,
): Promise<ReadAnswer<Profile>> => {
  const { upstream, clock } = ports;
  const { limit, from } = input;
  const handle = input.handle.toLowerCase();
  const deadline = clock() + REQUEST_MILLISECONDS;
  let isShown = true;
  const posts = assemble({
    isWanted: () => isShown,
    limit,
    from,
    fetch: (page) => upstream.listPosts({ list: 'posts', handle }, page, deadline, requester),
    idOf: ({ id }) => id,
    keeps: isOwnPost(handle),
  });
  posts.catch(() => undefined); // awaited below, unless there is no profile to show them with
  const who = await upstream.readProfile(handle, deadline, requester);
  // A profile that cannot be had is said at once, whatever becomes of the posts.
  isShown = who.kind === 'found' && !who.value.protected;
  if (who.kind !== 'found') throw missProblem(who, PROFILE);
  const page: Posts = who.value.protected ? { kind: 'gone', reason: 'protected' } : await posts;
  if (page.kind === 'refused' && from !== undefined) throw refusedBy.cursor(page.why);
  const resultOf = (shown: Posts): ReadResult<Profile> => {
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
