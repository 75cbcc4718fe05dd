// Finds posts that FxTwitter may have cut, and asks for them again.
//
// X wraps a post whose author limits who can reply. FxTwitter copies some members out of the wrapper, but not the long text,
// the article, the community note and the client: a long text ends after 250 to 294 characters, and an article is a bare
// link. So a post without its client may be cut. `/2/conversation`, `/2/thread` and lists unwrap their posts, but no quoted
// posts; `/2/status` unwraps nothing. So `/2/thread/{id}` is asked for each such post, within the calls of the request. A post
// that stays as it is has a warning if its text is so long that it can be cut, or is a single link.
import type { WarningCode } from '../../contract/warnings.ts';
import { entriesOf, isPost, isTombstone } from '../../model/conversation.ts';
import type { JsonRecord } from '../../model/json.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import type { Conversation } from '../../model/resources.ts';
import { isMarkedCut, markCut } from '../part-warnings.ts';

const MIN_CUT_WEIGHT = 250;

/** X counts most characters of other scripts than the Latin one twice. */
const weightOf = (text: string): number => {
  let weight = 0;
  for (const character of text) weight += (character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2;
  return weight;
};

const SINGLE_LINK = /^\s*https?:\/\/\S+\s*$/;

/** @returns the warnings if nothing more is known of the post */
const cutCodes = ({ text, article }: Post): readonly WarningCode[] => {
  if (article === undefined && SINGLE_LINK.test(text)) return ['article_incomplete'];
  return weightOf(text) < MIN_CUT_WEIGHT ? [] : ['text_incomplete'];
};

/** @param raw from which the post was mapped */
export const markIfCut = (post: Post, raw: JsonRecord): Post => {
  const isWrapped = raw['source'] === undefined && raw['is_note_tweet'] !== true;
  return isWrapped ? markCut(post, cutCodes(post)) : post;
};

/** The post, then the posts that it quotes. */
const quotesFrom = (entry: PostOrTombstone): readonly Post[] => {
  const posts: Post[] = [];
  for (let post: Post['quote'] = entry; isPost(post); post = post.quote) posts.push(post);
  return posts;
};

/** @returns the ids of posts that may be cut, those of the post and its quotes first */
const cutIdsIn = (conversation: Conversation): readonly string[] => [
  ...new Set(
    entriesOf(conversation)
      .flatMap(quotesFrom)
      .filter(isMarkedCut)
      .map(({ id }) => id),
  ),
];

type Whole = ReadonlyMap<string, Post>;

/** Keeps what only the place of a post has: who reposted it, and which of its quotes are posts and which are links. */
const replaced = (post: Post, whole: Whole, isQuote: boolean): Post => {
  const found = isMarkedCut(post) ? whole.get(post.id) : undefined;
  const base =
    found === undefined
      ? post
      : {
          ...found,
          quote: isQuote ? post.quote : found.quote,
          reposted_by: post.reposted_by,
          conversation_id: post.conversation_id,
          translation: found.translation ?? post.translation,
        };
  const quote = isPost(base.quote) ? replaced(base.quote, whole, true) : base.quote;
  if (base === post && quote === post.quote) return post;
  return { ...base, quote };
};

/** @param readPost reads a post without cutting it; undefined: it could not be read */
export const completePosts = async (
  conversation: Conversation,
  maxCalls: number,
  readPost: (id: string) => Promise<Post | undefined>,
): Promise<Conversation> => {
  const ids = cutIdsIn(conversation).slice(0, Math.max(0, maxCalls));
  if (ids.length === 0) return conversation;
  const read = await Promise.all(ids.map(readPost));
  const whole: Whole = new Map(read.flatMap((post) => (post === undefined ? [] : [[post.id, post]])));
  const complete = (entry: PostOrTombstone): PostOrTombstone =>
    isTombstone(entry) ? entry : replaced(entry, whole, false);
  const { post, ancestors, thread, replies } = conversation;
  return {
    post: replaced(post, whole, false),
    ancestors: ancestors.map(complete),
    thread: thread.map(complete),
    replies: replies.map(complete),
  };
};
