// Maps posts of the FxTwitter API v2 to the model. Every input gives a valid post or undefined, and never an exception.
import { postUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type {
  Community,
  Post,
  PostMetrics,
  PostOrTombstone,
  Tombstone,
  TombstoneReason,
  Translation,
  UnidentifiedTombstone,
} from '../../model/post.ts';
import { PLACES } from '../../model/text-places.ts';
import { parsePostUrl } from '../../model/x-urls.ts';
import { answered, mapMediaList } from '../attachments.ts';
import { expandLinks } from '../expand-links.ts';
import {
  asArray,
  asBoolean,
  asCount,
  asId,
  asLanguageTag,
  asLine,
  asNumber,
  asShortText,
  asText,
  asWebUrl,
  namedHandle,
  optionalMember,
  parseDate,
  toRfc3339,
} from '../json-readers.ts';
import { withLosses } from '../part-warnings.ts';
import { createRepeatBudget, type MayInclude, QUOTE_LEVELS } from '../repeats.ts';
import { markIfCut } from './cut-posts.ts';
import { mapArticle } from './map-article.ts';
import { mapBroadcast, mapCard, mapMedia, mapPoll } from './map-attachments.ts';
import { createUserMapper } from './map-user.ts';
import { readPostText } from './post-text.ts';

/** A post with deeper quotes is rejected, because no valid response has them. */
const MAX_QUOTE_DEPTH = 60;

const reasons: ReadonlyMap<unknown, TombstoneReason> = new Map([
  ['deleted', 'deleted'],
  ['suspended', 'suspended'],
  ['private', 'protected'],
  ['blocked', 'withheld'],
  ['withheld', 'withheld'],
]);

/** X says of most posts that it does not give that they are unavailable, and not why. */
export const mapReason = (raw: JsonRecord): TombstoneReason => reasons.get(raw['reason']) ?? 'unknown';

/** A tombstone has an id, a URL or neither. */
const tombstoneId = (raw: JsonRecord): string | undefined => {
  const id = asId(raw['id']);
  if (id !== undefined) return id;
  const ref = parsePostUrl(asText(raw['url']) ?? '');
  return 'error' in ref ? undefined : ref.id;
};

const unidentified = (raw: JsonRecord): UnidentifiedTombstone => ({ unavailable: true, reason: mapReason(raw) });

const mapTombstone = (raw: JsonRecord): Tombstone | undefined => {
  const id = tombstoneId(raw);
  return id === undefined ? undefined : { id, ...unidentified(raw) };
};

/** Shortened links of a community note are replaced by their URLs. */
const mapNote = (value: unknown): Post['community_note'] => {
  const raw = asRecord(value);
  const text = asText(raw?.['text']);
  if (raw === undefined || text === undefined) return undefined;
  return expandLinks(text, raw['facets'], {
    read: (facet) => ({
      original: asText(facet['display']),
      by: asWebUrl(facet['replacement']),
      indices: facet['indices'],
    }),
  });
};

const mapMetrics = (raw: JsonRecord): PostMetrics => ({
  likes: asCount(raw['likes']),
  reposts: asCount(raw['reposts']),
  replies: asCount(raw['replies']),
  quotes: asCount(raw['quotes']),
  bookmarks: asCount(raw['bookmarks']),
  views: asCount(raw['views']),
});

const mapReplyingTo = (value: unknown): Post['in_reply_to'] => {
  const raw = asRecord(value);
  return raw && answered(namedHandle(raw['screen_name']), asId(raw['status']), asLine(raw['display_name']));
};

const mapCommunity = (value: unknown): Community | undefined => {
  const raw = asRecord(value);
  const id = asId(raw?.['id']);
  if (raw === undefined || id === undefined) return undefined;
  return {
    id,
    ...optionalMember('name', asLine(raw['name'])),
    ...optionalMember('description', asShortText(raw['description'], 'caption')),
    ...optionalMember('topic', asLine(raw['topic'])),
    ...optionalMember('created_at', parseDate(raw['created_at'])),
  };
};

/** The text is empty if the provider was asked to translate and could not. */
const mapTranslation = (value: unknown): Translation | undefined => {
  const raw = asRecord(value);
  const text = asText(raw?.['text']);
  if (raw === undefined || text === undefined || text.trim() === '') return undefined;
  return {
    text,
    ...optionalMember('source_lang', asLanguageTag(raw['source_lang'])),
    ...optionalMember('target_lang', asLanguageTag(raw['target_lang'])),
    ...optionalMember('provider', asLine(raw['provider'])),
  };
};

const quoteDepth = (raw: JsonRecord): number => {
  let depth = 0;
  for (let quote = asRecord(raw['quote']); quote !== undefined && depth <= MAX_QUOTE_DEPTH; depth += 1)
    quote = asRecord(quote['quote']);
  return depth;
};

/** State that the posts of one response share. */
interface Shared {
  /** In milliseconds, for the state of polls. */
  readonly now: number;
  readonly mapUser: ReturnType<typeof createUserMapper>;
  readonly mayInclude: MayInclude;
}

const mapQuote = (value: unknown, shared: Shared, level: number): Post['quote'] => {
  const raw = asRecord(value);
  if (raw === undefined) return undefined;
  if (raw['type'] === 'tombstone') return mapTombstone(raw) ?? unidentified(raw);
  const id = asId(raw['id']);
  if (id === undefined) return undefined;
  return level > QUOTE_LEVELS
    ? { id, url: postUrl(id, shared.mapUser(raw['author'])?.handle) }
    : mapLevel(raw, shared, level);
};

const mapLevel = (raw: JsonRecord, shared: Shared, level: number): Post | undefined => {
  const id = asId(raw['id']);
  if (id === undefined) return undefined;
  const { now, mapUser, mayInclude } = shared;
  const author = mapUser(raw['author']);
  const created = asNumber(raw['created_timestamp']);
  const media = asArray(asRecord(raw['media'])?.['all']);
  const quote = mapQuote(raw['quote'], shared, level + 1);
  const { value: article, codes: articleCodes } = mapArticle(raw['article'], mayInclude);
  const { value: mapped, codes: mediaCodes } = mapMediaList(media, (item) => mapMedia(item, mapUser));
  const { value: poll, codes: pollCodes } = mapPoll(raw['poll'], now);
  const owner = { id, hasArticle: article !== undefined, hasMedia: media.length > 0, hasQuote: quote !== undefined };
  const read = readPostText(asText(raw['text']) ?? '', asRecord(raw['raw_text']), owner);
  // Absent members are undefined, so that all posts have one hidden class in V8. JSON leaves them out.
  const post: Post = {
    id,
    url: postUrl(id, author?.handle),
    text: read.text,
    [PLACES]: read[PLACES],
    styles: read.styles,
    decorations: read.decorations,
    created_at: (created === undefined ? undefined : toRfc3339(created * 1000)) ?? parseDate(raw['created_at']),
    lang: asLanguageTag(raw['lang']),
    translation: mapTranslation(raw['translation']),
    author,
    metrics: mapMetrics(raw),
    media: mapped,
    poll,
    quote,
    article,
    community_note: mapNote(raw['community_note']),
    card: mapCard(raw),
    broadcast: mapBroadcast(raw),
    community: mapCommunity(raw['community']),
    client: asLine(raw['source']),
    in_reply_to: mapReplyingTo(raw['replying_to']),
    // The provider does not name the first post of a conversation. A post that answers nothing is one.
    conversation_id: (raw['replying_to'] ?? undefined) === undefined ? id : undefined,
    reposted_by: mapUser(raw['reposted_by']),
    sensitive: asBoolean(raw['possibly_sensitive']),
    mentions: read.mentions,
    hashtags: read.hashtags,
    cashtags: read.cashtags,
    links: read.links,
  };
  return markIfCut(withLosses(post, [...mediaCodes, ...articleCodes, ...pollCodes]), raw);
};

export interface PostMapper {
  /** @returns undefined if the post has no valid id or too many quote levels */
  post(raw: JsonRecord): Post | undefined;
  /** Maps a post or a tombstone. @returns undefined for any other value */
  entry(value: unknown): PostOrTombstone | undefined;
}

/** Maps the posts of one response. @param now in milliseconds, for the state of polls */
export const createFxTwitterPostMapper = (now: number): PostMapper => {
  const mayInclude = createRepeatBudget();
  const shared: Shared = { now, mapUser: createUserMapper(mayInclude), mayInclude };
  const post = (raw: JsonRecord): Post | undefined =>
    quoteDepth(raw) > MAX_QUOTE_DEPTH ? undefined : mapLevel(raw, shared, 0);
  return {
    post,
    entry: (value) => {
      const raw = asRecord(value);
      if (raw === undefined) return undefined;
      return raw['type'] === 'tombstone' ? mapTombstone(raw) : post(raw);
    },
  };
};
