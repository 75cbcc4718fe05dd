// Remembers the oldest posts of an export. After the end of a timeline the export continues with older posts, so only the
// oldest posts so far can appear again: those of the same second, and a pinned post that the timeline had first.

const KEPT = 1000;

export interface OldestPosts {
  /** @param id decimal digits @returns true if the post is not remembered */
  add(id: string): boolean;
}

/** The id of a post starts with its time (Snowflake), so the smallest ids are of the oldest posts. */
const byId = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);

export const createOldestPosts = (kept: number = KEPT): OldestPosts => {
  let ids = new Set<string>();
  return {
    add(id) {
      if (ids.has(id)) return false;
      ids.add(id);
      // Sorting at twice the size keeps the cost of each post constant.
      if (ids.size === 2 * kept) ids = new Set([...ids].toSorted(byId).slice(0, kept));
      return true;
    },
  };
};
