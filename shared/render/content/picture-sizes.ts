// The sizes in which X hands out a picture, so that one can be named that fits.
import type { Media } from '../../model/post.ts';
import { isPictureHost } from './picture-hosts.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture of X, with its size in pixels. */
export interface Picture extends Size {
  readonly url: string;
}

/** By the name in the query: the square that the picture is made to fit, greatest first. None is ever enlarged. */
const SQUARES = { large: 2048, medium: 1200, small: 680 } as const;

/** `thumb` is not scaled to fit but cut to this square. */
const CROP = 150;

const HAS_SIZES = /^https:\/\/pbs\.twimg\.com\/(?:media|[a-z_]+_thumb)\//i;

/** As large as the room allows, but not larger than it is. */
export const scaleToFit = ({ width, height }: Size, room: Size): Size => {
  const scale = Math.min(1, room.width / width, room.height / height);
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
};

const named = (url: string, name: string): string => {
  const address = new URL(url);
  // The old spelling of the same: `a.jpg:large`.
  address.pathname = address.pathname.replace(/:[a-z0-9]+$/, '');
  address.searchParams.set('name', name);
  return address.href;
};

/** What is shown of a photo, a video or a GIF. */
export const stillOf = ({ type, url, thumbnail_url: still }: Media): string | undefined =>
  type === 'photo' ? url : still;

const original = (media: Media): Picture | undefined => {
  const url = stillOf(media);
  const { width, height } = media;
  if (url === undefined || !isPictureHost(url) || !URL.canParse(url)) return undefined;
  if (width === undefined || height === undefined || width < 1 || height < 1) return undefined;
  return { url: new URL(url).href, width, height };
};

/** Greatest first; none when it is not a picture of X or its size is not known. */
export const sizesOf = (media: Media): readonly Picture[] => {
  const whole = original(media);
  if (whole === undefined) return [];
  if (!HAS_SIZES.test(whole.url)) return [whole];
  return Object.entries(SQUARES).map(([name, side]) => {
    const scale = Math.min(1, side / Math.max(whole.width, whole.height));
    return {
      url: named(whole.url, name),
      width: Math.max(1, Math.round(whole.width * scale)),
      height: Math.max(1, Math.round(whole.height * scale)),
    };
  });
};

const cropOf = (media: Media): readonly Picture[] => {
  const whole = original(media);
  return whole !== undefined && HAS_SIZES.test(whole.url) && Math.min(whole.width, whole.height) >= CROP
    ? [{ url: named(whole.url, 'thumb'), width: CROP, height: CROP }]
    : [];
};

/** The greatest that fits of the first picture. */
export const thumbnailOf = (all: readonly Media[], room: Size): Picture | undefined => {
  const first = all.find((media) => sizesOf(media).length > 0);
  return first === undefined
    ? undefined
    : [...sizesOf(first), ...cropOf(first)].find(({ width, height }) => width <= room.width && height <= room.height);
};
