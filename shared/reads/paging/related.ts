// Reads the lists below a post: what its replies, its quotes and its reposts share.
import type { IdInput } from '../../contract/list-inputs.ts';
import { definedMembers } from '../../model/json.ts';
import type { Post } from '../../model/post.ts';
import type { RelatedPosts } from '../../model/resources.ts';
import { isFromTheFuture } from '../../model/snowflake.ts';
import { later } from '../../model/time.ts';
import type { Deadline } from '../../ports/system.ts';
import type {
  Outcome,
  PageRequest,
  PostListRequest,
  Requester,
  UpstreamPage,
  UseCaseResult,
} from '../../ports/upstream.ts';
import { goneProblem, POST_PROBLEMS, USE_CASE_MILLISECONDS } from '../outcome-problems.ts';
import type { FilledPage, FillPageOptions } from './fill-page.ts';
import { fillOwnedPage, type ListUseCasePorts, listResult } from './list-pages.ts';
import { translatedLists } from './translated-lists.ts';

interface EngagementList<T> extends Pick<FillPageOptions<T>, 'idOf' | 'isRanked'> {
  fetch(page: PageRequest, deadline: Deadline): Promise<Outcome<UpstreamPage<T>>>;
}

/** @throws Problem of the post or of the list */
export const pageBelowPost = async <T>(
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
export const namesOf = ({ id, handle }: IdInput): Pick<IdInput, 'id' | 'handle'> => definedMembers({ id, handle });

/** @throws Problem of the post or of the list */
export const listRelatedPosts = async (
  request: Extract<PostListRequest, { list: 'replies' | 'quotes' }>,
  input: IdInput,
  ports: ListUseCasePorts,
  requester: Requester | undefined,
): Promise<UseCaseResult<RelatedPosts>> => {
  const page = await pageBelowPost<Post>(input, ports, requester, {
    fetch: (wanted, deadline) => translatedLists(input, ports)(request, wanted, deadline, requester),
    idOf: ({ id }) => id,
    isRanked: request.list === 'replies' && request.order === 'top',
  });
  return listResult(page, input, ports.cursors, (posts) => ({ id: input.id, posts }));
};
