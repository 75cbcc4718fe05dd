// FxTwitter API v2 JSON -> model. Pure and total: whatever comes, something valid leaves, or nothing.
import { HANDLE, parseId, postUrl, profileUrl } from '../../model/handle.ts';
import type {
  Article, Card, Link, Media, Poll, Post, PostLink, PostMetrics, PostOrTombstone, Tombstone, TombstoneReason,
} from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { facetLocator } from '../facets.ts';
import { count, instant, list, optional, positiveInteger, type RawRecord, record, text, unique, webAddress } from '../wire.ts';
import { mapArticle } from './map-article.ts';

/** Quotes within quotes are full posts down to this level, and named beyond it. */
const QUOTE_LEVELS = 4;
/** A JSON depth no honest answer has. */
const QUOTE_LEVELS_REFUSED = 60;

const reasons: Readonly<Record<string, TombstoneReason>> = {
  deleted: 'deleted',
  suspended: 'suspended',
  private: 'protected',
  blocked: 'withheld',
  unavailable: 'withheld',
};

export const mapReason = (raw: RawRecord): TombstoneReason => reasons[text(raw['reason']) ?? ''] ?? 'unknown';

const mapTombstone = (raw: RawRecord): Tombstone | undefined => {
  const id = parseId(text(raw['id']) ?? '');
  return id === undefined ? undefined : { id, unavailable: true, reason: mapReason(raw) };
};

const httpDate = (value: unknown): string | undefined => {
  const written = text(value);
  return written === undefined ? undefined : instant(Date.parse(written));
};

/** Profiles and lists carry counts and biography; a reposter does not. */
export const mapUser = (value: unknown): User | undefined => {
  const raw = record(value);
  const handle = text(raw?.['screen_name']);
  if (raw === undefined || handle === undefined || !HANDLE.test(handle)) return undefined;
  const verification = record(raw['verification']);
  const knowsCounts = 'followers' in raw;
  return {
    handle,
    ...optional('id', text(raw['id'])),
    name: text(raw['name']) ?? handle,
    url: profileUrl(handle),
    ...optional('bio', text(raw['description'])),
    ...optional('location', text(raw['location'])),
    ...optional('website', webAddress(record(raw['website'])?.['url'])),
    ...optional('avatar_url', webAddress(raw['avatar_url'])),
    ...optional('banner_url', webAddress(raw['banner_url'])),
    ...optional('created_at', httpDate(raw['joined'])),
    ...optional('verified', typeof verification?.['verified'] === 'boolean' ? verification['verified'] : undefined),
    ...optional('protected', typeof raw['protected'] === 'boolean' ? raw['protected'] : undefined),
    ...(knowsCounts && {
      metrics: {
        followers: count(raw['followers']),
        following: count(raw['following']),
        posts: count(raw['statuses']),
        likes: count(raw['likes']),
        media: count(raw['media_count']),
      },
    }),
  };
};

const contentTypeOf: Readonly<Record<string, string>> = { mp4: 'video/mp4', m3u8: 'application/x-mpegURL', webm: 'video/webm' };

const mapVariants = (formats: unknown): NonNullable<Media['variants']> =>
  list(formats).flatMap((entry) => {
    const format = record(entry);
    const url = webAddress(format?.['url']);
    if (format === undefined || url === undefined) return [];
    const container = text(format['container']);
    return [
      {
        url,
        ...optional('content_type', container === undefined ? undefined : contentTypeOf[container]),
        ...optional('bitrate', positiveInteger(format['bitrate'])),
      },
    ];
  });

const mapMedia = (value: unknown): Media[] => {
  const raw = record(value);
  const url = webAddress(raw?.['url']);
  const type = raw?.['type'];
  if (raw === undefined || url === undefined || (type !== 'photo' && type !== 'video' && type !== 'gif')) return [];
  const variants = mapVariants(raw['formats']);
  const duration = typeof raw['duration'] === 'number' ? positiveInteger(raw['duration'] * 1000) : undefined;
  return [
    {
      type,
      url,
      ...optional('width', positiveInteger(raw['width'])),
      ...optional('height', positiveInteger(raw['height'])),
      ...optional('alt_text', text(raw['altText'])),
      ...optional('duration_ms', duration),
      ...optional('thumbnail_url', webAddress(raw['thumbnail_url'])),
      ...(variants.length > 0 && { variants }),
    },
  ];
};

const mapPoll = (value: unknown, now: number): Poll | undefined => {
  const raw = record(value);
  if (raw === undefined) return undefined;
  const choices = list(raw['choices']).flatMap((entry) => {
    const choice = record(entry);
    if (choice === undefined) return [];
    const percentage = choice['percentage'];
    return [
      {
        label: text(choice['label']) ?? '',
        votes: count(choice['count']),
        percentage: typeof percentage === 'number' && Number.isFinite(percentage) ? percentage : null,
      },
    ];
  });
  const endsAt = httpDate(raw['ends_at']);
  return {
    choices,
    total_votes: count(raw['total_votes']),
    ...optional('ends_at', endsAt),
    ...optional('closed', endsAt === undefined ? undefined : Date.parse(endsAt) <= now),
  };
};

const mapCard = (raw: RawRecord): Card | undefined => {
  const card = record(raw['card']);
  const url = webAddress(card?.['url']);
  if (card !== undefined && url !== undefined) {
    return {
      url,
      ...optional('title', text(card['title'])),
      ...optional('description', text(card['description'])),
      ...optional('image_url', webAddress(record(card['image'])?.['url'])),
    };
  }
  // A player of another site, such as YouTube, or a broadcast: a link with a picture.
  const media = record(raw['media']);
  const player = record(media?.['broadcast']) ?? record(media?.['external']);
  const playerUrl = webAddress(player?.['url']);
  if (player === undefined || playerUrl === undefined) return undefined;
  return {
    url: playerUrl,
    ...optional('title', text(player['title'])),
    ...optional('image_url', webAddress(player['thumbnail_url']) ?? webAddress(record(player['thumbnail'])?.['url'])),
  };
};

interface Entities {
  readonly mentions: string[];
  readonly hashtags: string[];
  readonly links: Link[];
}

const NO_ENTITIES: Entities = { mentions: [], hashtags: [], links: [] };

const mapEntities = (rawText: unknown): Entities => {
  const raw = record(rawText);
  const facets = list(raw?.['facets']);
  if (raw === undefined || facets.length === 0) return NO_ENTITIES;
  const locate = facetLocator(text(raw['text']) ?? '');
  const mentions: string[] = [];
  const hashtags: string[] = [];
  const links = new Map<string, Link>();
  for (const entry of facets) {
    const facet = record(entry);
    const type = facet?.['type'];
    if (facet === undefined || (type !== 'mention' && type !== 'hashtag' && type !== 'url')) continue;
    const original = text(facet['original']);
    const [start, end] = list(facet['indices']);
    if (original === undefined) continue;
    if (locate({ start: typeof start === 'number' ? start : -1, end: typeof end === 'number' ? end : -1, original }) === undefined) continue;
    if (type === 'mention' && HANDLE.test(original)) mentions.push(original);
    if (type === 'hashtag') hashtags.push(original);
    const url = type === 'url' ? webAddress(facet['replacement']) : undefined;
    if (url !== undefined) links.set(url, { url, ...optional('display_url', text(facet['display'])) });
  }
  return { mentions: unique(mentions), hashtags: unique(hashtags), links: [...links.values()] };
};

const mapMetrics = (raw: RawRecord): PostMetrics => ({
  likes: count(raw['likes']),
  reposts: count(raw['reposts']),
  replies: count(raw['replies']),
  quotes: count(raw['quotes']),
  bookmarks: count(raw['bookmarks']),
  views: count(raw['views']),
});

const mapReplyingTo = (value: unknown): Post['in_reply_to'] => {
  const raw = record(value);
  const handle = text(raw?.['screen_name']);
  const id = parseId(text(raw?.['status']) ?? '');
  if (handle === undefined && id === undefined) return undefined;
  return { ...optional('handle', handle), ...optional('id', id) };
};

const quoteDepth = (raw: RawRecord): number => {
  let depth = 0;
  for (let quote = record(raw['quote']); quote !== undefined && depth <= QUOTE_LEVELS_REFUSED; depth += 1) quote = record(quote['quote']);
  return depth;
};

const mapQuote = (value: unknown, now: number, level: number): Post | Tombstone | PostLink | undefined => {
  const raw = record(value);
  const id = parseId(text(raw?.['id']) ?? '');
  if (raw === undefined || id === undefined) return undefined;
  if (raw['type'] === 'tombstone') return mapTombstone(raw);
  return level > QUOTE_LEVELS ? { id, url: postUrl(id, mapUser(raw['author'])?.handle) } : mapPost(raw, now, level);
};

export const mapPost = (raw: RawRecord, now: number, level = 0): Post | undefined => {
  const id = parseId(text(raw['id']) ?? '');
  if (id === undefined) return undefined;
  if (level === 0 && quoteDepth(raw) > QUOTE_LEVELS_REFUSED) return undefined;
  const author = mapUser(raw['author']);
  const created = raw['created_timestamp'];
  const quote = mapQuote(raw['quote'], now, level + 1);
  const note = text(record(raw['community_note'])?.['text']);
  const sensitive = raw['possibly_sensitive'];
  const article: Article | undefined = mapArticle(raw['article']);
  return {
    id,
    url: postUrl(id, author?.handle),
    text: text(raw['text']) ?? '',
    ...optional('created_at', typeof created === 'number' ? instant(created * 1000) : httpDate(raw['created_at'])),
    ...optional('lang', text(raw['lang'])),
    ...optional('author', author),
    metrics: mapMetrics(raw),
    media: list(record(raw['media'])?.['all']).flatMap(mapMedia),
    ...optional('poll', mapPoll(raw['poll'], now)),
    ...optional('quote', quote),
    ...optional('article', article),
    ...(note !== undefined && { community_note: { text: note } }),
    ...optional('card', mapCard(raw)),
    ...optional('in_reply_to', mapReplyingTo(raw['replying_to'])),
    ...optional('reposted_by', mapUser(raw['reposted_by'])),
    ...optional('sensitive', typeof sensitive === 'boolean' ? sensitive : undefined),
    ...mapEntities(raw['raw_text']),
  };
};

export const mapEntry = (value: unknown, now: number): PostOrTombstone[] => {
  const raw = record(value);
  if (raw === undefined) return [];
  const entry = raw['type'] === 'tombstone' ? mapTombstone(raw) : mapPost(raw, now);
  return entry === undefined ? [] : [entry];
};
