// Reads the posts that quote a post.
import type { IdInput } from '../../contract/list-inputs.ts';
import type { RelatedPosts } from '../../model/resources.ts';
import type { Requester, UseCaseResult } from '../../ports/upstream.ts';
import type { ListUseCasePorts } from '../paging/list-pages.ts';
import { listRelatedPosts, namesOf } from '../paging/related.ts';

/** @throws Problem `post_not_found`, `post_protected`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable` */
export const listQuotes = (
  input: IdInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<RelatedPosts>> =>
  listRelatedPosts({ list: 'quotes', ...namesOf(input) }, input, ports, requester);
