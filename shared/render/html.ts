// A conversation as a page for people and for chat unfurlers. No script, and every third-party word is a text node.
import { operations } from '../contract/operations.ts';
import { queryString } from '../contract/query-string.ts';
import type { Conversation } from '../model/conversation.ts';
import { isReserved, parseHandle } from '../model/handle.ts';
import type { Post, PostOrTombstone } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import { excerptOf, headHtml, otherForms } from './html-head.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { body, byline, context, nameOf, tombstone } from './post-html.ts';
import { glimpseOf, picturesOf, videoOf } from './preview.ts';

const entry = (item: PostOrTombstone): string =>
  `<article>${isTombstone(item) ? tombstone(item) : byline(item) + body(item)}</article>`;

const section = (title: string, items: readonly PostOrTombstone[]): string =>
  items.length === 0 ? '' : `<section><h2>${title}</h2>${items.map(entry).join('')}</section>`;

/** Whoever has a handle that our paths do not know is `i` in them, as on X. */
const addressOf = ({ author, id }: Post, baseUrl: string): string => {
  const handle = parseHandle(author?.handle ?? '');
  return `${baseUrl}/${handle === undefined || isReserved(handle) ? 'i' : handle}/status/${id}`;
};

export const conversationHtml = ({ post, ancestors, thread, replies }: Conversation, baseUrl: string): string => {
  const title = `${nameOf(post)} on X`;
  const address = addressOf(post, baseUrl);
  return htmlPage({
    title,
    lang: post.lang ?? 'en',
    links: otherForms({ address, canonical: post.url }),
    head: headHtml({
      type: 'article',
      title,
      description: excerptOf(glimpseOf(post)),
      canonical: post.url,
      address,
      pictures: picturesOf(post),
      video: videoOf(post),
      author: post.author && nameOf(post),
      publishedAt: post.created_at,
      oembed: `${baseUrl}${operations.readOembed.path}?${queryString({ url: address, format: 'json' })}`,
    }),
    body: `<main><h1>${escapeHtml(nameOf(post))}</h1>${section('In reply to', ancestors)}<article>${context(post)}${body(post)}</article>${section('Thread', thread)}${section('Replies', replies)}</main>`,
  });
};
