// Reads the lists of a profile from the official API: its posts by kind and period, followers and following.
//
// X requests lists by user id, so the first page costs one more call. X selects reposts, replies and the period, but
// neither media nor articles: the page has all posts, of which the use case takes those, and X bills the other rows too.
import { parseId } from '../../model/handle.ts';
import type { TimelineKind } from '../../model/timeline.ts';
import type { User } from '../../model/user.ts';
import type { FailedOutcome, Outcome, TimelineRequest } from '../../ports/upstream.ts';
import type { CallBudget } from '../json-client.ts';
import { NOT_A_CURSOR, type Provider, type ProviderPage } from '../provider.ts';
import type { XApiClient } from './client.ts';
import { type ListCall, mapPosts, mapUsers, readListPage, rowCount } from './list-page.ts';
import { POST_PARAMETERS, USER_PARAMETERS, type XApiParameters } from './parameters.ts';

/** Lists are requested by user id. After the first page the cursor has the id: `{id}:{token}`. */
interface ListOwner {
  readonly kind: 'owner';
  readonly owner: string;
  /** The page token of X; unset: the first page. */
  readonly token?: string;
}

const readCursor = (cursor: string): ListOwner | FailedOutcome => {
  const colon = cursor.indexOf(':');
  const owner = parseId(cursor.slice(0, Math.max(colon, 0)));
  const token = cursor.slice(colon + 1);
  return owner === undefined || token === '' ? NOT_A_CURSOR : { kind: 'owner', owner, token };
};

/** The parameter `exclude` of X. */
const excludedBy: Readonly<Record<TimelineKind, string>> = {
  posts: 'retweets,replies',
  replies: 'retweets',
  media: 'retweets',
  articles: 'retweets,replies',
};

/** X rejects earlier times. */
const FIRST_TIME = Date.parse('2010-11-06T00:00:01Z');
/** X rejects later times: a bound has to be at least 10 s in the past. */
const MIN_AGE_MILLISECONDS = 10_000;

/** X knows whole seconds. @param round widens the period: the caller selects by the exact time */
const formatTime = (milliseconds: number, round: (seconds: number) => number): string =>
  `${new Date(round(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** X takes `start_time` as inclusive and `end_time` as exclusive. Without them the caller selects by time alone. */
const periodParameters = ({ since, until }: TimelineRequest, now: number): XApiParameters => {
  const isAccepted = (time: number | undefined): time is number =>
    time !== undefined && time >= FIRST_TIME && time <= now - MIN_AGE_MILLISECONDS;
  return {
    ...(isAccepted(since) && { start_time: formatTime(since, Math.floor) }),
    ...(isAccepted(until) && { end_time: formatTime(until, Math.ceil) }),
  };
};

type ProfileLists = Required<Pick<Provider, 'listPosts' | 'listFollows'>>;

export const createProfileListReaders = (
  client: XApiClient,
  readProfile: (handle: string, budget: CallBudget) => Promise<Outcome<User>>,
): ProfileLists => {
  const resolveOwner = async (
    handle: string,
    cursor: string | undefined,
    budget: CallBudget,
  ): Promise<ListOwner | FailedOutcome> => {
    if (cursor !== undefined) return readCursor(cursor);
    const profile = await readProfile(handle, budget);
    if (profile.kind !== 'found') return profile;
    const { id, protected: isProtected } = profile.value;
    if (isProtected === true) return { kind: 'gone', reason: 'protected' };
    return id === undefined ? { kind: 'failed', why: 'profile without id' } : { kind: 'owner', owner: id };
  };

  const listOf = async <T>(
    { handle, path, ...call }: Pick<ListCall<T>, 'path' | 'parameters' | 'mapItems'> & { readonly handle: string },
    cursor: string | undefined,
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<T>>> => {
    const listOwner = await resolveOwner(handle, cursor, budget);
    if (listOwner.kind !== 'owner') return listOwner;
    const { owner, token } = listOwner;
    return readListPage(
      client,
      {
        ...call,
        path: `/2/users/${owner}/${path}`,
        tokenParameter: 'pagination_token',
        token,
        owner,
        cursorOf: (next) => `${owner}:${next}`,
      },
      budget,
    );
  };

  return {
    async listPosts(request, { cursor, size }, budget) {
      const { kind, until } = request;
      if (until !== undefined && until <= FIRST_TIME)
        return { kind: 'refused', why: 'X has no timelines before November 2010' };
      const filters = {
        exclude: excludedBy[kind],
        max_results: rowCount(size, 5, 100),
        ...periodParameters(request, client.clock()),
      };
      return listOf(
        {
          handle: request.handle,
          path: 'tweets',
          parameters: { ...POST_PARAMETERS, ...filters },
          mapItems: mapPosts,
        },
        cursor,
        budget,
      );
    },
    listFollows({ list: path, handle }, { cursor, size }, budget) {
      const parameters = { ...USER_PARAMETERS, max_results: rowCount(size, 1, 1000) };
      return listOf({ handle, path, parameters, mapItems: mapUsers }, cursor, budget);
    },
  };
};
