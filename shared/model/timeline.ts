// Names the timelines of a profile, and the period that a request selects.

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
