// Labels of profiles, follow lists and searches. Markdown and HTML share most of them.
import type { SearchFeed, TimelineKind } from '../../model/lists.ts';
import type { MissingAccount } from '../../model/resources.ts';
import type { UserAbout } from '../../model/user.ts';
import { formatDay } from './format.ts';

export const PROFILE_POSTS = 'Posts';
export const NO_PROFILE_POSTS = 'No posts are listed.';

/** A fact of an account, with the name in it that others wrote. */
export interface AboutFact {
  readonly before: string;
  readonly name?: string;
  readonly after: string;
}

export const aboutFacts = (about: UserAbout): readonly AboutFact[] => {
  const { based_in: country, handle_changes: changes, handle_changed_at: changedAt } = about;
  const doubt = about.based_in_accurate === false ? ' (X says that this can be wrong)' : '';
  const last = changedAt === undefined ? '' : `, last on ${formatDay(changedAt)}`;
  return [
    ...(country === undefined ? [] : [{ before: 'Based in ', name: country, after: doubt }]),
    ...(changes === undefined || changes === 0
      ? []
      : [{ before: `Handle changed ${changes === 1 ? 'once' : `${changes} times`}`, after: last }]),
  ];
};

export type Follows = 'followers' | 'following';

export const followTitles: Readonly<Record<Follows, (handle: string) => string>> = {
  followers: (handle) => `Followers of @${handle}`,
  following: (handle) => `Accounts followed by @${handle}`,
};

/** A page can be empty and have a next page: the source can fail, or return only items that do not belong to the list. */
export const LIST_GOES_ON = 'This page is empty, but the list goes on.';

export const noFollows: Readonly<Record<Follows, string>> = {
  followers: 'No followers are listed.',
  following: 'No followed accounts are listed.',
};

/** The posts of a timeline in words, before the account. */
export const timelineHeadings: Readonly<Record<TimelineKind, string>> = {
  posts: 'Posts of',
  replies: 'Posts and replies of',
  media: 'Media of',
  articles: 'Articles of',
};

/** `Media of @ada` */
export const timelineTitle = (kind: TimelineKind, handle: string): string => `${timelineHeadings[kind]} @${handle}`;

const MOST_NAMED = 5;

/** @returns the accounts in words, the first of many */
export const namesOf = (handles: readonly string[]): string => {
  const shown = handles.slice(0, handles.length > MOST_NAMED ? MOST_NAMED - 1 : MOST_NAMED).join(', @');
  const others = handles.length > MOST_NAMED ? ` and ${handles.length - MOST_NAMED + 1} others` : '';
  return `${shown}${others}`;
};

/** @returns the sentence that names the accounts that cannot be read; empty without one */
export const missingSentence = (missing: readonly MissingAccount[]): string =>
  missing.length === 0
    ? ''
    : `Missing: ${missing.map(({ handle, reason }) => `@${handle} (${missingReasons[reason]})`).join(', ')}.`;

export const missingReasons: Readonly<Record<MissingAccount['reason'], string>> = {
  deleted: 'deactivated or deleted',
  protected: 'protected',
  suspended: 'suspended',
  withheld: 'withheld',
  unknown: 'not found',
  failed: 'could not be read',
};

export const noTimelinePosts: Readonly<Record<TimelineKind, string>> = {
  posts: NO_PROFILE_POSTS,
  replies: 'No posts and replies are listed.',
  media: 'No posts with media are listed.',
  articles: 'No articles are listed.',
};

export const feedTitles: Readonly<Record<SearchFeed, string>> = {
  latest: 'Latest posts',
  top: 'Top posts',
  media: 'Posts with media',
  users: 'Accounts',
};

/** The feeds as tabs of a page, in order. */
export const feedTabs: Readonly<Record<SearchFeed, string>> = {
  latest: 'Latest',
  top: 'Top',
  media: 'Media',
  users: 'People',
};

/** The content of each feed within a title. */
export const feedWords: Readonly<Record<SearchFeed, string>> = {
  latest: 'latest posts',
  top: 'top posts',
  media: 'posts with media',
  users: 'people',
};

/** `tide: latest posts` */
export const searchPageTitle = (query: string, feed: SearchFeed): string => `${query}: ${feedWords[feed]}`;

/** `Latest posts on X for: tide` */
export const searchDescription = (query: string, feed: SearchFeed): string => `${feedTitles[feed]} on X for: ${query}`;
