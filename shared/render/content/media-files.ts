// Lists the sizes in which X serves a picture, and selects one that fits.
import { PICTURE_URL } from '../../model/picture-hosts.ts';
import type { Media, Post } from '../../model/post.ts';

export const isPictureHost = (url: string): boolean => PICTURE_URL.test(url);

// Finds the files of a video that browsers and link previews play, and selects those of a page.

const VIDEO_FILE = /^https:\/\/video\.twimg\.com\/[^?#]+\.mp4(?:[?#]|$)/i;
/** Link previews and some browsers play only H.264. X names other codecs in the path. */
const OTHER_CODEC = /\/(?:hevc|av01|vp09)\//i;
/** A list of the pieces of a stream, which only a player of streams reads. */
const PLAYLIST = /\.m3u8(?:[?#]|$)/i;
/** X names the resolution of a variant in its path: `/vid/avc1/1280x720/a.mp4`. */
const RESOLUTION = /\/(\d{2,5})x(\d{2,5})\//;

/** The least number of lines that is sharp in the column of a page. */
const ENOUGH_LINES = 720;
/** A browser takes the first file that it can play; further ones matter only if that one is missing. */
const MAX_FILES = 3;

/** @returns true for an MP4 file of X with the codec H.264 */
export const isVideoFile = (url: string): boolean => VIDEO_FILE.test(url) && !OTHER_CODEC.test(url);

/** @returns true for a video that the provider names by a playlist */
export const isPlaylist = ({ type, url }: Pick<Media, 'type' | 'url'>): boolean =>
  type !== 'photo' && PLAYLIST.test(url);

/** @returns the first file of a video that is no playlist, whatever plays it */
export const playableFile = ({ variants = [] }: Media): string | undefined =>
  variants.find(({ url }) => !PLAYLIST.test(url))?.url;

/** @returns undefined if the path does not name the resolution */
export const resolutionOf = (url: string): Size | undefined => {
  const [, width, height] = RESOLUTION.exec(url) ?? [];
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
};

/** The shorter side, because a video can be upright. @returns 0 if the path does not name the resolution */
const linesOf = (url: string): number => {
  const { width, height } = resolutionOf(url) ?? { width: 0, height: 0 };
  return Math.min(width, height);
};

/** The smallest MP4 file of at least 720 lines first, then the others, the sharpest first. Empty: no file can be played. */
export const videoFiles = ({ url, variants = [] }: Media): readonly string[] => {
  const files = variants
    .filter((variant) => isVideoFile(variant.url))
    .map((variant) => ({ url: variant.url, lines: linesOf(variant.url), bitrate: variant.bitrate ?? 0 }))
    .sort((a, b) => b.lines - a.lines || b.bitrate - a.bitrate);
  const best = files.findLast(({ lines }) => lines >= ENOUGH_LINES) ?? files[0];
  if (best === undefined) return isVideoFile(url) ? [url] : [];
  return [best, ...files.filter((file) => file !== best)].slice(0, MAX_FILES).map((file) => file.url);
};

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture from a host of X. The size is in pixels. */
export interface Picture extends Size {
  readonly url: string;
}

/** By the value of `name`: the side of the square that X scales the picture to, largest first. X never enlarges. */
const SQUARES = { large: 2048, medium: 1200, small: 680 } as const;

/** X crops `thumb` to a square of this side. */
const CROP = 150;

const HAS_SIZES = /^https:\/\/pbs\.twimg\.com\/(?:media|[a-z_]+_thumb)\//i;

/** Never enlarges. */
export const scaleToFit = ({ width, height }: Size, bounds: Size): Size => {
  const scale = Math.min(1, bounds.width / width, bounds.height / height);
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
};

/** The URLs of nearly all pictures. The parser of URLs would not change them, and takes ten times as long. */
const PLAIN_URL = /^https:\/\/(?:pbs|video|abs)\.twimg\.com(?:\/[\w-]+(?:\.[\w-]+)*)+$/;
const PLAIN_SIZES =
  /^(https:\/\/pbs\.twimg\.com\/(?:media|[a-z_]+_thumb)(?:\/[\w-]+(?:\.[\w-]+)*)+)(?:(\?format=\w+)(?:&name=\w+)?|\?name=\w+)?$/;

const withSizeName = (url: string, name: string): string => {
  const [, path, format] = PLAIN_SIZES.exec(url) ?? [];
  if (path !== undefined) return format === undefined ? `${path}?name=${name}` : `${path}${format}&name=${name}`;
  const sized = new URL(url);
  // An old form of the URL has the name in the path: `a.jpg:large`.
  sized.pathname = sized.pathname.replace(/:[a-z0-9]+$/, '');
  sized.searchParams.set('name', name);
  // `srcset` reads a comma at the end of a URL as its own. The query has commas encoded; a fragment does not.
  sized.hash = '';
  return sized.href;
};

/** @returns undefined if it is no URL */
const hrefOf = (url: string): string | undefined => {
  if (PLAIN_URL.test(url) || PLAIN_SIZES.test(url)) return url;
  return URL.canParse(url) ? new URL(url).href : undefined;
};

/** The URL of a photo, or of the still of a video or GIF. */
export const stillUrl = ({ type, url, thumbnail_url: thumbnail }: Media): string | undefined =>
  type === 'photo' ? url : thumbnail;

/** The size of the original, as far as it is known. */
type KnownSize = Pick<Media, 'width' | 'height'>;

/** A picture or a video whose size may be unknown. */
export interface SizedFile extends KnownSize {
  readonly url: string;
}

type SizeName = keyof typeof SQUARES;

/** @returns the size with the name, the original if X has no others; undefined if the picture is not from a host of X */
const sizeOf = (url: string, { width = 0, height = 0 }: KnownSize, name: SizeName): SizedFile | undefined => {
  const href = isPictureHost(url) ? hrefOf(url) : undefined;
  if (href === undefined) return undefined;
  const hasSizes = HAS_SIZES.test(href);
  const sized = hasSizes ? withSizeName(href, name) : href;
  if (width < 1 || height < 1) return { url: sized };
  const scale = hasSizes ? Math.min(1, SQUARES[name] / Math.max(width, height)) : 1;
  const scaled = (side: number): number => Math.max(1, Math.round(side * scale));
  return { url: sized, width: scaled(width), height: scaled(height) };
};

export const hasSize = (file: SizedFile): file is Picture => file.width !== undefined && file.height !== undefined;

/** Largest first. Empty if the picture is not from a host of X or its size is unknown. */
export const sizesOf = (media: Media): readonly Picture[] => {
  const url = stillUrl(media) ?? '';
  const large = sizeOf(url, media, 'large');
  if (large === undefined || !hasSize(large)) return [];
  const smaller = HAS_SIZES.test(large.url) ? [sizeOf(url, media, 'medium'), sizeOf(url, media, 'small')] : [];
  return [large, ...smaller.filter((size) => size !== undefined).filter(hasSize)];
};

/** The medium size of a picture. @returns undefined if the picture is not from a host of X */
export const mediumPicture = (url: string, size: KnownSize = {}): SizedFile | undefined => sizeOf(url, size, 'medium');

/** The large size of a picture. @returns undefined if the picture is not from a host of X */
export const largePicture = (url: string, size: KnownSize = {}): SizedFile | undefined => sizeOf(url, size, 'large');

/** A picture as a page shows it. The size is that of `src`. */
export interface ShownPicture extends KnownSize {
  readonly src: string;
  /** Candidates with their widths, for `srcset`. Unset: the picture has one size, or its size is unknown. */
  readonly srcset?: string;
  /** The largest size. */
  readonly large: string;
}

/**
 * The small size of a picture, the medium size for sharp screens, and the large size to link.
 *
 * @returns undefined if the picture is not from a host of X
 */
export const shownPicture = (url: string, known: KnownSize = {}): ShownPicture | undefined => {
  const small = sizeOf(url, known, 'small');
  const medium = sizeOf(url, known, 'medium');
  const large = sizeOf(url, known, 'large');
  if (small === undefined || medium === undefined || large === undefined) return undefined;
  const { url: src, ...size } = small;
  const isSharper = size.width !== undefined && medium.width !== undefined && medium.width > size.width;
  return {
    src,
    ...(isSharper && { srcset: `${src} ${size.width}w, ${medium.url} ${medium.width}w` }),
    ...size,
    large: large.url,
  };
};

export type AvatarSize = 'x96' | '200x200' | '400x400';

/** The side of the largest square in which X serves the picture of an account. */
const LARGEST_AVATAR = 400;

/** The size ends the file name; a name without a size is the original. */
const AVATAR =
  /^(https:\/\/pbs\.twimg\.com\/profile_images\/[^?#]*?)(?:_(?:normal|bigger|mini|reasonably_small|x96|\d{3}x\d{3}))?(\.[a-z]{3,4})?$/i;

/** X serves the picture of an account in sizes whose name ends the file name. Another URL stays as it is. */
export const avatarVariant = (url: string, size: AvatarSize): string => url.replace(AVATAR, `$1_${size}$2`);

/** @returns undefined if the picture is not from a host of X; without a size if X has no sizes of it */
export const largestAvatar = (url: string): SizedFile | undefined => {
  if (!isPictureHost(url)) return undefined;
  if (!AVATAR.test(url)) return { url };
  return {
    url: avatarVariant(url, `${LARGEST_AVATAR}x${LARGEST_AVATAR}`),
    width: LARGEST_AVATAR,
    height: LARGEST_AVATAR,
  };
};

const BANNER = /^(https:\/\/pbs\.twimg\.com\/profile_banners\/\d+\/\d+)(?:\/\w+)?$/i;

/** X serves the banner of a profile in sizes that end its URL. Another URL stays as it is. */
export const bannerVariant = (url: string, size: '600x200' | '1500x500'): string => url.replace(BANNER, `$1/${size}`);

const cropOf = ({ width = 0, height = 0 }: Media, { url }: Picture): readonly Picture[] =>
  HAS_SIZES.test(url) && Math.min(width, height) >= CROP
    ? [{ url: withSizeName(url, 'thumb'), width: CROP, height: CROP }]
    : [];

/** The largest size of the first picture that fits. */
export const thumbnailOf = (media: readonly Media[], bounds: Size): Picture | undefined => {
  for (const item of media) {
    const sizes = sizesOf(item);
    const [largest] = sizes;
    if (largest !== undefined)
      return [...sizes, ...cropOf(item, largest)].find(
        ({ width, height }) => width <= bounds.width && height <= bounds.height,
      );
  }
  return undefined;
};

/** The media of a post and of its article, with the cover as a photo. */
export const ownMedia = ({ media, article }: Post): readonly Media[] => [
  ...media,
  ...(article?.cover_url === undefined ? [] : [{ type: 'photo' as const, url: article.cover_url }]),
  ...(article?.blocks ?? []).flatMap((block) => (block.type === 'media' ? [block.media] : [])),
];
