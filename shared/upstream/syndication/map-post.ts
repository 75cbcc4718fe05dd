// Maps posts of the syndication CDN to the model. The text is HTML-escaped and has short links. Positions are verified.
import { postUrl, profileUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Article, Card, Link, Media, Poll, Post } from '../../model/post.ts';
import { PLACES, type TextRange } from '../../model/text-places.ts';
import type { User } from '../../model/user.ts';
import {
  answered,
  answeredAccount,
  articlePreview,
  mapMediaList,
  mediaOf,
  originalPhoto,
  pollEnd,
  pollResults,
  watchPage,
  xMediaTypes,
} from '../attachments.ts';
import {
  buildText,
  escapesIn,
  linkTo,
  type NamedText,
  namedText,
  type Replacement,
  readEntities,
} from '../build-text.ts';
import { endOfText, facetAt, facetLocator, shortLinkBefore } from '../facets.ts';
import {
  asArray,
  asAvatarUrl,
  asBoolean,
  asCount,
  asDomain,
  asId,
  asLanguageTag,
  asLine,
  asPositiveInteger,
  asRecords,
  asShortText,
  asTarget,
  asText,
  asWebUrl,
  namedHandle,
  optionalMember,
  parseDate,
} from '../json-readers.ts';
import { withLosses } from '../part-warnings.ts';
import { QUOTE_LEVELS } from '../repeats.ts';

/** The CDN truncates long posts and long quoted posts. It returns only the id of the full text. */
export const isTruncated = (raw: JsonRecord): boolean => {
  let post: JsonRecord | undefined = raw;
  for (let level = 0; post !== undefined && level <= QUOTE_LEVELS; level += 1) {
    if (asRecord(post['note_tweet']) !== undefined) return true;
    post = asRecord(post['quoted_tweet']);
  }
  return false;
};

const ARTICLE_LINK = /^https?:\/\/(?:x|twitter)\.com\/i\/article\//;

/** @returns the end of the text before the short links that belong to the quoted post or to the media */
const endOfOwnText = (text: string, links: readonly Replacement[]): number => {
  const own = new Set(links.flatMap(({ end, by }) => (by === '' ? [] : end)));
  let end = endOfText(text, text.length);
  for (;;) {
    const start = shortLinkBefore(text, end);
    if (start === undefined || own.has(end)) return end;
    end = endOfText(text, start);
  }
};

/** @returns the start of the text after a link that is removed there; the author wrote other white space at the start */
const startOfOwnText = (text: string, links: readonly Replacement[]): number => {
  const removed = new Map(links.flatMap(({ start, end, by }) => (by === '' ? [[start, end]] : [])));
  const wordFrom = (offset: number): number => offset + Math.max(0, text.slice(offset).search(/\S/));
  let start = 0;
  for (;;) {
    const end = removed.get(wordFrom(start));
    if (end === undefined) return start === 0 ? 0 : wordFrom(start);
    start = end;
  }
};

const ENTITIES = [
  { type: 'mention', list: 'user_mentions', member: 'screen_name' },
  { type: 'hashtag', list: 'hashtags', member: 'text' },
  { type: 'cashtag', list: 'symbols', member: 'text' },
] as const;

const indicesOf = ({ indices }: JsonRecord): unknown => indices;

const parseText = (raw: JsonRecord): NamedText => {
  const escaped = asText(raw['text']) ?? '';
  const entities = asRecord(raw['entities']);
  const locate = facetLocator(escaped);
  const shortLinks = (name: string, read: (entry: JsonRecord) => Omit<Replacement, keyof TextRange> | undefined) =>
    asRecords(entities?.[name]).flatMap((entry): readonly Replacement[] => {
      const original = asText(entry['url']);
      const range = original === undefined ? undefined : locate(facetAt(indicesOf(entry), original));
      const target = read(entry);
      return range === undefined || target === undefined ? [] : [{ ...range, ...target }];
    });
  const links = [
    ...shortLinks('urls', (entry) => {
      const target = asTarget(entry['expanded_url']);
      if (target === undefined) return undefined;
      return ARTICLE_LINK.test(target) ? { by: '' } : linkTo(target, entry['display_url']);
    }),
    ...shortLinks('media', () => ({ by: '' })),
  ];
  const own = { start: startOfOwnText(escaped, links), end: endOfOwnText(escaped, links) };
  const built = buildText(escaped, [...links, ...escapesIn(escaped)], own);
  const unplaced = links.flatMap(({ link }) => link ?? []);
  const named = namedText(escaped, built, readEntities(locate, entities, ENTITIES, indicesOf), unplaced);
  return { ...named, [PLACES]: entities && named[PLACES] };
};

const mapMedia = (raw: JsonRecord): Media | undefined => {
  const still = asWebUrl(raw['media_url_https']);
  const type = xMediaTypes.get(raw['type']);
  const size = asRecord(raw['original_info']);
  const video = asRecord(raw['video_info']);
  return (
    type &&
    mediaOf({
      type,
      photo: still && originalPhoto(still),
      still,
      width: size?.['width'],
      height: size?.['height'],
      alt: raw['ext_alt_text'],
      variants: video?.['variants'],
      milliseconds: video?.['duration_millis'],
    })
  );
};

const bindings = (raw: JsonRecord): ((name: string) => string | undefined) => {
  const values = asRecord(asRecord(raw['card'])?.['binding_values']);
  return (name) => asShortText(asRecord(values?.[name])?.['string_value'], 'caption');
};

const mapPoll = (raw: JsonRecord, now: number): Poll | undefined => {
  const value = bindings(raw);
  if (!/^poll\d/.test(asText(asRecord(raw['card'])?.['name']) ?? '')) return undefined;
  const choices = [1, 2, 3, 4].flatMap((number) => {
    const label = value(`choice${number}_label`);
    return label === undefined ? [] : [{ label, votes: asCount(value(`choice${number}_count`)) }];
  });
  return { ...pollResults(choices), ...pollEnd(value('end_datetime_utc'), now) };
};

const mapCard = (raw: JsonRecord, links: readonly Link[]): Card | undefined => {
  const card = asRecord(raw['card']);
  const value = bindings(raw);
  const title = value('title');
  if (card === undefined || title === undefined) return undefined;
  const url = asWebUrl(value('card_url')) ?? asWebUrl(card['url']) ?? asWebUrl(value('player_url'));
  if (url === undefined) return undefined;
  const image =
    asRecord(asRecord(asRecord(card['binding_values'])?.['summary_photo_image_large'])?.['image_value']) ??
    asRecord(asRecord(asRecord(card['binding_values'])?.['thumbnail_image_large'])?.['image_value']);
  // The card has the short link. If the text has one link, it is the target of the short link.
  const target = /^https:\/\/t\.co\//.test(url) && links.length === 1 ? (links[0]?.url ?? url) : url;
  return {
    url: watchPage(target, () => links.map((link) => link.url)),
    title,
    ...optionalMember('description', value('description')),
    ...optionalMember('domain', asDomain(value('domain')) ?? asDomain(value('vanity_url'))),
    ...optionalMember('image_url', asWebUrl(image?.['url'])),
  };
};

const coverOf = (raw: JsonRecord): Partial<Article> => {
  const cover = asRecord(asRecord(raw['cover_media'])?.['media_info']);
  return {
    ...optionalMember('cover_url', asWebUrl(cover?.['original_img_url'])),
    ...optionalMember('cover_width', asPositiveInteger(cover?.['original_img_width'])),
    ...optionalMember('cover_height', asPositiveInteger(cover?.['original_img_height'])),
  };
};

const verifiedTypes: ReadonlyMap<unknown, string> = new Map([
  ['Business', 'organization'],
  ['Government', 'government'],
]);

/** These objects have no counts and no biography. */
const mapUser = (value: unknown): User | undefined => {
  const raw = asRecord(value);
  const handle = namedHandle(raw?.['screen_name']);
  if (raw === undefined || handle === undefined) return undefined;
  const isPaid = raw['is_blue_verified'] === true;
  return {
    handle,
    ...optionalMember('id', asId(raw['id_str'])),
    name: asLine(raw['name']) ?? handle,
    url: profileUrl(handle),
    ...optionalMember('avatar_url', asAvatarUrl(raw['profile_image_url_https'])),
    verified: raw['verified'] === true || isPaid || asText(raw['verified_type']) !== undefined,
    ...optionalMember('verified_type', verifiedTypes.get(raw['verified_type']) ?? (isPaid ? 'individual' : undefined)),
  };
};

const mapQuote = (value: unknown, now: number, level: number): Post['quote'] => {
  const raw = asRecord(value);
  const id = asId(raw?.['id_str']);
  if (raw === undefined || id === undefined) return undefined;
  return level > QUOTE_LEVELS ? { id, url: postUrl(id) } : mapPost(raw, now, level);
};

export const mapPost = (raw: JsonRecord, now: number, level = 0): Post | undefined => {
  const id = asId(raw['id_str']);
  if (id === undefined) return undefined;
  const author = mapUser(raw['user']);
  const { text, [PLACES]: places, mentions, hashtags, cashtags, links } = parseText(raw);
  const parent = answered(namedHandle(raw['in_reply_to_screen_name']), asId(raw['in_reply_to_status_id_str']));
  const { value: media, codes } = mapMediaList(asArray(raw['mediaDetails']), mapMedia);
  const post: Post = {
    id,
    url: postUrl(id, author?.handle),
    text,
    [PLACES]: places,
    ...optionalMember('created_at', parseDate(raw['created_at'])),
    ...optionalMember('lang', asLanguageTag(raw['lang'])),
    ...optionalMember('author', author),
    metrics: {
      likes: asCount(raw['favorite_count']),
      reposts: null,
      replies: asCount(raw['conversation_count']),
      quotes: null,
      bookmarks: null,
      views: null,
    },
    media,
    ...optionalMember('poll', mapPoll(raw, now)),
    ...optionalMember('quote', mapQuote(raw['quoted_tweet'], now, level + 1)),
    ...optionalMember('article', articlePreview(raw['article'], coverOf)),
    ...optionalMember('card', mapCard(raw, links)),
    ...optionalMember('in_reply_to', parent),
    ...answeredAccount(raw['in_reply_to_user_id_str']),
    ...optionalMember('sensitive', asBoolean(raw['possibly_sensitive'])),
    mentions,
    hashtags,
    cashtags,
    links,
  };
  return withLosses(post, codes);
};
