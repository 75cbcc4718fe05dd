// Selects the files of a video that a page plays.
import type { Media } from '../../model/post.ts';

const VIDEO_FILE = /^https:\/\/video\.twimg\.com\/[^?#]+\.mp4(?:[?#]|$)/i;
/** Not every browser plays other codecs than H.264. X names the codec in the path. */
const OTHER_CODEC = /\/(?:hevc|av01|vp09)\//i;
const RESOLUTION = /\/(\d{2,5})x(\d{2,5})\//;

/** The least number of lines that is sharp in the column of a page. */
const ENOUGH_LINES = 720;
/** A browser takes the first file that it can play; further ones matter only if that one is missing. */
const MAX_FILES = 3;

const isVideoFile = (url: string): boolean => VIDEO_FILE.test(url) && !OTHER_CODEC.test(url);

/** The shorter side, because a video can be upright. @returns 0 if the path does not name the resolution */
const linesOf = (url: string): number => {
  const [, width = 0, height = 0] = RESOLUTION.exec(url) ?? [];
  return Math.min(Number(width), Number(height));
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
