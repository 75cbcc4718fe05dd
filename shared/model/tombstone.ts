// Tells posts from tombstones. This file has no schema, because no Lambda loads zod for it.
import type { PostOrTombstone, Tombstone } from './post.ts';

export const isTombstone = (entry: PostOrTombstone): entry is Tombstone => 'unavailable' in entry;
