// Writes bodies of the official API in each of its two sets of names.

const older = {
  posts: 'tweets',
  referenced_posts: 'referenced_tweets',
  note_post: 'note_tweet',
  edit_history_post_ids: 'edit_history_tweet_ids',
  repost_count: 'retweet_count',
  post_count: 'tweet_count',
} as const;

export const spellings = ['documented', 'older'] as const;
export type Spelling = (typeof spellings)[number];

/** @returns a copy with the names of the members in one spelling, whatever they were */
export const spelled = <T>(body: T, spelling: Spelling): T => {
  const names = Object.entries(older).map(([documented, old]) =>
    spelling === 'documented' ? [old, documented] : [documented, old],
  );
  const text = names.reduce(
    (json, [from, to]) => json.replaceAll(`"${from}":`, () => `"${to}":`),
    JSON.stringify(body),
  );
  return JSON.parse(text);
};
