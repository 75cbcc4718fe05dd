// Reads the engagements of a post: its replies, its quotes, or the accounts that reposted it.
import type { IdInput, RepliesInput } from '../contract/list-inputs.ts';
import type { Post } from '../model/post.ts';
import type { RelatedPosts, Reposters } from '../model/resources.ts';
import { isFromTheFuture } from '../model/snowflake.ts';
import type { User } from '../model/user.ts';
import type { Deadline } from '../ports/system.ts';
import type {
  Outcome,
  PageRequest,
  PostListRequest,
  Requester,
  UpstreamPage,
  UseCaseResult,
} from '../ports/upstream.ts';
import type { FilledPage, FillPageOptions } from './fill-page.ts';
import {
  fillOwnedPage,
  type ListUseCasePorts,
  listResult,
  pageWarnings,
  postWarnings,
  stableUserId,
} from './list-pages.ts';
import { goneProblem, POST_PROBLEMS, USE_CASE_MILLISECONDS } from './outcome-problems.ts';

interface EngagementList<T> extends Pick<FillPageOptions<T>, 'isRanked'> {
  fetch(page: PageRequest, deadline: Deadline): Promise<Outcome<UpstreamPage<T>>>;
  idOf(item: T): string;
}

/** @throws Problem of the post or of the list */
const pageOf = <T>(
  { id, limit, position }: IdInput,
  { upstream, clock, wall = { now: clock } }: ListUseCasePorts,
  { fetch, ...list }: EngagementList<T>,
  requester: Requester | undefined,
): Promise<FilledPage<T>> => {
  const now = wall.now();
  if (isFromTheFuture(id, now)) throw goneProblem(POST_PROBLEMS, 'unknown');
  const deadline = clock() + USE_CASE_MILLISECONDS;
  return fillOwnedPage<T>({
    limit,
    position,
    fetch: (page) => fetch(page, deadline),
    ...list,
    readOwner: async () => {
      const outcome = await upstream.readPost({ id, thread: 'off', replies: 'off' }, deadline, requester);
      return outcome.kind === 'found' ? { ...outcome, value: {} } : outcome;
    },
    problems: POST_PROBLEMS,
  });
};

const namesOf = ({ id, handle }: IdInput): Pick<IdInput, 'id' | 'handle'> => ({
  id,
  ...(handle !== undefined && { handle }),
});

type RelatedPostsRequest = Extract<PostListRequest, { list: 'replies' | 'quotes' }>;

const listRelatedPosts = async (
  request: RelatedPostsRequest,
  input: IdInput,
  ports: ListUseCasePorts,
  requester: Requester | undefined,
): Promise<UseCaseResult<RelatedPosts>> => {
  const list: EngagementList<Post> = {
    fetch: (page, deadline) => ports.upstream.listPosts(request, page, deadline, requester),
    idOf: ({ id }) => id,
    isRanked: request.list === 'replies' && request.order === 'top',
  };
  const page = await pageOf(input, ports, list, requester);
  return listResult(page, input, ports.cursors, {
    membersOf: (posts) => ({ id: input.id, posts }),
    warningsOf: postWarnings,
  });
};

/**
 * Lists the replies to a post, without the author's own thread.
 *
 * @throws Problem `post_not_found`, `post_protected`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable`
 */
export const listReplies = (
  input: RepliesInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<RelatedPosts>> =>
  listRelatedPosts({ list: 'replies', ...namesOf(input), order: input.order }, input, ports, requester);

/** As listReplies, for the posts that quote the post. */
export const listQuotes = (
  input: IdInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<RelatedPosts>> =>
  listRelatedPosts({ list: 'quotes', ...namesOf(input) }, input, ports, requester);

/** As listReplies, for the accounts that reposted the post. */
export const listReposts = async (
  input: IdInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<Reposters>> => {
  const { id } = input;
  const list: EngagementList<User> = {
    fetch: (page, deadline) =>
      ports.upstream.listUsers({ list: 'reposts', ...namesOf(input) }, page, deadline, requester),
    idOf: stableUserId,
  };
  const page = await pageOf(input, ports, list, requester);
  return listResult(page, input, ports.cursors, {
    membersOf: (users: User[]) => ({ id, users }),
    warningsOf: pageWarnings,
  });
};
