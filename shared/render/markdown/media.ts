// Renders photos and videos as Markdown. A picture from a host other than X's is a link, because it could be a tracker.
import type { Media } from '../../model/post.ts';
import { formatDuration } from '../content/format.ts';
import { isPictureHost } from '../content/picture-hosts.ts';
import { destination, escapeSpan, type MarkdownContext } from './escape.ts';

const videoNames: Readonly<Record<'video' | 'gif', string>> = { video: 'Video', gif: 'GIF' };

export const pictureMarkdown = (context: MarkdownContext, alt: string, url: string): string =>
  `${isPictureHost(url) ? '!' : ''}[${escapeSpan(context, alt, 'brackets') || 'Photo'}](${destination(url)})`;

export const mediaMarkdown = (
  context: MarkdownContext,
  { type, url, alt_text: alt, duration_ms: length }: Media,
): string => {
  if (type === 'photo') return pictureMarkdown(context, alt ?? '', url);
  const name = videoNames[type] + (length === undefined ? '' : ` (${formatDuration(length)})`);
  return `[${name}${alt === undefined ? '' : `: ${escapeSpan(context, alt, 'brackets')}`}](${destination(url)})`;
};
