// Finds the files of a video that browsers and link previews play, and selects those of a page.
import type { Media } from '../../model/post.ts';
import type { Size } from './picture-sizes.ts';

const VIDEO_FILE = /^https:\/\/video\.twimg\.com\/[^?#]+\.mp4(?:[?#]|$)/i;
/** Link previews and some browsers play only H.264. X names other codecs in the path. */
const OTHER_CODEC = /\/(?:hevc|av01|vp09)\//i;
/** X names the resolution of a variant in its path: `/vid/avc1/1280x720/a.mp4`. */
const RESOLUTION = /\/(\d{2,5})x(\d{2,5})\//;

/** The least number of lines that is sharp in the column of a page. */
const ENOUGH_LINES = 720;
/** A browser takes the first file that it can play; further ones matter only if that one is missing. */
const MAX_FILES = 3;

/** @returns true for an MP4 file of X with the codec H.264 */
export const isVideoFile = (url: string): boolean => VIDEO_FILE.test(url) && !OTHER_CODEC.test(url);

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
