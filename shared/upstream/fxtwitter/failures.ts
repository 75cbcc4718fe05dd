// Says what a failure of FxTwitter means, by kind of query. The readers, the client and the mappers run by this table.
//
// FxTwitter has one 404 for everything: an unknown subject, a suspended one, an outage of X, and a query that X limits. What
// it means depends on what is asked for. A search has a result even if it is empty, so its 404 is a call that X dropped,
// within milliseconds and at random; quotes are a search, too. A 400 for a page with a cursor is about the cursor, in every kind.
import type { QueryKind } from '../../contract/providers.ts';
import type { FailedOutcome } from '../../ports/upstream.ts';
import type { CallBudget } from '../json-client.ts';

type Kind = QueryKind<'fxtwitter'>;

/** A subject that is missing, or an outage. */
const AMBIGUOUS: FailedOutcome = { kind: 'ambiguous' };
const DROPPED: FailedOutcome = { kind: 'down', why: 'code 404' };
const REFUSED: FailedOutcome = { kind: 'refused', why: 'code 400' };
/** The request has nothing of the caller that can be wrong. */
const OUR_FAULT: FailedOutcome = { kind: 'failed', why: 'code 400' };
const NO_POST: FailedOutcome = { kind: 'failed', why: 'code 200 without a post' };

interface SecondWay {
  readonly way: Kind | 'thread';
  /** The outcomes after which it is asked. */
  readonly after: readonly FailedOutcome['kind'][];
}

export interface FailureRow {
  /** A 404 without a reason. */
  readonly notFound: FailedOutcome;
  /** A 400 without a cursor. */
  readonly badRequest: FailedOutcome;
  /** A 200 without anything. Unset: an empty list, whose owner the use case looks at. */
  readonly empty?: FailedOutcome;
  /** A 404 is a call that X dropped, so it is tried again (json-client.ts). @default false */
  readonly isTriedAgain?: true;
  /** Another way to the same result at this provider. @default the next provider */
  readonly secondWay?: SecondWay;
}

const post: FailureRow = { notFound: AMBIGUOUS, badRequest: REFUSED, empty: NO_POST };
/** A search finds what a timeline has, but for reposts; nothing finds articles. */
const articles: FailureRow = { notFound: AMBIGUOUS, badRequest: OUR_FAULT };
const timeline: FailureRow = {
  ...articles,
  secondWay: { way: 'search', after: ['ambiguous', 'failed', 'down'] },
};
const list: FailureRow = { notFound: AMBIGUOUS, badRequest: OUR_FAULT };
const search: FailureRow = { notFound: DROPPED, badRequest: REFUSED, isTriedAgain: true };

export const failures = {
  status: post,
  conversation: { ...post, secondWay: { way: 'thread', after: ['ambiguous', 'failed', 'down', 'absent'] } },
  translation: post,
  about: { notFound: AMBIGUOUS, badRequest: OUR_FAULT, secondWay: { way: 'profile', after: ['down'] } },
  profile: { notFound: AMBIGUOUS, badRequest: OUR_FAULT },
  statuses: timeline,
  'statuses with replies': timeline,
  media: timeline,
  articles,
  search,
  quotes: { ...search, badRequest: OUR_FAULT },
  users: { ...search, secondWay: { way: 'typeahead', after: ['failed', 'down'] } },
  typeahead: search,
  reposts: list,
  followers: list,
  following: list,
} as const satisfies Readonly<Record<Kind, FailureRow>>;

export const failuresOf = (kind: Kind): FailureRow => failures[kind];

/** @returns true if the result is asked for in a second way now */
export const asksSecondWay = (
  kind: Kind,
  outcome: { readonly kind: string },
  { hasNextBaseUrl = false }: Pick<CallBudget, 'hasNextBaseUrl'>,
): boolean => !hasNextBaseUrl && (failuresOf(kind).secondWay?.after.some((each) => each === outcome.kind) ?? false);

export const UNKNOWN_CURSOR: FailedOutcome = { kind: 'refused', why: 'code 400 for a cursor' };
