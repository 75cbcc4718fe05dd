// Reads the followers of a profile, or whom it follows.
import type { HandleInput } from '../contract/inputs.ts';
import type { User } from '../model/user.ts';
import type { UserList } from '../model/user-list.ts';
import type { Miss, Outcome, PageRequest, ReadAnswer, Requester } from '../ports.ts';
import { assemble } from './assemble.ts';
import { REQUEST_MILLISECONDS } from './deadline.ts';
import { nextCursor, pageWarnings, type ReadListPorts, withParts } from './list-ports.ts';
import { gone, missProblem, PROFILE, refusedBy } from './misses.ts';
import { userKey } from './user-key.ts';

/**
 * What a profile says of its lists. That of a protected one looks empty; those of a suspended one, of an unknown one and
 * in an outage all look like "not found".
 *
 * @throws Problem when the lists are certainly not to be had
 * @returns what keeps us from knowing
 */
const lookAt = (profile: Outcome<User>): Exclude<Miss, { kind: 'gone' | 'absent' }> | undefined => {
  if (profile.kind === 'gone' || profile.kind === 'absent') throw missProblem(profile, PROFILE);
  if (profile.kind !== 'found') return profile;
  if (profile.value.protected) throw gone(PROFILE, 'protected');
  return undefined;
};

/**
 * @throws Problem `profile_not_found`, `profile_protected`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable`
 */
export const listFollows = async (
  list: 'followers' | 'following',
  input: HandleInput,
  { upstream, cursors, clock }: ReadListPorts,
  requester?: Requester,
): Promise<ReadAnswer<UserList>> => {
  const { limit, from } = input;
  // In one spelling, as in the caches: only the profile knows its owner's.
  const handle = input.handle.toLowerCase();
  const deadline = clock() + REQUEST_MILLISECONDS;
  const lookAtProfile = async () => lookAt(await upstream.readProfile(handle, deadline, requester));

  let doubt: Miss | undefined;
  const fetch = async (request: PageRequest) => {
    const outcome = await upstream.listUsers({ list, handle }, request, deadline, requester);
    const beginsEmpty = outcome.kind === 'found' && outcome.value.items.length === 0 && request.cursor === undefined;
    if (beginsEmpty) doubt = await lookAtProfile();
    return outcome;
  };
  const page = await assemble({ limit, from, fetch, idOf: userKey });

  if (page.kind === 'ambiguous') {
    throw missProblem((await lookAtProfile()) ?? { kind: 'down', why: 'found the profile, not its list' }, PROFILE);
  }
  if (page.kind !== 'found') throw missProblem(page, PROFILE, from && refusedBy.cursor);
  if (page.items.length === 0 && doubt !== undefined) throw missProblem(doubt, PROFILE);
  return withParts(page, (shown) => ({
    value: { handle, users: [...shown.items], ...nextCursor(shown, input, cursors) },
    source: shown.source,
    fetchedAt: shown.fetchedAt,
    warnings: pageWarnings(shown),
  }));
};
