// Reads the followers of a profile, or whom it follows.
import type { HandleInput } from '../contract/inputs.ts';
import type { UserList } from '../model/user-list.ts';
import type { Deadline, ReadResult, Upstream } from '../ports.ts';
import { assemble } from './assemble.ts';
import { REQUEST_MILLISECONDS } from './deadline.ts';
import { nextCursor, pageWarnings, type ReadListPorts } from './list-ports.ts';
import { missProblem, profileGone, refusedBy, unavailable } from './misses.ts';
import { userKey } from './user-key.ts';

/**
 * The list of a protected profile looks empty, and that of a suspended one, an unknown one and an outage all look like
 * "not found": the profile tells which.
 *
 * @throws Problem unless the profile is public; also then, unless the list was read
 */
const lookAtProfile = async (handle: string, upstream: Upstream, deadline: Deadline): Promise<void> => {
  const profile = await upstream.readProfile(handle, deadline);
  if (profile.kind !== 'found') throw missProblem(profile);
  if (profile.value.protected) throw profileGone('protected');
};

/**
 * @throws Problem `profile_not_found`, `profile_protected`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable`
 */
export const listFollows = async (
  list: 'followers' | 'following',
  input: HandleInput,
  { upstream, cursors, clock }: ReadListPorts,
): Promise<ReadResult<UserList>> => {
  const { handle, limit, from } = input;
  const deadline = clock() + REQUEST_MILLISECONDS;
  const page = await assemble({
    limit,
    from,
    fetch: (request) => upstream.listUsers({ list, handle }, request, deadline),
    idOf: userKey,
  });
  if (page.kind === 'ambiguous') {
    await lookAtProfile(handle, upstream, deadline);
    throw unavailable('the profile was found, its list was not');
  }
  if (page.kind !== 'found') throw missProblem(page, from && refusedBy.cursor);
  if (page.items.length === 0 && from === undefined && !page.isShort) await lookAtProfile(handle, upstream, deadline);
  return {
    // In one spelling, as in the caches: only the profile knows its owner's.
    value: { handle: handle.toLowerCase(), users: [...page.items], ...nextCursor(page, input, cursors) },
    source: page.source,
    fetchedAt: page.fetchedAt,
    warnings: pageWarnings(page),
  };
};
