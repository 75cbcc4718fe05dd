// Maps the parts of posts that several providers have: media, polls, previews of articles and answered posts.
import type { WarningCode } from '../contract/warnings.ts';
import { ANSWERED } from '../model/account-names.ts';
import { asRecord, type JsonRecord } from '../model/json.ts';
import type { Article, Media, Poll, Post } from '../model/post.ts';
import { asArray, asId, asPositiveInteger, asShortText, asWebUrl, optionalMember, parseDate } from './json-readers.ts';

/** X allows 4. A page needs more work for a picture than for any other part of the same size. */
const MAX_MEDIA = 100;

/** A part of a post, with the warnings about it. */
export interface MappedPart<T> {
  readonly value: T;
  readonly codes: readonly WarningCode[];
}

/** @param map returns undefined for media that cannot be shown; then the list is incomplete */
export const mapMediaList = (
  values: readonly unknown[],
  map: (raw: JsonRecord) => Media | undefined,
): MappedPart<Media[]> => {
  const media: Media[] = [];
  for (const value of values.slice(0, MAX_MEDIA)) {
    const raw = asRecord(value);
    const mapped = raw && map(raw);
    if (mapped !== undefined) media.push(mapped);
  }
  return { value: media, codes: media.length === values.length ? [] : ['media_unsupported'] };
};

export const xMediaTypes: ReadonlyMap<unknown, Media['type']> = new Map([
  ['photo', 'photo'],
  ['video', 'video'],
  ['animated_gif', 'gif'],
]);

/** @returns the URL of the uploaded picture; a URL with a query already names a size */
export const originalPhoto = (url: string): string => (url.includes('?') ? url : `${url}?name=orig`);

type Variants = NonNullable<Media['variants']>;

const MP4_FILE = /\.mp4(?:[?#]|$)/i;

/** X names the bit rate in two ways, in bits per second, and leaves the type out in some articles. */
const variantsOf = (value: unknown): Variants =>
  asArray(value).flatMap((entry) => {
    const variant = asRecord(entry);
    const url = asWebUrl(variant?.['url']);
    if (variant === undefined || url === undefined) return [];
    return [
      {
        url,
        ...optionalMember(
          'content_type',
          asShortText(variant['content_type'], 'line') ?? (MP4_FILE.test(url) ? 'video/mp4' : undefined),
        ),
        ...optionalMember('bitrate', asPositiveInteger(variant['bitrate'] ?? variant['bit_rate'])),
      },
    ];
  });

/** @returns the MP4 variant with the highest bit rate; HEVC is excluded, because few browsers play it */
const bestVariant = (variants: Variants): string | undefined => {
  const playable = variants.filter(({ url, content_type }) => content_type === 'video/mp4' && !url.includes('/hevc/'));
  return [...playable].sort((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0))[0]?.url ?? variants[0]?.url;
};

interface MediaFacts extends Pick<Media, 'type'> {
  /** The URL of a picture. */
  readonly photo: string | undefined;
  readonly still: string | undefined;
  readonly width: unknown;
  readonly height: unknown;
  readonly alt: unknown;
  readonly variants: unknown;
  readonly milliseconds: unknown;
}

/** @returns undefined if no URL can be shown */
export const mediaOf = ({ type, photo, still, alt, ...facts }: MediaFacts): Media | undefined => {
  const variants = type === 'photo' ? [] : variantsOf(facts.variants);
  const url = type === 'photo' ? photo : bestVariant(variants);
  if (url === undefined) return undefined;
  return {
    type,
    url,
    ...optionalMember('width', asPositiveInteger(facts.width)),
    ...optionalMember('height', asPositiveInteger(facts.height)),
    ...optionalMember('alt_text', asShortText(alt, 'caption')),
    ...(type !== 'photo' && {
      ...optionalMember('duration_ms', asPositiveInteger(facts.milliseconds)),
      ...optionalMember('thumbnail_url', still),
      variants,
    }),
  };
};

/** @returns a percentage with one decimal */
const percentageOf = (votes: number | null, total: number | null): number | null => {
  if (votes === null || total === null) return null;
  return total === 0 ? 0 : Math.round((votes / total) * 1000) / 10;
};

/** Adds percentages and the total. They are null if the votes of an option are not known. */
export const pollResults = (
  options: readonly Pick<Poll['choices'][number], 'label' | 'votes'>[],
): Pick<Poll, 'choices' | 'total_votes'> => {
  const hasVotes = options.length > 0 && options.every(({ votes }) => votes !== null);
  const sum = options.reduce((soFar, { votes }) => soFar + (votes ?? 0), 0);
  const total = hasVotes && Number.isSafeInteger(sum) ? sum : null;
  return {
    choices: options.map(({ label, votes }) => ({ label, votes, percentage: percentageOf(votes, total) })),
    total_votes: total,
  };
};

export const pollEnd = (value: unknown, now: number): Pick<Poll, 'ends_at' | 'closed'> => {
  const endsAt = parseDate(value);
  return endsAt === undefined ? {} : { ends_at: endsAt, closed: Date.parse(endsAt) <= now };
};

/** Maps an article of which the provider has no body. @returns undefined if it has no title */
export const articlePreview = (
  value: unknown,
  coverOf: (raw: JsonRecord) => Partial<Article> = () => ({}),
): Article | undefined => {
  const raw = asRecord(value);
  const title = asShortText(raw?.['title'], 'title');
  if (raw === undefined || title === undefined) return undefined;
  const preview = optionalMember('preview_text', asShortText(raw['preview_text'], 'preview'));
  return { title, ...preview, ...coverOf(raw), blocks: [] };
};

/** @returns undefined if the post answers none that is known */
export const answered = (handle: string | undefined, id: string | undefined, name?: string): Post['in_reply_to'] =>
  handle === undefined && id === undefined
    ? undefined
    : { ...optionalMember('handle', handle), ...optionalMember('name', name), ...optionalMember('id', id) };

/** @param id of the account that wrote the answered post */
export const answeredAccount = (id: unknown): Pick<Post, typeof ANSWERED> => {
  const known = asId(id);
  return known === undefined ? {} : { [ANSWERED]: { id: known } };
};

// Finds the page of a YouTube video. A visit without a referrer, as from a page of the service or a reader of feeds, gets an
// error of the bare player.

/** A provider takes the id from a text, with what follows it: `?si=…`, `),`. A list of videos is not one video. */
const YOUTUBE_PLAYER =
  /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/(?!videoseries|live_stream)([\w-]{11})(?![\w-])/i;
const YOUTUBE_CHANNEL =
  /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/live_stream\?(?:[^#]*&)?channel=([\w-]+)/i;
const YOUTUBE_START = /[?&]start=(\d{1,6})(?:&|$)/;
const YOUTUBE_LIST = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/videoseries\?(?:[^#]*&)?list=([\w-]+)/i;
/** The page of a video, in each of its spellings. */
const YOUTUBE_PAGE =
  /^https?:\/\/(?:(?:www|m|music)\.)?(?:youtu\.be\/|youtube\.com\/(?:(?:shorts|live)\/|watch\?(?:[^#]*&)?v=))([\w-]{11})(?![\w-])/i;

/** @returns the id of the video that the bare player at the URL shows */
export const youTubeIdOf = (url: string): string | undefined => YOUTUBE_PLAYER.exec(url)?.[1];

/**
 * @param links of the post: that of the author names the second at which the video starts
 * @returns the page of the video; the URL itself if it is no bare player
 */
export const watchPage = (url: string, links: () => readonly string[]): string => {
  const id = youTubeIdOf(url);
  if (id !== undefined) {
    const link = links().find((each) => YOUTUBE_PAGE.exec(each)?.[1] === id);
    const [, second] = YOUTUBE_START.exec(url) ?? [];
    return link ?? `https://www.youtube.com/watch?v=${id}${second === undefined ? '' : `&t=${second}`}`;
  }
  const [, list] = YOUTUBE_LIST.exec(url) ?? [];
  if (list !== undefined) return `https://www.youtube.com/playlist?list=${list}`;
  const [, channel] = YOUTUBE_CHANNEL.exec(url) ?? [];
  return channel === undefined ? url : `https://www.youtube.com/channel/${channel}/live`;
};
