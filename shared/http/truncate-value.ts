// Truncates a value whose JSON is too large. Long texts and lists end early. Names, ids, URLs, numbers and all members stay.

/** Shorter texts stay whole. Cursors and almost all URLs are shorter. */
const MIN_TEXT_CODE_UNITS = 4096;

const ELLIPSIS = '…';

/** @param end in UTF-16 code units @returns whole characters only */
const prefixOf = (text: string, end: number): string => {
  const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return `${text.slice(0, isWithinPair ? end - 1 : end)}${ELLIPSIS}`;
};

/** @param codeUnits of the JSON; the members that always stay may exceed it */
export const truncateValue = <T>(value: T, codeUnits: number): T => {
  let left = codeUnits;
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
