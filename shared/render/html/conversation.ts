// Renders a conversation as an HTML page. It has no script; all third-party text is in text nodes.
import { operations } from '../../contract/operations.ts';
import { queryString } from '../../contract/query-string.ts';
import type { Conversation } from '../../model/conversation.ts';
import { isReserved, parseHandle } from '../../model/handle.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import { previewPictures, previewText, previewVideo } from '../content/link-preview.ts';
import { alternateLinks, cutExcerpt, headHtml } from './head.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { authorName, bodyHtml, bylineHtml, contextHtml, tombstoneHtml } from './post.ts';

const entry = (item: PostOrTombstone): string =>
  `<article>${isTombstone(item) ? tombstoneHtml(item) : bylineHtml(item) + bodyHtml(item)}</article>`;

const section = (title: string, items: readonly PostOrTombstone[]): string =>
  items.length === 0 ? '' : `<section><h2>${title}</h2>${items.map(entry).join('')}</section>`;

/** As on X, `i` stands for a handle that the route does not accept. */
const permalink = ({ author, id }: Post, baseUrl: string): string => {
  const handle = parseHandle(author?.handle ?? '');
  return `${baseUrl}/${handle === undefined || isReserved(handle) ? 'i' : handle}/status/${id}`;
};

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
      description: cutExcerpt(previewText(post)),
      canonical: post.url,
      url,
      pictures: previewPictures(post),
      video: previewVideo(post),
      author: post.author && authorName(post),
      publishedAt: post.created_at,
      oembed: `${baseUrl}${operations.readOembed.path}?${queryString({ url, format: 'json' })}`,
    }),
    body: `<main><h1>${escapeHtml(authorName(post))}</h1>${section('In reply to', ancestors)}<article>${contextHtml(post)}${bodyHtml(post)}</article>${section('Thread', thread)}${section('Replies', replies)}</main>`,
  });
};
