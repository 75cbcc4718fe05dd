// A conversation as a page for people and for chat unfurlers. No script, and every third-party word is a text node.
import { mediaTypes } from '../contract/media-types.ts';
import type { Conversation } from '../model/conversation.ts';
import type { Media, Post, PostOrTombstone } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import { isPicture } from './media.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { counted, moment } from './words.ts';

const link = (url: string, label: string): string =>
  `<a href="${escapeHtml(url)}" rel="nofollow noopener">${escapeHtml(label)}</a>`;

const media = ({ type, url, alt_text: alt, thumbnail_url: still }: Media): string => {
  const picture = type === 'photo' ? url : still;
  const image =
    picture === undefined || !isPicture(picture)
      ? escapeHtml(alt ?? type)
      : `<img src="${escapeHtml(picture)}" alt="${escapeHtml(alt ?? '')}" loading="lazy">`;
  return `<p><a href="${escapeHtml(url)}" rel="nofollow noopener">${image}${type === 'photo' ? '' : ` Play ${type}`}</a></p>`;
};

const nameOf = ({ author }: Post): string => (author === undefined ? 'Post' : `${author.name} (@${author.handle})`);

const byline = (post: Post): string => escapeHtml(nameOf(post));

const quote = (entry: Post['quote']): string => {
  if (entry === undefined) return '';
  if (!('metrics' in entry))
    return `<blockquote><p>${'url' in entry ? link(entry.url, entry.url) : 'Quoted post not available'}</p></blockquote>`;
  return `<blockquote><p class="by">${byline(entry)}</p>${body(entry)}</blockquote>`;
};

const body = (post: Post): string => {
  const { article, poll, card, community_note: note } = post;
  return [
    post.text === '' ? '' : `<p class="text">${escapeHtml(post.text)}</p>`,
    article === undefined
      ? ''
      : `<h2>${escapeHtml(article.title)}</h2><p>${escapeHtml(article.preview_text ?? '')}</p>`,
    ...post.media.map(media),
    poll === undefined
      ? ''
      : `<ul>${poll.choices.map(({ label, percentage }) => `<li>${escapeHtml(label)}${percentage === null ? '' : `: ${percentage} %`}</li>`).join('')}</ul>`,
    quote(post.quote),
    card === undefined ? '' : `<p>${link(card.url, card.title ?? card.url)}</p>`,
    note === undefined
      ? ''
      : `<blockquote><p class="text"><strong>Community note:</strong> ${escapeHtml(note.text)}</p></blockquote>`,
    `<footer>${link(post.url, post.created_at === undefined ? post.url : moment(post.created_at))}${post.metrics.likes === null ? '' : ` · ${counted(post.metrics.likes, 'like')}`}</footer>`,
  ].join('');
};

const entry = (item: PostOrTombstone): string =>
  isTombstone(item)
    ? '<article><p>This post is not available.</p></article>'
    : `<article><p class="by">${byline(item)}</p>${body(item)}</article>`;

const section = (title: string, items: readonly PostOrTombstone[]): string =>
  items.length === 0 ? '' : `<section><h2>${title}</h2>${items.map(entry).join('')}</section>`;

const EXCERPT_CHARACTERS = 280;

const excerptOf = ({ text, article }: Post): string =>
  Array.from(text || article?.title || '')
    .slice(0, EXCERPT_CHARACTERS)
    .join('');

const pictureOf = ({ media: all }: Post): string | undefined =>
  all
    .map(({ type, url, thumbnail_url: still }) => (type === 'photo' ? url : still))
    .find((url) => url !== undefined && isPicture(url));

/** Open Graph for unfurlers, and where the other representations are. */
const head = (post: Post, title: string, baseUrl: string): string => {
  const address = `${baseUrl}/${post.author?.handle ?? 'i'}/status/${post.id}`;
  const properties = {
    'og:type': 'article',
    'og:site_name': 'Postern',
    'og:title': title,
    'og:description': excerptOf(post),
    'og:url': post.url,
    'og:image': pictureOf(post),
  };
  const metas = Object.entries(properties).flatMap(([property, words]) =>
    words === undefined ? [] : [`<meta property="${property}" content="${escapeHtml(words)}">\n`],
  );
  const alternates = ['markdown', 'json'] as const;
  const links = alternates.map(
    (format) => `<link rel="alternate" type="${mediaTypes[format]}" href="${escapeHtml(address)}?format=${format}">\n`,
  );
  return `<link rel="canonical" href="${escapeHtml(post.url)}">\n${links.join('')}${metas.join('')}`;
};

export const conversationHtml = ({ post, ancestors, thread, replies }: Conversation, baseUrl: string): string => {
  const title = `${nameOf(post)} on X`;
  return htmlPage({
    title,
    lang: post.lang ?? 'en',
    head: head(post, title, baseUrl),
    body: `<main>${section('In reply to', ancestors)}<h1>${byline(post)}</h1><article>${body(post)}</article>${section('Thread', thread)}${section('Replies', replies)}</main>`,
  });
};
