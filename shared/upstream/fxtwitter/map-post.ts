// FxTwitter API v2 JSON -> model. Pure and total: whatever comes, something valid leaves, or nothing.
import { PROVIDER_HANDLE, parseId, postUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type {
  Card,
  Link,
  Media,
  Poll,
  Post,
  PostMetrics,
  PostOrTombstone,
  Tombstone,
  TombstoneReason,
  UnidentifiedTombstone,
} from '../../model/post.ts';
import { parsePostUrl } from '../../model/post-ref.ts';
import { facetAt, facetChecker, facetLocator, replaceRanges, unique } from '../facets.ts';
import {
  asArray,
  asCount,
  asLanguageTag,
  asNumber,
  asPositiveInteger,
  asText,
  asWebUrl,
  namedHandle,
  optionalMember,
  parseDate,
  toRfc3339,
} from '../json-readers.ts';
import { mapMediaList } from '../media.ts';
import { QUOTE_LEVELS } from '../quotes.ts';
import { mapArticle } from './map-article.ts';
import { createUserMapper } from './map-user.ts';

/** A JSON depth no honest answer has. */
const QUOTE_LEVELS_REFUSED = 60;

const reasons: ReadonlyMap<unknown, TombstoneReason> = new Map([
  ['deleted', 'deleted'],
  ['suspended', 'suspended'],
  ['private', 'protected'],
  ['blocked', 'withheld'],
  ['unavailable', 'withheld'],
]);

export const mapReason = (raw: JsonRecord): TombstoneReason => reasons.get(raw['reason']) ?? 'unknown';

/** Tombstones have an id, or an address, or neither. */
const tombstoneId = (raw: JsonRecord): string | undefined => {
  const id = parseId(asText(raw['id']) ?? '');
  if (id !== undefined) return id;
  const ref = parsePostUrl(asText(raw['url']) ?? '');
  return 'error' in ref ? undefined : ref.id;
};

const unidentified = (raw: JsonRecord): UnidentifiedTombstone => ({ unavailable: true, reason: mapReason(raw) });

const mapTombstone = (raw: JsonRecord): Tombstone | undefined => {
  const id = tombstoneId(raw);
  return id === undefined ? undefined : { id, ...unidentified(raw) };
};

const contentTypes: ReadonlyMap<unknown, string> = new Map([
  ['mp4', 'video/mp4'],
  ['m3u8', 'application/x-mpegURL'],
  ['webm', 'video/webm'],
]);

type Variant = NonNullable<Media['variants']>[number];

const mapVariants = (formats: readonly unknown[]): Variant[] => {
  const variants: Variant[] = [];
  for (const entry of formats) {
    const format = asRecord(entry);
    const url = asWebUrl(format?.['url']);
    if (format === undefined || url === undefined) continue;
    const variant: Variant = { url };
    const contentType = contentTypes.get(format['container']);
    const bitrate = asPositiveInteger(format['bitrate']);
    if (contentType !== undefined) variant.content_type = contentType;
    if (bitrate !== undefined) variant.bitrate = bitrate;
    variants.push(variant);
  }
  return variants;
};

const mapMedia = (raw: JsonRecord): Media | undefined => {
  const url = asWebUrl(raw['url']);
  const { type } = raw;
  if (url === undefined || (type !== 'photo' && type !== 'video' && type !== 'gif')) return undefined;
  const media: Media = { type, url };
  const width = asPositiveInteger(raw['width']);
  const height = asPositiveInteger(raw['height']);
  const alt = asText(raw['altText']);
  const duration = typeof raw['duration'] === 'number' ? asPositiveInteger(raw['duration'] * 1000) : undefined;
  const still = asWebUrl(raw['thumbnail_url']);
  const variants = mapVariants(asArray(raw['formats']));
  if (width !== undefined) media.width = width;
  if (height !== undefined) media.height = height;
  if (alt !== undefined) media.alt_text = alt;
  if (duration !== undefined) media.duration_ms = duration;
  if (still !== undefined) media.thumbnail_url = still;
  if (variants.length > 0) media.variants = variants;
  return media;
};

const percentage = (value: unknown): number | null => {
  const number = asNumber(value);
  return number !== undefined && number >= 0 && number <= 100 ? number : null;
};

const mapPoll = (value: unknown, now: number): Poll | undefined => {
  const raw = asRecord(value);
  if (raw === undefined) return undefined;
  const choices = asArray(raw['choices']).flatMap((entry) => {
    const choice = asRecord(entry);
    if (choice === undefined) return [];
    return [
      {
        label: asText(choice['label']) ?? '',
        votes: asCount(choice['count']),
        percentage: percentage(choice['percentage']),
      },
    ];
  });
  const endsAt = parseDate(raw['ends_at']);
  return {
    choices,
    total_votes: asCount(raw['total_votes']),
    ...optionalMember('ends_at', endsAt),
    ...optionalMember('closed', endsAt === undefined ? undefined : Date.parse(endsAt) <= now),
  };
};

/** Broadcasts have it in several sizes. */
const broadcastPicture = (broadcast: JsonRecord): string | undefined =>
  asWebUrl(asRecord(asRecord(broadcast['thumbnail'])?.['original'])?.['url']);

const mapCard = (raw: JsonRecord): Card | undefined => {
  const card = asRecord(raw['card']);
  const url = asWebUrl(card?.['url']);
  if (card !== undefined && url !== undefined) {
    return {
      url,
      ...optionalMember('title', asText(card['title'])),
      ...optionalMember('description', asText(card['description'])),
      ...optionalMember('image_url', asWebUrl(asRecord(card['image'])?.['url'])),
    };
  }
  // A player of another site, such as YouTube, or a broadcast: a link with a picture.
  const media = asRecord(raw['media']);
  const player = asRecord(media?.['broadcast']) ?? asRecord(media?.['external']);
  const playerUrl = asWebUrl(player?.['url']);
  if (player === undefined || playerUrl === undefined) return undefined;
  return {
    url: playerUrl,
    ...optionalMember('title', asText(player['title'])),
    ...optionalMember('image_url', asWebUrl(player['thumbnail_url']) ?? broadcastPicture(player)),
  };
};

/** Fills mentions, hashtags and links of a post from the facets that stand where they claim to stand. */
const addEntities = (post: Post, rawText: JsonRecord | undefined): void => {
  const facets = asArray(rawText?.['facets']);
  if (rawText === undefined || facets.length === 0) return;
  const stands = facetChecker(asText(rawText['text']) ?? '');
  const { mentions, hashtags, links } = post;
  for (const entry of facets) {
    const facet = asRecord(entry);
    const type = facet?.['type'];
    if (facet === undefined || (type !== 'mention' && type !== 'hashtag' && type !== 'url')) continue;
    const original = asText(facet['original']);
    if (original === undefined || !stands(facetAt(facet['indices'], original))) continue;
    if (type === 'mention') {
      if (PROVIDER_HANDLE.test(original)) mentions.push(original);
    } else if (type === 'hashtag') {
      hashtags.push(original);
    } else {
      const url = asWebUrl(facet['replacement']);
      if (url !== undefined) links.push(linkOf(url, asText(facet['display'])));
    }
  }
  post.mentions = unique(mentions);
  post.hashtags = unique(hashtags);
  post.links = uniqueLinks(links);
};

/** The first of each address. */
const uniqueLinks = (links: Link[]): Link[] => {
  if (links.length < 2) return links;
  const byUrl = new Map<string, Link>();
  for (const link of links) if (!byUrl.has(link.url)) byUrl.set(link.url, link);
  return [...byUrl.values()];
};

const linkOf = (url: string, display: string | undefined): Link =>
  display === undefined ? { url } : { url, display_url: display };

/** The text of a note, with links that are shown shortened written out. */
const noteText = (value: unknown): string | undefined => {
  const raw = asRecord(value);
  const words = asText(raw?.['text']);
  if (raw === undefined || words === undefined) return undefined;
  const locate = facetLocator(words);
  const replacements = asArray(raw['facets']).flatMap((entry) => {
    const facet = asRecord(entry);
    const display = asText(facet?.['display']);
    const url = asWebUrl(facet?.['replacement']);
    const at = display === undefined || url === undefined ? undefined : locate(facetAt(facet?.['indices'], display));
    return at === undefined || url === undefined ? [] : [{ ...at, by: url }];
  });
  return replaceRanges(words, replacements);
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
  const handle = namedHandle(raw?.['screen_name']);
  const id = parseId(asText(raw?.['status']) ?? '');
  if (handle === undefined && id === undefined) return undefined;
  return { ...optionalMember('handle', handle), ...optionalMember('id', id) };
};

const quoteDepth = (raw: JsonRecord): number => {
  let depth = 0;
  for (let quote = asRecord(raw['quote']); quote !== undefined && depth <= QUOTE_LEVELS_REFUSED; depth += 1)
    quote = asRecord(quote['quote']);
  return depth;
};

type MapUser = ReturnType<typeof createUserMapper>;

const mapQuote = (value: unknown, now: number, level: number, mapUser: MapUser): Post['quote'] => {
  const raw = asRecord(value);
  if (raw === undefined) return undefined;
  if (raw['type'] === 'tombstone') return mapTombstone(raw) ?? unidentified(raw);
  const id = parseId(asText(raw['id']) ?? '');
  if (id === undefined) return undefined;
  return level > QUOTE_LEVELS
    ? { id, url: postUrl(id, mapUser(raw['author'])?.handle) }
    : mapLevel(raw, now, level, mapUser);
};

const mapLevel = (raw: JsonRecord, now: number, level: number, mapUser: MapUser): Post | undefined => {
  const id = parseId(asText(raw['id']) ?? '');
  if (id === undefined) return undefined;
  const author = mapUser(raw['author']);
  const created = asNumber(raw['created_timestamp']);
  const media = asArray(asRecord(raw['media'])?.['all']);
  const note = noteText(raw['community_note']);
  const sensitive = raw['possibly_sensitive'];
  // Every member, absent ones as undefined: one shape for all posts, and JSON leaves them out.
  const post: Post = {
    id,
    url: postUrl(id, author?.handle),
    text: asText(raw['text']) ?? '',
    created_at: (created === undefined ? undefined : toRfc3339(created * 1000)) ?? parseDate(raw['created_at']),
    lang: asLanguageTag(raw['lang']),
    author,
    metrics: mapMetrics(raw),
    media: mapMediaList(media, mapMedia),
    poll: mapPoll(raw['poll'], now),
    quote: mapQuote(raw['quote'], now, level + 1, mapUser),
    article: mapArticle(raw['article']),
    community_note: note === undefined ? undefined : { text: note },
    card: mapCard(raw),
    in_reply_to: mapReplyingTo(raw['replying_to']),
    reposted_by: mapUser(raw['reposted_by']),
    sensitive: typeof sensitive === 'boolean' ? sensitive : undefined,
    mentions: [],
    hashtags: [],
    links: [],
  };
  addEntities(post, asRecord(raw['raw_text']));
  return post;
};

export interface PostMapper {
  /** undefined: not a post that can be shown. */
  post(raw: JsonRecord): Post | undefined;
  /** A place in a conversation: nothing, a post, or a tombstone. */
  entry(value: unknown): PostOrTombstone | undefined;
}

/** Maps the posts of one answer. @param now for what is over by now, in milliseconds */
export const createFxTwitterPostMapper = (now: number): PostMapper => {
  const mapUser = createUserMapper();
  const post = (raw: JsonRecord): Post | undefined =>
    quoteDepth(raw) > QUOTE_LEVELS_REFUSED ? undefined : mapLevel(raw, now, 0, mapUser);
  return {
    post,
    entry: (value) => {
      const raw = asRecord(value);
      if (raw === undefined) return undefined;
      return raw['type'] === 'tombstone' ? mapTombstone(raw) : post(raw);
    },
  };
};
