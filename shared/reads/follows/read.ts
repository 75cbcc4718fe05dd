// Reads the followers of a profile, and the accounts that it follows.
import type { HandleInput } from '../../contract/list-inputs.ts';
import type { UserList } from '../../model/resources.ts';
import { later } from '../../model/time.ts';
import type { Requester, UseCaseResult } from '../../ports/upstream.ts';
import { PROFILE_PROBLEMS, USE_CASE_MILLISECONDS } from '../outcome-problems.ts';
import { fillOwnedPage, type ListUseCasePorts, listResult, stableUserId } from '../paging/list-pages.ts';

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
