// Maps posts and accounts of the official API to the model. Every input gives a valid post or undefined, and never an
// exception. A post refers to its author, media, poll and other posts by id; `includes` has them. What posts repeat
// draws on the budget of repeats.ts.
import { postUrl, profileUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Community, Media, Poll, Post, PostMetrics } from '../../model/post.ts';
import { PLACES } from '../../model/text-places.ts';
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
  xMediaTypes,
} from '../attachments.ts';
import { expandBio } from '../expand-links.ts';
import {
  asArray,
  asAvatarUrl,
  asBoolean,
  asCount,
  asId,
  asLanguageTag,
  asLine,
  asRecords,
  asShortText,
  asTarget,
  asText,
  asWebUrl,
  namedHandle,
  parseDate,
} from '../json-readers.ts';
import { withLosses } from '../part-warnings.ts';
import { createRepeatBudget } from '../repeats.ts';
import { entitiesIn, parsePostText } from './post-text.ts';
import { memberOf, REPOST_TYPES } from './words.ts';

// Names and biographies of accounts are not escaped. Biographies have short links.

const metricsOf = (raw: JsonRecord): NonNullable<User['metrics']> => ({
  followers: asCount(raw['followers_count']),
  following: asCount(raw['following_count']),
  posts: asCount(memberOf(raw, 'postsOfUser')),
  likes: asCount(raw['like_count']),
  media: asCount(raw['media_count']),
});

const websiteOf = (raw: JsonRecord): JsonRecord | undefined =>
  asRecord(asArray(asRecord(asRecord(raw['entities'])?.['url'])?.['urls'])[0]);

const bioOf = (raw: JsonRecord): Pick<User, 'bio' | typeof PLACES> | undefined => {
  const entities = asRecord(asRecord(raw['entities'])?.['description']);
  return expandBio(raw['description'], entities?.['urls'] ?? [], {
    read: (facet) => ({
      original: asText(facet['url']),
      by: asTarget(facet['expanded_url']),
      indices: [facet['start'], facet['end']],
    }),
    entities: (locate) => entitiesIn(locate, entities),
  });
};

const verifiedTypes: ReadonlyMap<unknown, string> = new Map([
  ['blue', 'individual'],
  ['business', 'organization'],
  ['government', 'government'],
]);

export const mapUser = (value: unknown): User | undefined => {
  const raw = asRecord(value);
  const handle = namedHandle(raw?.['username']);
  if (raw === undefined || handle === undefined) return undefined;
  const metrics = asRecord(raw['public_metrics']);
  const bio = bioOf(raw);
  // Absent members are undefined, so that all accounts have one hidden class in V8. JSON leaves them out.
  return {
    handle,
    name: asLine(raw['name']) ?? handle,
    url: profileUrl(handle),
    id: asId(raw['id']),
    bio: bio?.bio,
    [PLACES]: bio?.[PLACES],
    location: asShortText(raw['location'], 'line'),
    website: asWebUrl(websiteOf(raw)?.['expanded_url']) ?? asWebUrl(raw['url']),
    avatar_url: asAvatarUrl(raw['profile_image_url']),
    banner_url: asWebUrl(raw['profile_banner_url']),
    created_at: parseDate(raw['created_at']),
    verified: asBoolean(raw['verified']),
    verified_type: verifiedTypes.get(raw['verified_type']),
    protected: asBoolean(raw['protected']),
    metrics: metrics === undefined ? undefined : metricsOf(metrics),
  };
};

type Find<T> = (key: unknown) => T | undefined;

interface Included {
  readonly user: Find<User>;
  readonly handle: Find<string>;
  readonly post: Find<JsonRecord>;
  readonly media: Find<JsonRecord>;
  readonly poll: Find<JsonRecord>;
}

/** Leaves out records without a key: a post that refers to none would refer to them. */
const byKey = (value: unknown, key: string): Map<unknown, JsonRecord> => {
  const found = new Map<unknown, JsonRecord>();
  for (const raw of asRecords(value)) {
    const name = asText(raw[key]);
    if (name !== undefined) found.set(name, raw);
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
  const mayInclude = createRepeatBudget();
  const finder =
    <T extends object>(all: ReadonlyMap<unknown, T>): Find<T> =>
    (key) => {
      const part = all.get(key);
      return part !== undefined && mayInclude(part) ? part : undefined;
    };
  const wholeUser = finder(users);
  return {
    user: (id) => wholeUser(id) ?? briefUser(users.get(id)),
    handle: (id) => users.get(id)?.handle,
    post: finder(byKey(memberOf(includes, 'includedPosts'), 'id')),
    media: finder(byKey(includes?.['media'], 'media_key')),
    poll: finder(byKey(includes?.['polls'], 'id')),
  };
};

/** An account that is repeated too often: only who it is. */
const briefUser = (user: User | undefined): User | undefined =>
  user && { handle: user.handle, name: user.handle, url: user.url };

/** The types of the references. */
const REPLIED_TO = ['replied_to'];
const QUOTED = ['quoted'];

const referenced = (raw: JsonRecord, types: readonly unknown[]): string | undefined =>
  asId(asRecords(memberOf(raw, 'references')).find(({ type }) => types.includes(type))?.['id']);

const mapMetrics = (value: unknown): PostMetrics => {
  const raw = asRecord(value);
  const likes = asCount(raw?.['like_count']);
  const views = asCount(raw?.['impression_count']);
  return {
    likes,
    reposts: asCount(memberOf(raw, 'reposts')),
    replies: asCount(raw?.['reply_count']),
    quotes: asCount(raw?.['quote_count']),
    bookmarks: asCount(raw?.['bookmark_count']),
    // X did not count the views of posts before December 2022.
    views: views === 0 && likes !== null && likes > 0 ? null : views,
  };
};

/** The official API has no names of communities. */
const mapCommunity = (value: unknown): Community | undefined => {
  const id = asId(value);
  return id === undefined ? undefined : { id };
};

const mapMedia = (raw: JsonRecord): Media | undefined => {
  const type = xMediaTypes.get(raw['type']);
  const photo = asWebUrl(raw['url']);
  return (
    type &&
    mediaOf({
      type,
      photo: photo && originalPhoto(photo),
      still: asWebUrl(raw['preview_image_url']),
      width: raw['width'],
      height: raw['height'],
      alt: raw['alt_text'],
      variants: raw['variants'],
      milliseconds: raw['duration_ms'],
    })
  );
};

const mapPoll = (raw: JsonRecord, now: number): Poll => {
  const options = asRecords(raw['options']).map((option) => ({
    label: asShortText(option['label'], 'line') ?? '',
    votes: asCount(option['votes']),
  }));
  return {
    ...pollResults(options),
    ...pollEnd(raw['end_datetime'], now),
    ...(raw['voting_status'] === 'closed' && { closed: true }),
  };
};

/** The post has the id of the answered account. `includes` or the mentions have its handle. */
const mapReplyingTo = (raw: JsonRecord, included: Included): Post['in_reply_to'] => {
  const id = referenced(raw, REPLIED_TO);
  const userId = asText(raw['in_reply_to_user_id']);
  if (id === undefined && userId === undefined) return undefined;
  const mentions = byKey(asRecord(raw['entities'])?.['mentions'], 'id');
  const handle = included.handle(userId) ?? mapUser(mentions.get(userId))?.handle;
  return answered(handle, id);
};

const mapPost = (raw: JsonRecord, included: Included, now: number, isQuoted = false): Post | undefined => {
  const id = asId(raw['id']);
  if (id === undefined) return undefined;
  const author = included.user(raw['author_id']);
  const attachments = asRecord(raw['attachments']);
  const keys = new Set(asArray(attachments?.['media_keys'])); // one can be repeated
  const { value: media, codes } = mapMediaList([...keys].map(included.media), mapMedia);
  const poll = included.poll(asArray(attachments?.['poll_ids'])[0]);
  // The requested fields do not include the body.
  const article = articlePreview(raw['article']);
  const quoteId = referenced(raw, QUOTED);
  const parsed = parsePostText(raw, { id, quoteId, media: media.length > 0, article: article !== undefined });
  // Absent members are undefined, so that all posts have one hidden class in V8. JSON leaves them out.
  const post: Post = {
    id,
    url: postUrl(id, author?.handle),
    text: parsed.text,
    [PLACES]: parsed[PLACES],
    created_at: parseDate(raw['created_at']),
    lang: asLanguageTag(raw['lang']),
    author,
    metrics: mapMetrics(raw['public_metrics']),
    media,
    poll: poll && mapPoll(poll, now),
    quote: quoteId === undefined ? undefined : mapQuote(quoteId, included, now, isQuoted),
    article,
    card: parsed.card,
    community: mapCommunity(raw['community_id']),
    client: asLine(raw['source']),
    in_reply_to: mapReplyingTo(raw, included),
    ...answeredAccount(raw['in_reply_to_user_id']),
    conversation_id: asId(raw['conversation_id']),
    sensitive: asBoolean(raw['possibly_sensitive']),
    mentions: parsed.mentions,
    hashtags: parsed.hashtags,
    cashtags: parsed.cashtags,
    links: parsed.links,
  };
  return withLosses(post, codes);
};

/** `includes` has only the direct references of a post, so a quote in a quote becomes a link. */
const mapQuote = (id: string, included: Included, now: number, isQuoted: boolean): Post['quote'] => {
  const quoted = isQuoted ? undefined : included.post(id);
  return (quoted && mapPost(quoted, included, now, true)) ?? { id, url: postUrl(id) };
};

export interface PostMapper {
  /** Maps a repost to the original. @returns undefined if the post cannot be shown */
  post(value: unknown): Post | undefined;
  /** @returns a post of `includes` */
  included(id: string): Post | undefined;
}

/** Maps the posts of one response. @param now in milliseconds, for the state of polls */
export const createXApiPostMapper = (includes: unknown, now: number): PostMapper => {
  const references = readIncludes(includes);
  const included = (id: string): Post | undefined => {
    const raw = references.post(id);
    return raw && mapPost(raw, references, now);
  };
  return {
    included,
    post: (value) => {
      const raw = asRecord(value);
      if (raw === undefined) return undefined;
      const original = referenced(raw, REPOST_TYPES);
      if (original === undefined) return mapPost(raw, references, now);
      const post = included(original);
      return post && { ...post, reposted_by: references.user(raw['author_id']) };
    },
  };
};
