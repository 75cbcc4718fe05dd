// Reads the replies to a post.
import type { RepliesInput } from '../../contract/list-inputs.ts';
import type { RelatedPosts } from '../../model/resources.ts';
import type { Requester, UseCaseResult } from '../../ports/upstream.ts';
import type { ListUseCasePorts } from '../paging/list-pages.ts';
import { listRelatedPosts, namesOf } from '../paging/related.ts';

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
