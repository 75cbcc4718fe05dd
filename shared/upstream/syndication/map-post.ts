// Maps posts of the syndication CDN to the model. The text is HTML-escaped and has short links. Positions are verified.
import { PROVIDER_HANDLE, postUrl, profileUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Article, Card, Link, Media, Poll, Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import {
  answered,
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
  decodeEntities,
  endOfText,
  type Replacement,
  readEntities,
  replaceRanges,
  shortLinkBefore,
} from '../facets.ts';
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
  asShortText,
  asTarget,
  asText,
  asWebUrl,
  namedHandle,
  optionalMember,
  parseDate,
} from '../json-readers.ts';
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

interface PostText {
  readonly text: string;
  readonly mentions: string[];
  readonly hashtags: string[];
  readonly cashtags: string[];
  readonly links: Link[];
}

/**
 * A remaining short link at the end belongs to the quoted post or to the media.
 *
 * @param isIndented the author wrote the white space at the start
 */
const withoutShortLinksAtEnd = (text: string, isIndented: boolean): string => {
  let end = text.length;
  for (let start: number | undefined = end; start !== undefined; start = shortLinkBefore(text, end))
    end = endOfText(text, start);
  return isIndented ? text.slice(0, end) : text.slice(0, end).trimStart();
};

const ARTICLE_LINK = /^https?:\/\/(?:x|twitter)\.com\/i\/article\//;

const parseText = (raw: JsonRecord): PostText => {
  const escaped = asText(raw['text']) ?? '';
  const reader = readEntities(escaped, asRecord(raw['entities']), ({ indices }) => indices);
  const replacements: Replacement[] = [];
  const links = new Map<string, Link>();
  for (const entry of reader.of('urls')) {
    const target = asTarget(entry['expanded_url']);
    const range = reader.linkRange(entry);
    if (target === undefined || range === undefined) continue;
    const isArticle = ARTICLE_LINK.test(target);
    const url = asWebUrl(target); // only its text is kept if it is not a URL
    replacements.push({ ...range, by: isArticle ? '' : (url ?? target) });
    if (url !== undefined && !isArticle)
      links.set(url, { url, ...optionalMember('display_url', asShortText(entry['display_url'], 'line')) });
  }
  for (const entry of reader.of('media')) {
    const range = reader.linkRange(entry);
    if (range !== undefined) replacements.push({ ...range, by: '' });
  }
  const textStart = escaped.search(/\S/);
  const startsWithRemoved = replacements.some(({ start, by }) => by === '' && start === textStart);
  return {
    text: withoutShortLinksAtEnd(replaceRanges(escaped, replacements, decodeEntities), !startsWithRemoved),
    mentions: reader.names('user_mentions', 'screen_name').filter((handle) => PROVIDER_HANDLE.test(handle)),
    hashtags: reader.names('hashtags', 'text'),
    cashtags: reader.names('symbols', 'text'),
    links: [...links.values()],
  };
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
  const { text, mentions, hashtags, cashtags, links } = parseText(raw);
  const parent = answered(namedHandle(raw['in_reply_to_screen_name']), asId(raw['in_reply_to_status_id_str']));
  return {
    id,
    url: postUrl(id, author?.handle),
    text,
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
    media: mapMediaList(asArray(raw['mediaDetails']), mapMedia),
    ...optionalMember('poll', mapPoll(raw, now)),
    ...optionalMember('quote', mapQuote(raw['quoted_tweet'], now, level + 1)),
    ...optionalMember('article', articlePreview(raw['article'], coverOf)),
    ...optionalMember('card', mapCard(raw, links)),
    ...optionalMember('in_reply_to', parent),
    ...optionalMember('sensitive', asBoolean(raw['possibly_sensitive'])),
    mentions,
    hashtags,
    cashtags,
    links,
  };
};
