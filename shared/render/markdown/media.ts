// Photos and videos -> Markdown. A picture is embedded only from X's own hosts: anything else would be a tracker.
import type { Media } from '../../model/post.ts';
import { formatDuration } from '../content/format.ts';
import { destination, escapeSpan, type MarkdownContext } from './escape.ts';

/** X's own. */
export const PICTURE_HOSTS: readonly string[] = ['pbs.twimg.com', 'video.twimg.com', 'abs.twimg.com'];

const PICTURE_HOST = new RegExp(`^https://(?:${PICTURE_HOSTS.join('|').replaceAll('.', '\\.')})/`, 'i');

export const isPicture = (url: string): boolean => PICTURE_HOST.test(url);

const videoNames: Readonly<Record<'video' | 'gif', string>> = { video: 'Video', gif: 'GIF' };

export const pictureMarkdown = (ink: MarkdownContext, alt: string, url: string): string =>
  `${isPicture(url) ? '!' : ''}[${escapeSpan(ink, alt, 'brackets') || 'Photo'}](${destination(url)})`;

export const mediaMarkdown = (
  ink: MarkdownContext,
  { type, url, alt_text: alt, duration_ms: length }: Media,
): string => {
  if (type === 'photo') return pictureMarkdown(ink, alt ?? '', url);
  const name = videoNames[type] + (length === undefined ? '' : ` (${formatDuration(length)})`);
  return `[${name}${alt === undefined ? '' : `: ${escapeSpan(ink, alt, 'brackets')}`}](${destination(url)})`;
};
