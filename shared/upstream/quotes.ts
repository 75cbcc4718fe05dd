// Bounds the depth of quotes, for all providers.

/** The quote of a post is level 1. Quotes down to this level are complete posts; the next quote is `{ id, url }`. */
export const QUOTE_LEVELS = 4;
