// Bounds the text of a search. This file has no schema, because no Lambda loads zod for one number.

/** X accepts no longer text. In UTF-16 units. */
export const MAX_SEARCH_UNITS = 512;
