// How far quotes within quotes are followed, whoever provides them.

/** The quote of a post is level 1. Down to this level quotes are full posts; the next is `{ id, url }`. */
export const QUOTE_LEVELS = 4;
