// Names the feeds of a search and the timelines of a profile, and bounds a search text. Without schemas: Lambdas load it.

export const FEEDS = ['latest', 'top', 'media', 'users'] as const;
export type Feed = (typeof FEEDS)[number];

/** X accepts no longer text. In UTF-16 units. */
export const MAX_SEARCH_UNITS = 512;

/**
 * - `posts`: without reposts and replies
 * - `replies`: posts and replies, without reposts
 * - `media`: posts with pictures or videos
 * - `articles`: posts that are articles
 */
export const TIMELINE_KINDS = ['posts', 'replies', 'media', 'articles'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** A period of time in milliseconds since the epoch. An unset bound is open. */
export interface Period {
  /** Inclusive. */
  readonly since?: number;
  /** Exclusive. */
  readonly until?: number;
}
