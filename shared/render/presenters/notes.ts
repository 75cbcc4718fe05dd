// Writes the note that tells readers of Markdown and HTML what is missing.
import type { WarningCode } from '../../contract/warnings.ts';
import type { Warning } from '../../model/resources.ts';
import { pathOfPost } from '../html/inner-links.ts';
import { autolink, type PostStyle } from '../markdown/escape.ts';
import type { ViewUrls } from './view.ts';

/** The other warnings need no note: missing counts, for example, are visible. */
const NOTED_CODES: readonly string[] = [
  'conversation_unavailable',
  'thread_incomplete',
  'replies_unavailable',
  'replies_incomplete',
  'text_incomplete',
  'article_incomplete',
  'article_previews',
  'media_unsupported',
  'poll_uncertain',
  'posts_protected',
  'posts_unavailable',
  'posts_failed',
  'users_partial',
  'recent_only',
  'partial_page',
  'truncated',
] satisfies WarningCode[];

export const reportedMessages = (warnings: readonly Warning[]): readonly string[] =>
  warnings.filter(({ code }) => NOTED_CODES.includes(code)).map(({ message }) => message);

/** @returns Markdown; empty if nothing is missing */
export const incompleteNote = (messages: readonly string[]): string =>
  messages.length === 0 ? '' : `*Incomplete: ${messages.join(' ')}*`;

/** @returns a function that names the whole of a post that Markdown cuts: by the URL of its page, unless the URLs say how */
export const readOnFrom = ({ baseUrl, readOn }: ViewUrls): NonNullable<PostStyle['readOn']> =>
  readOn ??
  ((post) => {
    const path = pathOfPost(post);
    return autolink(path === undefined ? post.url : `${baseUrl}${path}`);
  });
