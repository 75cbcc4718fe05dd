// What a search looks through, and in which order. Apart from the schemas, which no Lambda loads.

export const FEEDS = ['latest', 'top', 'media', 'users'] as const;
export type Feed = (typeof FEEDS)[number];
