// Reads the followers of a profile, or the accounts that it follows.
import type { HandleInput } from '../contract/inputs.ts';
import type { User } from '../model/user.ts';
import type { UserList } from '../model/user-list.ts';
import type { FailedOutcome, Outcome, PageRequest, Requester, UseCaseResult } from '../ports/upstream.ts';
import { USE_CASE_MILLISECONDS } from './deadline.ts';
import { fillPage } from './fill-page.ts';
import { type ListUseCasePorts, nextCursor, pageWarnings, withParts } from './list-result.ts';
import { goneProblem, PROFILE_PROBLEMS, problemFromOutcome, rejectedParameter } from './outcome-problems.ts';
import { stableUserId } from './user-id.ts';

/**
 * Explains an empty list or a list that was not found. Providers return an empty list for a protected profile. They return
 * "not found" for a suspended profile, an unknown profile and an outage.
 *
 * @throws Problem if the profile does not exist or is protected
 * @returns the failed outcome if the profile could not be read
 */
const checkProfile = (profile: Outcome<User>): Exclude<FailedOutcome, { kind: 'gone' | 'absent' }> | undefined => {
  if (profile.kind === 'gone' || profile.kind === 'absent') throw problemFromOutcome(profile, PROFILE_PROBLEMS);
  if (profile.kind !== 'found') return profile;
  if (profile.value.protected) throw goneProblem(PROFILE_PROBLEMS, 'protected');
  return undefined;
};

/**
 * @throws Problem `profile_not_found`, `profile_protected`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable`
 */
export const listFollows = async (
  list: 'followers' | 'following',
  input: HandleInput,
  { upstream, cursors, clock }: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<UserList>> => {
  const { limit, position } = input;
  // The request cache and cursors use lower case. The spelling of the owner is known only from the profile.
  const handle = input.handle.toLowerCase();
  const deadline = clock() + USE_CASE_MILLISECONDS;
  const readAndCheckProfile = async () => checkProfile(await upstream.readProfile(handle, deadline, requester));

  let profileFailure: FailedOutcome | undefined;
  const fetch = async (request: PageRequest) => {
    const outcome = await upstream.listUsers({ list, handle }, request, deadline, requester);
    const isEmptyFirstPage =
      outcome.kind === 'found' && outcome.value.items.length === 0 && request.cursor === undefined;
    if (isEmptyFirstPage) profileFailure = await readAndCheckProfile();
    return outcome;
  };
  const page = await fillPage({ limit, position, fetch, idOf: stableUserId });

  if (page.kind === 'ambiguous') {
    throw problemFromOutcome(
      (await readAndCheckProfile()) ?? { kind: 'down', why: 'found the profile, not its list' },
      PROFILE_PROBLEMS,
    );
  }
  if (page.kind !== 'found') throw problemFromOutcome(page, PROFILE_PROBLEMS, position && rejectedParameter.cursor);
  if (page.items.length === 0 && profileFailure !== undefined)
    throw problemFromOutcome(profileFailure, PROFILE_PROBLEMS);
  return withParts(page, (part) => ({
    value: { handle, users: [...part.items], ...nextCursor(part, input, cursors) },
    source: part.source,
    fetchedAt: part.fetchedAt,
    warnings: pageWarnings(part),
  }));
};
