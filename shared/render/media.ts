// Photos and videos -> Markdown. A picture is embedded only from X's own hosts: anything else would be a tracker.
import type { Media } from '../model/post.ts';
import { destination, type Ink, inline } from './escape.ts';
import { duration } from './words.ts';

/** X's own. */
export const PICTURE_HOSTS: readonly string[] = ['pbs.twimg.com', 'video.twimg.com', 'abs.twimg.com'];

const PICTURE_HOST = new RegExp(`^https://(?:${PICTURE_HOSTS.join('|').replaceAll('.', '\\.')})/`, 'i');

export const isPicture = (url: string): boolean => PICTURE_HOST.test(url);

const videoNames: Readonly<Record<'video' | 'gif', string>> = { video: 'Video', gif: 'GIF' };

export const picture = (ink: Ink, alt: string, url: string): string =>
  `${isPicture(url) ? '!' : ''}[${inline(ink, alt, 'brackets') || 'Photo'}](${destination(url)})`;

export const media = (ink: Ink, { type, url, alt_text: alt, duration_ms: length }: Media): string => {
  if (type === 'photo') return picture(ink, alt ?? '', url);
  const name = videoNames[type] + (length === undefined ? '' : ` (${duration(length)})`);
  return `[${name}${alt === undefined ? '' : `: ${inline(ink, alt, 'brackets')}`}](${destination(url)})`;
};
