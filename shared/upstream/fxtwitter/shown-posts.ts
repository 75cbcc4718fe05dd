// Remembers which posts a list has shown, for lists that are latest first.
//
// X sorts a search by id, but posts can change places, also over the end of a page. So a post is not shown only if it is
// older than all posts before it: the ids of the oldest posts are kept. All ids below the largest of them are known, so
// a post between them is compared by its id. A post that is younger than all of them counts as shown.
import { byAge, packIds, unpackIds } from '../../model/snowflake.ts';

/** Each id takes 8 bytes of the cursor. A post is lost if X moves it behind more than this number of older posts. */
const MAX_KEPT = 16;

/** Ids of the oldest posts that were shown, by age; fewer than MAX_KEPT: of all posts that were shown. */
export type ShownPosts = readonly string[];

interface WithId {
  readonly id: string;
}

/** @returns those of the posts that were not shown, each once */
export const withoutShown = <T extends WithId>(shown: ShownPosts, posts: readonly T[]): readonly T[] => {
  const known = new Set(shown);
  const youngest = shown[MAX_KEPT - 1];
  return posts.filter(
    (post) =>
      (youngest === undefined || byAge(post, { id: youngest }) < 0) && !known.has(post.id) && known.add(post.id),
  );
};

/** @param posts that were not shown before */
export const addShown = (shown: ShownPosts, posts: readonly WithId[]): ShownPosts =>
  [...shown.map((id) => ({ id })), ...posts]
    .sort(byAge)
    .slice(0, MAX_KEPT)
    .map(({ id }) => id);

/** Matches the text of shown posts in a cursor. */
export const SHOWN_POSTS = '=[A-Za-z0-9_-]*|(?:\\.[0-9]{1,20})*|[0-9]{1,20}';

export const formatShown = (shown: ShownPosts): string => (shown.length === 0 ? '' : `=${packIds(shown)}`);

/**
 * Up to release 2.8 the text has the ids with a dot before each. Up to release 1.1.0 it is the id of the oldest post, and every
 * younger post counts as shown.
 */
export const parseShown = (text: string): ShownPosts => {
  if (text.startsWith('=')) return unpackIds(text.slice(1));
  return text === '' || text.startsWith('.') ? text.split('.').slice(1) : new Array<string>(MAX_KEPT).fill(text);
};
