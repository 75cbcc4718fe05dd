// Bounds what results show again: the depth of quotes, and how much larger than its response a result can be.
//
// A response can state something once and refer to it many times: a link or a picture of an article, an account, a quoted
// post. Each reference becomes a copy in every format. Without a bound, the size of the answer would be the product of two
// parts of the response. So the first use of a part is free, and all further uses of all parts share one budget. A use
// beyond it is shown without the part: the words without their link, the quote as a link.

/** The quote of a post is level 1. Quotes down to this level are complete posts; the next quote is `{ id, url }`. */
export const QUOTE_LEVELS = 4;

/** In characters of JSON, for one response. The most that recorded responses repeat is a tenth of it. */
const MAX_REPEATED_CHARACTERS = 500_000;

/** Returns true if the result may include this part of the response, perhaps once more. */
export type MayInclude = (part: object) => boolean;

/** Creates the budget of one response. */
export const createRepeatBudget = (): MayInclude => {
  /** The size of a part is measured when it is repeated. */
  const sizes = new Map<object, number | undefined>();
  let left = MAX_REPEATED_CHARACTERS;
  return (part) => {
    if (!sizes.has(part)) {
      sizes.set(part, undefined);
      return true;
    }
    const size = sizes.get(part) ?? JSON.stringify(part).length;
    sizes.set(part, size);
    if (size > left) return false;
    left -= size;
    return true;
  };
};
