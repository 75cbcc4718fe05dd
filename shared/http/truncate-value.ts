// The last means against an answer that is too large: the beginning of a value, as JSON would write it. Long texts end
// early, lists end where the room does; names, ids, addresses and numbers stay, and so do all members.

/** Texts of at most so many UTF-16 units stay whole: longer than a cursor, and than addresses mostly are. */
const MIN_TEXT_CODE_UNITS = 4096;

const ELLIPSIS = '…';

/** @param end in UTF-16 units @returns whole characters alone */
const prefixOf = (text: string, end: number): string => {
  const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return `${text.slice(0, isWithinPair ? end - 1 : end)}${ELLIPSIS}`;
};

/** @param room in UTF-16 units of JSON; what stays in any case may exceed it */
export const truncateValue = <T>(value: T, room: number): T => {
  let left = room;
  const truncate = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const kept = Math.min(part.length, Math.max(MIN_TEXT_CODE_UNITS, left));
      left -= kept + 2;
      return kept === part.length ? part : prefixOf(part, kept);
    }
    if (Array.isArray(part)) {
      const kept: unknown[] = [];
      for (const item of part) {
        if (left <= 0) break;
        kept.push(truncate(item));
      }
      return kept;
    }
    if (typeof part !== 'object' || part === null) {
      left -= 8;
      return part;
    }
    return Object.fromEntries(
      Object.entries(part).map(([name, member]) => {
        left -= name.length + 4;
        return [name, truncate(member)];
      }),
    );
  };
  return truncate(value) as T; // the same shape: members stay, and lists may have any length
};
