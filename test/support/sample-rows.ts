// Chooses posts, accounts and searches of the sample that tests read one by one: one of each kind, and not every one.
import posts from '../../infra/local/sample/posts.json' with { type: 'json' };

/** Members of a post that is more than a text. A row with a tombstone cannot be read. */
const SPECIAL = ['media', 'quote', 'poll', 'article', 'card', 'community_note', 'translations', 'is_note_tweet'];

/** Two threads, a reply, Markdown syntax, the first post and a repost. */
const OTHERS = [
  '2100000000000000401',
  '2034932961899447678',
  '2035310449259448307',
  '2029800668918710457',
  '20',
  '2034570574033847604',
];

export const unreadableIds: readonly string[] = posts.filter((row) => 'tombstone' in row).map(({ id }) => id);

export const readableIds: readonly string[] = [
  ...posts.filter((row) => SPECIAL.some((member) => member in row)).map(({ id }) => id),
  ...OTHERS,
];

/** The lists of the last fail. */
export const sampleHandles: readonly string[] = [
  'ada_larsson',
  'kestrel_labs',
  'slowtv_live',
  'X',
  'private_pia',
  'zero_posts',
  'gone_gary',
  'flaky_feed',
];

export const sampleQueries: readonly string[] = ['tide', '%23ferries', 'from%3Aslowtv_live', 'zzzqqq%20nothing'];
