// Renders a conversation as an HTML page. It has no script; all third-party text is in text nodes.
import type { Conversation } from '../../model/conversation.ts';
import type { PostOrTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import { postPreview } from '../content/link-preview.ts';
import { alternateLinks, headHtml } from './head.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { oembedUrl, permalink } from './permalink.ts';
import { authorName, bodyHtml, bylineHtml, contextHtml, tombstoneHtml } from './post.ts';

const entry = (item: PostOrTombstone): string =>
  `<article>${isTombstone(item) ? tombstoneHtml(item) : bylineHtml(item) + bodyHtml(item)}</article>`;

const section = (title: string, items: readonly PostOrTombstone[]): string =>
  items.length === 0 ? '' : `<section><h2>${title}</h2>${items.map(entry).join('')}</section>`;

export const conversationHtml = ({ post, ancestors, thread, replies }: Conversation, baseUrl: string): string => {
  const title = `${authorName(post)} on X`;
  const url = permalink(post, baseUrl);
  return htmlPage({
    title,
    lang: post.lang ?? 'en',
    links: alternateLinks({ url, canonical: post.url }),
    head: headHtml({
      type: 'article',
      title,
      canonical: post.url,
      url,
      author: post.author && authorName(post),
      oembed: oembedUrl(post, baseUrl),
      ...postPreview(post),
    }),
    body: `<main><h1>${escapeHtml(authorName(post))}</h1>${section('In reply to', ancestors)}<article>${contextHtml(post)}${bodyHtml(post)}</article>${section('Thread', thread)}${section('Replies', replies)}</main>`,
  });
};
