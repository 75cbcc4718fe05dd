// Posts of the official API -> model. Pure and total: whatever comes, something valid leaves, or nothing.
// A post names its author, media, poll and other posts by id; they stand beside it in `includes`.
import { parseId, postUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post, PostMetrics } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { asArray, asCount, asLanguageTag, asText, optionalMember, parseDate } from '../json-readers.ts';
import { mapMediaList } from '../media.ts';
import { mapArticle, mapMedia, mapPoll } from './map-attachments.ts';
import { mapUser } from './map-user.ts';
import { parsePostText } from './post-text.ts';

interface Included {
  readonly users: ReadonlyMap<unknown, User>;
  readonly posts: ReadonlyMap<unknown, JsonRecord>;
  readonly media: ReadonlyMap<unknown, JsonRecord>;
  readonly polls: ReadonlyMap<unknown, JsonRecord>;
}

const byKey = (value: unknown, key: string): Map<unknown, JsonRecord> => {
  const found = new Map<unknown, JsonRecord>();
  for (const entry of asArray(value)) {
    const raw = asRecord(entry);
    if (raw !== undefined) found.set(raw[key], raw);
  }
  return found;
};

const readIncludes = (value: unknown): Included => {
  const includes = asRecord(value);
  const users = new Map<unknown, User>();
  for (const [id, raw] of byKey(includes?.['users'], 'id')) {
    const user = mapUser(raw);
    if (user !== undefined) users.set(id, user);
  }
  return {
    users,
    posts: byKey(includes?.['tweets'], 'id'),
    media: byKey(includes?.['media'], 'media_key'),
    polls: byKey(includes?.['polls'], 'id'),
  };
};

type Reference = 'replied_to' | 'quoted' | 'retweeted';

const referenced = (raw: JsonRecord, type: Reference): string | undefined => {
  for (const entry of asArray(raw['referenced_tweets'])) {
    const reference = asRecord(entry);
    if (reference?.['type'] === type) return parseId(asText(reference['id']) ?? '');
  }
  return undefined;
};

const mapMetrics = (value: unknown): PostMetrics => {
  const raw = asRecord(value);
  return {
    likes: asCount(raw?.['like_count']),
    reposts: asCount(raw?.['retweet_count']),
    replies: asCount(raw?.['reply_count']),
    quotes: asCount(raw?.['quote_count']),
    bookmarks: asCount(raw?.['bookmark_count']),
    views: asCount(raw?.['impression_count']),
  };
};

/** The one who is answered is known by id; their handle stands beside the post or is mentioned in it. */
const mapReplyingTo = (raw: JsonRecord, { users }: Included): Post['in_reply_to'] => {
  const id = referenced(raw, 'replied_to');
  const userId = asText(raw['in_reply_to_user_id']);
  if (id === undefined && userId === undefined) return undefined;
  const mentions = byKey(asRecord(raw['entities'])?.['mentions'], 'id');
  const handle = users.get(userId)?.handle ?? mapUser(mentions.get(userId))?.handle;
  return handle === undefined && id === undefined
    ? undefined
    : { ...optionalMember('handle', handle), ...optionalMember('id', id) };
};

/** Named twice, media is shown once. */
const distinct = (keys: readonly unknown[]): readonly unknown[] => [...new Set(keys)];

const mapPost = (raw: JsonRecord, included: Included, now: number, isQuoted = false): Post | undefined => {
  const id = parseId(asText(raw['id']) ?? '');
  if (id === undefined) return undefined;
  const author = included.users.get(raw['author_id']);
  const attachments = asRecord(raw['attachments']);
  const media = mapMediaList(
    distinct(asArray(attachments?.['media_keys'])).map((key) => included.media.get(key)),
    mapMedia,
  );
  const poll = included.polls.get(asArray(attachments?.['poll_ids'])[0]);
  const article = mapArticle(raw['article']);
  const quoteId = referenced(raw, 'quoted');
  const { possibly_sensitive: sensitive } = raw;
  const read = parsePostText(raw, { id, quoteId, media: media.length > 0, article: article !== undefined });
  // Every member, absent ones as undefined: one shape for all posts, and JSON leaves them out.
  return {
    id,
    url: postUrl(id, author?.handle),
    text: read.text,
    created_at: parseDate(raw['created_at']),
    lang: asLanguageTag(raw['lang']),
    author,
    metrics: mapMetrics(raw['public_metrics']),
    media,
    poll: poll && mapPoll(poll, now),
    quote: quoteId === undefined ? undefined : mapQuote(quoteId, included, now, isQuoted),
    article,
    card: read.card,
    in_reply_to: mapReplyingTo(raw, included),
    conversation_id: parseId(asText(raw['conversation_id']) ?? ''),
    sensitive: typeof sensitive === 'boolean' ? sensitive : undefined,
    mentions: read.mentions,
    hashtags: read.hashtags,
    links: read.links,
  };
};

/** Only what a post refers to itself is included, not what that refers to: a quote within a quote is a link. */
const mapQuote = (id: string, included: Included, now: number, isQuoted: boolean): Post['quote'] => {
  const quoted = isQuoted ? undefined : included.posts.get(id);
  return (quoted && mapPost(quoted, included, now, true)) ?? { id, url: postUrl(id) };
};

export interface PostMapper {
  /** A repost is answered with the original. undefined: not a post that can be shown. */
  post(value: unknown): Post | undefined;
  /** A post beside the answered ones, if it is there. */
  included(id: string): Post | undefined;
}

/** Maps the posts of one answer. @param now for what is over by now, in milliseconds */
export const createXApiPostMapper = (includes: unknown, now: number): PostMapper => {
  const everything = readIncludes(includes);
  const included = (id: string): Post | undefined => {
    const raw = everything.posts.get(id);
    return raw && mapPost(raw, everything, now);
  };
  return {
    included,
    post: (value) => {
      const raw = asRecord(value);
      if (raw === undefined) return undefined;
      const original = referenced(raw, 'retweeted');
      if (original === undefined) return mapPost(raw, everything, now);
      const post = included(original);
      return post && { ...post, reposted_by: everything.users.get(raw['author_id']) };
    },
  };
};
