// Renders photos and videos as Markdown. A picture from a host other than X's is a link, because it could be a tracker.
import type { Media } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { formatDuration } from '../content/format.ts';
import { isPictureHost } from '../content/media-files.ts';
import { otherPublisher } from '../content/post-facts.ts';
import { destination, escapeSpan, type MarkdownContext } from './escape.ts';

const videoNames: Readonly<Record<'video' | 'gif', string>> = { video: 'Video', gif: 'GIF' };

export const pictureMarkdown = (context: MarkdownContext, alt: string, url: string): string =>
  `${isPictureHost(url) ? '!' : ''}[${escapeSpan(context, alt, 'brackets') || 'Photo'}](${destination(url)})`;

/** @returns the handle as a link to the profile */
export const handleLink = (context: MarkdownContext, { handle, url }: User): string =>
  `[${escapeSpan(context, `@${handle}`, 'brackets')}](${destination(url)})`;

/** @param author of the post. A video by another account names it */
export const mediaMarkdown = (context: MarkdownContext, media: Media, author?: User): string => {
  const { type, url, alt_text: alt, duration_ms: length } = media;
  if (type === 'photo') return pictureMarkdown(context, alt ?? '', url);
  const name = videoNames[type] + (length === undefined ? '' : ` (${formatDuration(length)})`);
  const publisher = otherPublisher(media, author);
  const from = publisher === undefined ? '' : ` from ${handleLink(context, publisher)}`;
  return `[${name}${alt === undefined ? '' : `: ${escapeSpan(context, alt, 'brackets')}`}](${destination(url)})${from}`;
};
