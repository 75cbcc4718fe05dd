// Reads the accounts that reposted a post.
import type { IdInput } from '../../contract/list-inputs.ts';
import type { Reposters } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import type { Requester, UseCaseResult } from '../../ports/upstream.ts';
import { type ListUseCasePorts, listResult, stableUserId } from '../paging/list-pages.ts';
import { namesOf, pageBelowPost } from '../paging/related.ts';

/** @throws Problem `post_not_found`, `post_protected`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable` */
export const listReposts = async (
  input: IdInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<Reposters>> => {
  const request = { list: 'reposts', ...namesOf(input) } as const;
  const page = await pageBelowPost<User>(input, ports, requester, {
    fetch: (wanted, deadline) => ports.upstream.listUsers(request, wanted, deadline, requester),
    idOf: stableUserId,
  });
  return listResult(page, input, ports.cursors, (users) => ({ id: input.id, users }));
};
