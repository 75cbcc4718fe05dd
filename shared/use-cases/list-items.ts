// Reads the lists that belong to a profile, to a post or to a list of X.
import type { HandleInput, IdInput, RepliesInput } from '../contract/list-inputs.ts';
import { type Problem, problem } from '../contract/problems.ts';
import { definedMembers } from '../model/json.ts';
import type { Post } from '../model/post.ts';
import type { RelatedPosts, Reposters, UserList, XList } from '../model/resources.ts';
import { isFromTheFuture } from '../model/snowflake.ts';
import { later } from '../model/time.ts';
import type { User } from '../model/user.ts';
import type { Deadline } from '../ports/system.ts';
import type {
  FailedOutcome,
  Outcome,
  PageRequest,
  PostListRequest,
  Requester,
  UpstreamPage,
  UseCaseResult,
} from '../ports/upstream.ts';
import { type FilledPage, type FillPageOptions, fillPage } from './fill-page.ts';
import { fillOwnedPage, type ListUseCasePorts, listResult, stableUserId } from './list-pages.ts';
import {
  goneProblem,
  POST_PROBLEMS,
  PROFILE_PROBLEMS,
  problemFromOutcome,
  rejectedParameter,
  USE_CASE_MILLISECONDS,
} from './outcome-problems.ts';

/**
 * Lists the followers of a profile, or the accounts that it follows.
 *
 * @throws Problem `profile_not_found`, `profile_protected`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable`
 */
export const listFollows =
  (list: 'followers' | 'following') =>
  async (
    input: HandleInput,
    { upstream, cursors, clock }: ListUseCasePorts,
    requester?: Requester,
  ): Promise<UseCaseResult<UserList>> => {
    const { limit, position } = input;
    // The request cache and cursors use lower case. The spelling of the owner is known only from the profile.
    const handle = input.handle.toLowerCase();
    const deadline = later(clock(), USE_CASE_MILLISECONDS);
    const page = await fillOwnedPage({
      limit,
      position,
      fetch: (request) => upstream.listUsers({ list, handle }, request, deadline, requester),
      idOf: stableUserId,
      readOwner: () => upstream.readProfile(handle, deadline, requester),
      problems: PROFILE_PROBLEMS,
    });
    return listResult(page, input, cursors, (users) => ({ handle, users }));
  };

interface EngagementList<T> extends Pick<FillPageOptions<T>, 'idOf' | 'isRanked'> {
  fetch(page: PageRequest, deadline: Deadline): Promise<Outcome<UpstreamPage<T>>>;
}

/** @throws Problem of the post or of the list */
const pageOf = async <T>(
  { id, limit, position }: IdInput,
  { upstream, clock, wall }: ListUseCasePorts,
  requester: Requester | undefined,
  { fetch, ...list }: EngagementList<T>,
): Promise<FilledPage<T>> => {
  if (isFromTheFuture(id, wall.now())) throw goneProblem(POST_PROBLEMS, 'unknown');
  const deadline = later(clock(), USE_CASE_MILLISECONDS);
  return fillOwnedPage<T>({
    limit,
    position,
    ...list,
    fetch: (page) => fetch(page, deadline),
    readOwner: async () => {
      const outcome = await upstream.readPost({ id, thread: 'off', replies: 'off' }, deadline, requester);
      return outcome.kind === 'found' ? { ...outcome, value: {} } : outcome;
    },
    problems: POST_PROBLEMS,
  });
};

/** @returns the post, and its author as the caller wrote it */
const namesOf = ({ id, handle }: IdInput): Pick<IdInput, 'id' | 'handle'> => definedMembers({ id, handle });

const listRelatedPosts = async (
  request: Extract<PostListRequest, { list: 'replies' | 'quotes' }>,
  input: IdInput,
  ports: ListUseCasePorts,
  requester: Requester | undefined,
): Promise<UseCaseResult<RelatedPosts>> => {
  const page = await pageOf<Post>(input, ports, requester, {
    fetch: (wanted, deadline) => ports.upstream.listPosts(request, wanted, deadline, requester),
    idOf: ({ id }) => id,
    isRanked: request.list === 'replies' && request.order === 'top',
  });
  return listResult(page, input, ports.cursors, (posts) => ({ id: input.id, posts }));
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
  const request = { list: 'reposts', ...namesOf(input) } as const;
  const page = await pageOf<User>(input, ports, requester, {
    fetch: (wanted, deadline) => ports.upstream.listUsers(request, wanted, deadline, requester),
    idOf: stableUserId,
  });
  return listResult(page, input, ports.cursors, (users) => ({ id: input.id, users }));
};

const NOT_SHOWN = 'X does not show this list to visitors: it is private, or was deleted.';
const NOT_FOUND =
  'No source of this service shows posts of this list. The list can be empty or private, or the sources have no lists.';

const unreadProblem = (outcome: FailedOutcome, isLaterPage: boolean): Problem => {
  if (outcome.kind === 'gone') return problem('not_available_here', { detail: NOT_SHOWN });
  if ((outcome.kind === 'refused' && !isLaterPage) || (outcome.kind === 'down' && outcome.isUnsupported))
    return problem('not_available_here', { detail: NOT_FOUND, cause: outcome.why });
  return problemFromOutcome(outcome, POST_PROBLEMS, rejectedParameter.cursor);
};

/**
 * Reads the posts of a list of X. The source may have no lists, and does not say if a list exists.
 *
 * @throws Problem `not_available_here`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable`
 */
export const readXList = async (
  input: IdInput,
  { upstream, cursors, clock }: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<XList>> => {
  const { id, limit, position } = input;
  const deadline = later(clock(), USE_CASE_MILLISECONDS);
  const page = await fillPage({
    limit,
    position,
    fetch: (request) => upstream.listPosts({ list: 'list of X', listId: id }, request, deadline, requester),
    idOf: (post) => post.id,
  });
  if (page.kind !== 'found') throw unreadProblem(page, position !== undefined);
  return listResult(page, input, cursors, (posts) => ({ id, posts }));
};
