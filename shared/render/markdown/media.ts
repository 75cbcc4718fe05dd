// Photos and videos -> Markdown. A picture is embedded only from X's own hosts: anything else would be a tracker.
import type { Media } from '../../model/post.ts';
import { formatDuration } from '../content/format.ts';
import { isPictureHost } from '../content/picture-hosts.ts';
import { destination, escapeSpan, type MarkdownContext } from './escape.ts';

const videoNames: Readonly<Record<'video' | 'gif', string>> = { video: 'Video', gif: 'GIF' };

export const pictureMarkdown = (ink: MarkdownContext, alt: string, url: string): string =>
  `${isPictureHost(url) ? '!' : ''}[${escapeSpan(ink, alt, 'brackets') || 'Photo'}](${destination(url)})`;

export const mediaMarkdown = (
  ink: MarkdownContext,
  { type, url, alt_text: alt, duration_ms: length }: Media,
): string => {
  if (type === 'photo') return pictureMarkdown(ink, alt ?? '', url);
  const name = videoNames[type] + (length === undefined ? '' : ` (${formatDuration(length)})`);
  return `[${name}${alt === undefined ? '' : `: ${escapeSpan(ink, alt, 'brackets')}`}](${destination(url)})`;
};
