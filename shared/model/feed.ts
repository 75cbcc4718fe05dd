// Lists the feeds of a search. This file has no schema, because no Lambda loads zod for one list.

export const FEEDS = ['latest', 'top', 'media', 'users'] as const;
export type Feed = (typeof FEEDS)[number];
