// Merges the timelines of several accounts, newest first.
//
// A post is shown if all accounts are known as far (account-timeline.ts): nothing younger can follow. Rounds read the accounts
// that are not as far as the last post of the page (read-accounts.ts). Each account has a position of its own, so an account
// that failed goes on from it: its posts come on a later page. A post that comes again at an older place is recognized by the
// fingerprints of the latest posts.
import type { MergedTimelineInput } from '../../contract/list-inputs.ts';
import { MAX_CURSOR_CHARACTERS } from '../../contract/parameters.ts';
import { problem } from '../../contract/problems.ts';
import { distinctWarnings, TIMELINE_CUT, TIMELINE_LEFT_OUT, warning } from '../../contract/warnings.ts';
import { hasArticlePreview } from '../../model/conversation.ts';
import type { AccountPosition } from '../../model/lists.ts';
import type { MergedTimeline, MissingAccount } from '../../model/resources.ts';
import { later } from '../../model/time.ts';
import type { Requester, UseCaseResult } from '../../ports/upstream.ts';
import { goneProblem, PROFILE_PROBLEMS, problemFromOutcome, USE_CASE_MILLISECONDS } from '../outcome-problems.ts';
import { degradedBy, type ListUseCasePorts } from '../paging/list-pages.ts';
import { fingerprint, MAX_REMEMBERED } from '../paging/recent-items.ts';
import { translationWarnings } from '../paging/translated-lists.ts';
import { wantsReposts } from '../profile-posts/read.ts';
import { positionsAfter, withinCursor } from './account-positions.ts';
import { type Account, accountAt } from './account-timeline.ts';
import { firstOf, knownPosts, readyPosts } from './post-places.ts';
import { readAccounts } from './read-accounts.ts';

/** The source if no provider was asked. */
const NO_SOURCE = 'none';

const missingOf = (accounts: readonly Account[]): MissingAccount[] =>
  accounts.flatMap(({ handle, missing, failure }): MissingAccount[] => {
    if (missing !== undefined) return [{ handle, reason: missing }];
    return failure === undefined ? [] : [{ handle, reason: 'failed' }];
  });

/** @throws Problem if no account could be read */
const requireAccounts = (accounts: readonly Account[]): void => {
  if (
    accounts.some(({ missing, failure, pages }) => missing === undefined && (failure === undefined || pages.length > 0))
  )
    return;
  const failure = accounts.find((account) => account.failure !== undefined)?.failure;
  if (failure !== undefined) throw problemFromOutcome(failure, PROFILE_PROBLEMS);
  const withheld = accounts.find((account) => account.withheld !== undefined)?.withheld;
  if (withheld !== undefined) throw problemFromOutcome(withheld, PROFILE_PROBLEMS);
  const reasons = accounts.flatMap(({ missing }) => missing ?? []);
  const reason = reasons.find((each) => each !== 'protected') ?? 'protected';
  if (reasons.every((each) => each === reason)) throw goneProblem(PROFILE_PROBLEMS, reason);
  throw problem('profile_not_found', { detail: 'None of the accounts exists and is public.' });
};

/**
 * Reads the posts of several accounts, newest first by id, each once.
 *
 * @throws Problem `profile_not_found`, `profile_protected` or, if one of them is withheld, `withheld_by_operator` if no account
 *   can be read; `upstream_failed` or `upstream_unavailable` if none was read and one failed; `invalid_cursor`, `rate_limited`
 */
export const mergeTimelines = async (
  input: MergedTimelineInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<MergedTimeline>> => {
  const { handles, kind, limit, list, position } = input;
  const { clock, wall, cursors } = ports;
  const accounts = handles.map((handle, index) => accountAt(handle, position?.accounts?.[index], input));
  const remembered = position?.recentFingerprints ?? [];
  const memory = new Set(remembered);
  const isSeen = (id: string): boolean => memory.has(fingerprint(id));
  const deadline = later(clock(), USE_CASE_MILLISECONDS);
  const found = await readAccounts(accounts, { input, ports, deadline, isSeen }, requester);
  requireAccounts(accounts);
  const known = accounts.map(knownPosts);
  const ready = readyPosts(accounts, known.flat());
  const fresh = firstOf(ready, isSeen);
  const missing = missingOf(accounts);

  const resultOf = (count: number): UseCaseResult<MergedTimeline> => {
    const shown = fresh.slice(0, count);
    const [left] = fresh.slice(count);
    const passed = new Set(left === undefined ? ready : ready.slice(0, ready.indexOf(left)));
    const positions = positionsAfter(accounts, passed, known);
    const goesOn = (index: number): boolean => {
      const at = positions[index];
      return typeof at === 'object' && !('missing' in at);
    };
    const isShort =
      shown.length < limit && accounts.some(({ failure }, index) => failure === undefined && goesOn(index));
    const posts = shown.map(({ post }) => post);
    const recentFingerprints = wantsReposts(input)
      ? [...remembered, ...posts.map(({ id }) => fingerprint(id))].slice(-MAX_REMEMBERED)
      : [];
    const next = { provider: '', size: limit, isPartial: false, emptyPages: 0, recentFingerprints };
    const cursorOf = (at: readonly AccountPosition[]): string => cursors.encode(list, { ...next, accounts: at });
    const kept = positions.some((_, index) => goesOn(index))
      ? withinCursor(positions, (at) => cursorOf(at).length <= MAX_CURSOR_CHARACTERS)
      : undefined;
    return {
      value: {
        handles: [...handles],
        kind,
        missing,
        posts,
        ...(kept && { next_cursor: cursorOf(kept.accounts) }),
        ...degradedBy(found.some(({ value: page }) => page.isFallback)),
      },
      source: [...new Set(found.map(({ source }) => source))].join(', ') || NO_SOURCE,
      fetchedAt: Math.min(wall.now(), ...found.map(({ fetchedAt }) => fetchedAt)),
      warnings: distinctWarnings([
        ...found.flatMap(({ warnings }) => warnings),
        // The first: `missing` and the end of the list show what the others of this code say.
        ...(kept?.lacksHeld ? [warning('timeline_incomplete', TIMELINE_LEFT_OUT)] : []),
        ...(missing.some(({ reason }) => reason === 'failed') ? [warning('timeline_incomplete')] : []),
        ...(accounts.some(({ isCut }) => isCut) ? [warning('timeline_incomplete', TIMELINE_CUT)] : []),
        ...(isShort ? [warning('partial_page')] : []),
        ...(accounts.some(({ lacksWithheld }) => lacksWithheld) ? [warning('withheld')] : []),
        ...(posts.some(hasArticlePreview) ? [warning('article_previews')] : []),
        ...translationWarnings(posts, input),
      ]),
      continuations: accounts.flatMap(({ continuations }) => continuations),
      parts: { count: shown.length, minimum: 1, keep: resultOf },
    };
  };
  return resultOf(limit);
};
