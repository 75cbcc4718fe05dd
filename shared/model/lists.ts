// Names the feeds of a search and the timelines of a profile, bounds a search text and a conversation, and defines the position at which a list
// continues. Without schemas: Lambdas load it.
import type { TombstoneReason } from './post.ts';

export const FEEDS = ['latest', 'top', 'media', 'users'] as const;
export type SearchFeed = (typeof FEEDS)[number];

/** X accepts no longer text. In UTF-16 units. */
export const MAX_SEARCH_UNITS = 512;
/** The most characters of the box: a pasted list of links is longer than a search. */
export const MAX_BOX_UNITS = 2000;

/** A conversation has at most this many replies. The list of replies has all. */
export const MAX_CONVERSATION_REPLIES = 20;

/**
 * - `posts`: without replies
 * - `replies`: posts and replies
 * - `media`: posts with pictures or videos
 * - `articles`: posts that are articles
 */
export const TIMELINE_KINDS = ['posts', 'replies', 'media', 'articles'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** A timeline leaves the reposts of its accounts out, or has them. */
export const REPOST_CHOICES = ['exclude', 'include'] as const;
export type RepostChoice = (typeof REPOST_CHOICES)[number];

/** A period of time in milliseconds since the epoch. An unset bound is open. */
export interface Period {
  /** Inclusive. */
  readonly since?: number;
  /** Exclusive. */
  readonly until?: number;
}

/** @param at milliseconds since the epoch */
export const isInPeriod = ({ since, until }: Period, at: number): boolean =>
  (since === undefined || at >= since) && (until === undefined || at < until);

/**
 * A list that goes on with the posts before an instant reads the last post again. So a part whose period has a post that was
 * shown is never empty: an empty answer is a failure of the source, and not the end of the list.
 *
 * @param shown the time of a post that was shown; undefined: none was, or its time is not known
 */
export const mustHaveItems = (period: Period, shown: number | undefined): boolean =>
  shown !== undefined && isInPeriod(period, shown);

/** Names a list and its normalized arguments. A cursor is valid only for the list with the same key. */
export type ListKey = readonly string[];

/** The content of a cursor. */
export interface ListPosition {
  /** The provider of the list. Pages of other providers differ. */
  readonly provider: string;
  /** The provider's cursor of the page; unset: the first page. */
  readonly cursor?: string;
  /** The number of items that the page was requested with. A partial page is requested again with the same number. */
  readonly size: number;
  /** Some items of the page were returned. The list continues after the last of them. */
  readonly isPartial: boolean;
  /** The number of consecutive pages without a new item. */
  readonly emptyPages: number;
  /** Fingerprints of recently returned items, because provider pages can repeat items. */
  readonly recentFingerprints: readonly number[];
  /** Ids of returned posts that can return at a later place, in lists that are newest first. @default none */
  readonly earlyIds?: readonly string[];
  /** Fingerprint of all posts of the last page with posts, because a provider can send a page twice. */
  readonly lastPageFingerprint?: number;
  /** The pages of a search that a page of a conversation has, of which a part was returned. */
  readonly searchPages?: number;
  /** Fingerprint of the first page with items. If a later page has it, the provider started the list again. */
  readonly firstPageFingerprint?: number;
  /** The accounts of a merged timeline, in the order of its handles, instead of the other members. */
  readonly accounts?: readonly AccountPosition[];
}

/** Posts of an account that were read and not returned, because they stood before their places. */
export interface HeldPosts {
  readonly ids: readonly string[];
  /** The page on which they stood; unset: each is read alone. */
  readonly page?: { readonly cursor?: string; readonly provider?: string };
}

/** The place from which the posts of one account continue in a merged timeline. */
export type AccountPosition =
  /** All posts were returned. */
  | 'ended'
  /** The list of the account ended early. */
  | 'cut'
  | { readonly missing: TombstoneReason }
  | {
      /** The id below which no post was returned; unset: the account was not read yet. */
      readonly before?: string;
      /** The id of the last repost that was passed. @default none */
      readonly after?: string;
      /** The provider's cursor of the page with the youngest of these posts; unset: its first page. */
      readonly cursor?: string;
      /** The provider of the cursor. */
      readonly provider?: string;
      /** The first page is requested until the instant of `before`, because its cursor was too long or is not known any more. */
      readonly isRestart?: true;
      /** Posts that the pages from this position on need not have again. @default none */
      readonly held?: readonly HeldPosts[];
      /** The weight of the consecutive pages without an older post. */
      readonly idle: number;
    };
