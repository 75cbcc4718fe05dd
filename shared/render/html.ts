// A conversation as a page for people and for chat unfurlers. No script, and every third-party word is a text node.
import type { Conversation } from '../model/conversation.ts';
import type { PostOrTombstone } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import { excerptOf, headHtml } from './html-head.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { body, byline, context, nameOf, pictureOf, tombstone } from './post-html.ts';

const entry = (item: PostOrTombstone): string =>
  `<article>${isTombstone(item) ? tombstone(item) : byline(item) + body(item)}</article>`;

const section = (title: string, items: readonly PostOrTombstone[]): string =>
  items.length === 0 ? '' : `<section><h2>${title}</h2>${items.map(entry).join('')}</section>`;

export const conversationHtml = ({ post, ancestors, thread, replies }: Conversation, baseUrl: string): string => {
  const title = `${nameOf(post)} on X`;
  return htmlPage({
    title,
    lang: post.lang ?? 'en',
    head: headHtml({
      type: 'article',
      title,
      description: excerptOf(post.text || post.article?.title || ''),
      canonical: post.url,
      address: `${baseUrl}/${post.author?.handle ?? 'i'}/status/${post.id}`,
      picture: pictureOf(post),
    }),
    body: `<main><h1>${escapeHtml(nameOf(post))}</h1>${section('In reply to', ancestors)}<article>${context(post)}${body(post)}</article>${section('Thread', thread)}${section('Replies', replies)}</main>`,
  });
};
