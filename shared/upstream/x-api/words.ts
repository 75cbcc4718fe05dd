// Lists what the official API calls by two names: the words of its OpenAPI description, and the older words of its guides.
// X answers in the words in which it was asked, and is silent about a field that it does not know. So answers are read in
// both, and requests are written in the documented words, or in the older ones if X understands only those.
import type { JsonRecord } from '../../model/json.ts';

const names = {
  fields: ['post.fields', 'tweet.fields'],
  includedPosts: ['posts', 'tweets'],
  references: ['referenced_posts', 'referenced_tweets'],
  note: ['note_post', 'note_tweet'],
  edits: ['edit_history_post_ids', 'edit_history_tweet_ids'],
  reposts: ['repost_count', 'retweet_count'],
  postsOfUser: ['post_count', 'tweet_count'],
} as const satisfies Readonly<Record<string, readonly [documented: string, older: string]>>;

type Named = keyof typeof names;

/** The types of a reference, in both words. */
export const REPOST_TYPES: readonly unknown[] = ['reposted', 'retweeted'];

/** @returns the member by the documented name, else by the older one */
export const memberOf = (raw: JsonRecord | undefined, named: Named): unknown => {
  const [documented, older] = names[named];
  return raw?.[documented] ?? raw?.[older];
};

export type Words = 'documented' | 'older';

export const nameIn = (words: Words, named: Named): string => names[named][words === 'documented' ? 0 : 1];

/** `bare`: the answer has items, but nothing of what was asked about them. `rejected`: a 400, which can also be about a value. */
export type Understanding = 'understood' | 'bare' | 'rejected';

/** Asks in the documented words, and once more in the older ones if they are not understood; keeps what is understood. */
export const createWordChoice = () => {
  let known: Words = 'documented';
  let isConfirmed = false;
  let isHopeless = false;
  return async <T>(ask: (words: Words) => Promise<T>, judge: (answer: T) => Understanding | undefined): Promise<T> => {
    const words = known;
    const first = await ask(words);
    const understanding = judge(first);
    isConfirmed ||= understanding === 'understood';
    const isDoubtful = understanding === 'bare' || (understanding === 'rejected' && !isConfirmed);
    if (!isDoubtful || isHopeless) return first;
    const others = words === 'documented' ? 'older' : 'documented';
    const second = await ask(others);
    const other = judge(second);
    // Then X gives nothing about these items.
    if (understanding === 'bare' && other === 'bare') isHopeless = true;
    if (other !== 'understood') return first;
    known = others;
    isConfirmed = true;
    return second;
  };
};
