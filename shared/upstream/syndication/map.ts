// Syndication JSON -> model. Its text is HTML-escaped with short links in it; positions are verified before use.
import { NAMED_HANDLE, parseId, postUrl, profileUrl } from '../../model/handle.ts';
import type { Article, Card, Link, Media, Poll, Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { visibleLine } from '../../model/visible.ts';
import { bestVariant, mediaTypes, originalPhoto, tally, variantsOf } from '../attachments.ts';
import {
  endOfWords,
  facetAt,
  facetLocator,
  namesIn,
  type Replacement,
  replaceLocated,
  shortLinkBefore,
} from '../facets.ts';
import { mapMediaList } from '../media.ts';
import { QUOTE_LEVELS } from '../quotes.ts';
import {
  avatarAddress,
  count,
  instant,
  language,
  list,
  namedHandle,
  optional,
  positiveInteger,
  type RawRecord,
  record,
  records,
  text,
  webAddress,
} from '../wire.ts';

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#39', "'"],
]);

const decoded = (escaped: string): string =>
  escaped.includes('&')
    ? escaped.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities.get(name) ?? '')
    : escaped;

/** Long posts are cut, quoted ones too: only the id of the full text is given. */
export const isCut = (raw: RawRecord): boolean => {
  let post: RawRecord | undefined = raw;
  for (let level = 0; post !== undefined && level <= QUOTE_LEVELS; level += 1) {
    if (record(post['note_tweet']) !== undefined) return true;
    post = record(post['quoted_tweet']);
  }
  return false;
};

interface ReadText {
  readonly text: string;
  readonly mentions: string[];
  readonly hashtags: string[];
  readonly links: Link[];
}

/** A short link left at the end belongs to the quoted post or the media. */
const withoutShortLinksAtEnd = (words: string): string => {
  let end = words.length;
  for (let start: number | undefined = end; start !== undefined; start = shortLinkBefore(words, end))
    end = endOfWords(words, start);
  return words.slice(0, end).trimStart();
};

const ARTICLE_LINK = /^https?:\/\/(?:x|twitter)\.com\/i\/article\//;

const readText = (raw: RawRecord): ReadText => {
  const escaped = text(raw['text']) ?? '';
  const source = record(raw['entities']);
  const locate = facetLocator(escaped);
  const at = (entry: RawRecord, original: string) => locate(facetAt(entry['indices'], original));
  const each = (name: string): readonly RawRecord[] => records(source?.[name]);
  const named = (name: string, member: string): string[] =>
    namesIn(each(name), member, (entry, original) => at(entry, original) !== undefined);
  const replacements: Replacement[] = [];
  const links = new Map<string, Link>();
  for (const entry of each('urls')) {
    const short = text(entry['url']);
    const target = text(entry['expanded_url']);
    const where = short === undefined ? undefined : at(entry, short);
    if (target === undefined || where === undefined) continue;
    const isArticle = ARTICLE_LINK.test(target);
    replacements.push({ ...where, by: isArticle ? '' : target });
    const url = webAddress(target); // of what is none, the words alone are kept
    if (url !== undefined && !isArticle)
      links.set(url, { url, ...optional('display_url', text(entry['display_url'])) });
  }
  for (const entry of each('media')) {
    const short = text(entry['url']);
    const where = short === undefined ? undefined : at(entry, short);
    if (where !== undefined) replacements.push({ ...where, by: '' });
  }
  return {
    text: withoutShortLinksAtEnd(replaceLocated(escaped, replacements, decoded)),
    mentions: named('user_mentions', 'screen_name').filter((handle) => NAMED_HANDLE.test(handle)),
    hashtags: named('hashtags', 'text'),
    links: [...links.values()],
  };
};

const mapUser = (value: unknown): User | undefined => {
  const raw = record(value);
  const handle = namedHandle(raw?.['screen_name']);
  if (raw === undefined || handle === undefined) return undefined;
  return {
    handle,
    ...optional('id', parseId(text(raw['id_str']) ?? '')),
    name: visibleLine(text(raw['name']) ?? '') || handle,
    url: profileUrl(handle),
    ...optional('avatar_url', avatarAddress(raw['profile_image_url_https'])),
    verified: raw['verified'] === true || raw['is_blue_verified'] === true || text(raw['verified_type']) !== undefined,
  };
};

const mapMedia = (raw: RawRecord): Media | undefined => {
  const still = webAddress(raw['media_url_https']);
  const type = mediaTypes.get(raw['type']);
  if (type === undefined) return undefined;
  const size = record(raw['original_info']);
  const shared = {
    ...optional('width', positiveInteger(size?.['width'])),
    ...optional('height', positiveInteger(size?.['height'])),
    ...optional('alt_text', text(raw['ext_alt_text'])),
  };
  if (type === 'photo') return still === undefined ? undefined : { type, url: originalPhoto(still), ...shared };
  const video = record(raw['video_info']);
  const variants = variantsOf(video?.['variants'], 'bitrate');
  const url = bestVariant(variants);
  if (url === undefined) return undefined;
  return {
    type,
    url,
    ...shared,
    ...optional('duration_ms', positiveInteger(video?.['duration_millis'])),
    ...optional('thumbnail_url', still),
    variants,
  };
};

const bindings = (raw: RawRecord): ((name: string) => string | undefined) => {
  const values = record(record(raw['card'])?.['binding_values']);
  return (name) => text(record(values?.[name])?.['string_value']);
};

const mapPoll = (raw: RawRecord, now: number): Poll | undefined => {
  const value = bindings(raw);
  if (!/^poll\d/.test(text(record(raw['card'])?.['name']) ?? '')) return undefined;
  const choices = [1, 2, 3, 4].flatMap((number) => {
    const label = value(`choice${number}_label`);
    return label === undefined ? [] : [{ label, votes: count(value(`choice${number}_count`) ?? null) }];
  });
  const endsAt = instant(Date.parse(value('end_datetime_utc') ?? ''));
  return {
    ...tally(choices),
    ...optional('ends_at', endsAt),
    ...optional('closed', endsAt === undefined ? undefined : Date.parse(endsAt) <= now),
  };
};

const mapCard = (raw: RawRecord, links: readonly Link[]): Card | undefined => {
  const card = record(raw['card']);
  const value = bindings(raw);
  const title = value('title');
  if (card === undefined || title === undefined) return undefined;
  const url = webAddress(value('card_url')) ?? webAddress(card['url']) ?? webAddress(value('player_url'));
  if (url === undefined) return undefined;
  const image =
    record(record(record(card['binding_values'])?.['summary_photo_image_large'])?.['image_value']) ??
    record(record(record(card['binding_values'])?.['thumbnail_image_large'])?.['image_value']);
  // The card names the short link; the only link of the text is what it leads to.
  const target = /^https:\/\/t\.co\//.test(url) && links.length === 1 ? (links[0]?.url ?? url) : url;
  return {
    url: target,
    title,
    ...optional('description', value('description')),
    ...optional('image_url', webAddress(image?.['url'])),
  };
};

const mapArticle = (value: unknown): Article | undefined => {
  const raw = record(value);
  const title = text(raw?.['title']);
  if (raw === undefined || title === undefined) return undefined;
  const cover = record(record(raw['cover_media'])?.['media_info']);
  return {
    title,
    ...optional('preview_text', text(raw['preview_text'])),
    ...optional('cover_url', webAddress(cover?.['original_img_url'])),
    blocks: [],
  };
};

const mapQuote = (value: unknown, now: number, level: number): Post['quote'] => {
  const raw = record(value);
  const id = parseId(text(raw?.['id_str']) ?? '');
  if (raw === undefined || id === undefined) return undefined;
  return level > QUOTE_LEVELS ? { id, url: postUrl(id) } : mapPost(raw, now, level);
};

export const mapPost = (raw: RawRecord, now: number, level = 0): Post | undefined => {
  const id = parseId(text(raw['id_str']) ?? '');
  if (id === undefined) return undefined;
  const author = mapUser(raw['user']);
  const { text: words, mentions, hashtags, links } = readText(raw);
  const replyHandle = namedHandle(raw['in_reply_to_screen_name']);
  const replyId = parseId(text(raw['in_reply_to_status_id_str']) ?? '');
  const sensitive = raw['possibly_sensitive'];
  return {
    id,
    url: postUrl(id, author?.handle),
    text: words,
    ...optional('created_at', instant(Date.parse(text(raw['created_at']) ?? ''))),
    ...optional('lang', language(raw['lang'])),
    ...optional('author', author),
    metrics: {
      likes: count(raw['favorite_count'] ?? null),
      reposts: null,
      replies: count(raw['conversation_count'] ?? null),
      quotes: null,
      bookmarks: null,
      views: null,
    },
    media: mapMediaList(list(raw['mediaDetails']), mapMedia),
    ...optional('poll', mapPoll(raw, now)),
    ...optional('quote', mapQuote(raw['quoted_tweet'], now, level + 1)),
    ...optional('article', mapArticle(raw['article'])),
    ...optional('card', mapCard(raw, links)),
    ...(replyHandle === undefined && replyId === undefined
      ? {}
      : { in_reply_to: { ...optional('handle', replyHandle), ...optional('id', replyId) } }),
    ...optional('sensitive', typeof sensitive === 'boolean' ? sensitive : undefined),
    mentions,
    hashtags,
    links,
  };
};
