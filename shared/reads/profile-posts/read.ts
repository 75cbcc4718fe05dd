// Reads the posts of a profile by kind and period.
import type { ProfilePostsInput } from '../../contract/list-inputs.ts';
import { isSameHandle } from '../../model/handle.ts';
import { definedMembers } from '../../model/json.ts';
import { isInPeriod, type Period, type RepostChoice, type TimelineKind } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import type { ProfilePosts } from '../../model/resources.ts';
import { later } from '../../model/time.ts';
import type { Outcome, Requester, UpstreamPage, UseCaseResult } from '../../ports/upstream.ts';
import { PROFILE_PROBLEMS, rejectedParameter, USE_CASE_MILLISECONDS } from '../outcome-problems.ts';
import { degradedBy, fillOwnedPage, type ListUseCasePorts, listResult } from '../paging/list-pages.ts';
import { translatedLists } from '../paging/translated-lists.ts';

/** Excludes reposts, which have a reposter or another author. */
export const isPostOf =
  (handle: string) =>
  ({ author, reposted_by: reposter }: Post): boolean =>
    reposter === undefined && isSameHandle(author?.handle, handle);

/** A repost is in the timeline of the account that made it. */
export const isRepostBy =
  (handle: string) =>
  ({ reposted_by: reposter }: Post): boolean =>
    isSameHandle(reposter?.handle, handle);

/** X lists no reposts among media and articles. */
export const wantsReposts = ({
  reposts,
  kind,
}: {
  readonly reposts?: RepostChoice | undefined;
  readonly kind: TimelineKind;
}): boolean => reposts === 'include' && (kind === 'posts' || kind === 'replies');

export const isReply = ({ in_reply_to: parent }: Post): boolean => parent !== undefined;

/** @returns undefined if the instant of the post is not known */
const publishedAt = ({ created_at: created }: Post): number | undefined =>
  created === undefined ? undefined : Date.parse(created);

/** @returns true if the post is of the period */
export const isWithin =
  (period: Period) =>
  (post: Post): boolean => {
    const at = publishedAt(post);
    const isWhole = period.since === undefined && period.until === undefined;
    return at === undefined ? isWhole : isInPeriod(period, at);
  };

/**
 * A timeline is sorted by time, except for reposts and for a pinned post, which is the first own post of the first page. So
 * a single older post does not end the period.
 */
export const isBefore = (since: number, ownPosts: readonly Post[], isFirstPage: boolean): boolean => {
  const sorted = isFirstPage ? ownPosts.slice(1) : ownPosts;
  return sorted.length > 0 && sorted.every((post) => (publishedAt(post) ?? since) < since);
};

/** A feed of merged threads has the parts that the account added to its own posts, whatever its kind. */
const continuesThread = ({ author, in_reply_to: parent }: Post): boolean =>
  isSameHandle(parent?.handle, author?.handle ?? '');

/** @returns a predicate of the posts of an account that continue its own, which a list can leave out */
export const isContinuationOf = (handle: string) => {
  const isOwn = isPostOf(handle);
  return (post: Post): post is Post => isOwn(post) && continuesThread(post);
};

export const belongsToKind = (kind: TimelineKind, post: Post, threads?: ProfilePostsInput['threads']): boolean => {
  if (threads === 'merged' && continuesThread(post)) return true;
  switch (kind) {
    case 'posts':
      return !isReply(post);
    case 'replies':
      return true;
    case 'media':
      return post.media.length > 0;
    case 'articles':
      return post.article !== undefined;
    default:
      return kind satisfies never;
  }
};

/** For the request of a page. */
export const wantedThreads = ({ threads }: Pick<ProfilePostsInput, 'threads'>): { readonly threads?: true } =>
  threads === 'merged' ? { threads: true } : {};

interface RepostReader {
  /** For the request of a page. */
  readonly wanted: { readonly reposts?: true };
  /** Notes the places of the reposts of a page. */
  place(outcome: Outcome<UpstreamPage<Post>>): Outcome<UpstreamPage<Post>>;
  belong(post: Post): boolean;
  /** A repost that does not belong to the list is not taken for the post itself. */
  idOf(post: Post): string;
}

/**
 * X gives a repost no time: it has that of the next older own post of the page, or that of its original if that is later.
 */
export const repostReader = (
  handle: string,
  input: Parameters<typeof wantsReposts>[0],
  period: Period = {},
): RepostReader => {
  const isWanted = wantsReposts(input);
  const isRepost = isRepostBy(handle);
  const isInside = isWithin(period);
  const outside = new Set<Post>();
  return {
    wanted: isWanted ? { reposts: true } : {},
    place(outcome) {
      if (outcome.kind !== 'found' || !isWanted) return outcome;
      let place = '';
      for (const post of outcome.value.items.toReversed()) {
        const { created_at: created = '' } = post;
        if (created > place) place = created;
        if (isRepost(post) && !isInside({ ...post, created_at: place })) outside.add(post);
      }
      return outcome;
    },
    belong: (post) => isWanted && isRepost(post) && !outside.has(post),
    idOf: (post) => (isRepost(post) && !isWanted ? `repost ${post.id}` : post.id),
  };
};

/**
 * @throws Problem `profile_not_found`, `profile_protected`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable`
 */
export const listProfilePosts = async (
  input: ProfilePostsInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<ProfilePosts>> => {
  const { upstream, cursors, clock } = ports;
  const { limit, position, kind, since, until } = input;
  const handle = input.handle.toLowerCase();
  const deadline = later(clock(), USE_CASE_MILLISECONDS);
  const period: Period = definedMembers({ since, until });
  const isOwn = isPostOf(handle);
  const reposts = repostReader(handle, input, period);
  const isInside = isWithin(period);
  const page = await fillOwnedPage<Post>({
    limit,
    position,
    fetch: async (request) =>
      reposts.place(
        await translatedLists(input, ports)(
          { list: 'posts', handle, kind, ...period, ...reposts.wanted, ...wantedThreads(input) },
          request,
          deadline,
          requester,
        ),
      ),
    idOf: reposts.idOf,
    isPlacedById: isOwn,
    belongs: (post) =>
      isOwn(post) ? isInside(post) && belongsToKind(kind, post, input.threads) : reposts.belong(post),
    ...(since !== undefined && { endsWith: (posts, isFirstPage) => isBefore(since, posts.filter(isOwn), isFirstPage) }),
    readOwner: () => upstream.readProfile(handle, deadline, requester),
    problems: PROFILE_PROBLEMS,
    // Only a period can be refused: the other arguments are valid.
    ...(until !== undefined && { rejection: rejectedParameter.until }),
  });
  return listResult(
    page,
    input,
    cursors,
    (posts) => ({ handle, kind, posts, ...degradedBy(page.isFallback) }),
    isContinuationOf(handle),
  );
};
