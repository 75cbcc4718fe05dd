// Telling posts from tombstones at run time, apart from the schemas, which no Lambda loads.
import type { PostOrTombstone, Tombstone } from './post.ts';

export const isTombstone = (entry: PostOrTombstone): entry is Tombstone => 'unavailable' in entry;
