// Lists the formats that reads offer. The first of each list is the default. Apart from media-types.ts, which the edge
// function loads.
import { FEED_FORMATS, KEPT_FORMATS } from './media-types.ts';

export const POST_FORMATS = ['markdown', 'json', 'obsidian', ...KEPT_FORMATS] as const;
export const DATA_FORMATS = ['markdown', 'json'] as const;
export const LIST_FORMATS = [...DATA_FORMATS, 'ndjson', 'csv'] as const;
/** Several posts are no list with pages, whose last line would name the next one. */
export const LOOKUP_FORMATS = [...DATA_FORMATS, 'csv'] as const;
export const POST_LIST_FORMATS = [...LIST_FORMATS, ...FEED_FORMATS] as const;
/** A profile has recent posts, and is no list whose lines are items. */
export const PROFILE_FORMATS = [...DATA_FORMATS, ...FEED_FORMATS] as const;
/** With the accounts of the list, as subscriptions for feed readers. */
export const FOLLOWING_FORMATS = [...LIST_FORMATS, 'opml'] as const;
export const TIMELINE_FORMATS = [...POST_LIST_FORMATS, 'opml'] as const;
/** The tree of a conversation, also as a graph. */
export const CONVERSATION_FORMATS = [...LIST_FORMATS, 'graphml'] as const;
export const EMBED_FORMATS = ['json'] as const;
