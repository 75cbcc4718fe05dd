// A conversation as a page for people and for chat unfurlers. No script, and every third-party word is a text node.
import type { Conversation } from '../model/conversation.ts';
import type { Media, Post, PostOrTombstone } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import { visibleText } from '../model/visible.ts';
import { isPicture } from './media.ts';
import { counted, moment } from './words.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (words: string): string =>
  visibleText(words).replace(/[&<>"']/g, (character) => entities[character] ?? '');

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark;overflow-wrap:anywhere}' +
  'img{max-width:100%;height:auto;border-radius:.5rem}article{margin:0 0 2rem}.text{white-space:pre-wrap}' +
  'blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid}footer,.by{opacity:.8}';

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

const byline = ({ author }: Post): string =>
  author === undefined ? 'Post' : `${escapeHtml(author.name)} (@${escapeHtml(author.handle)})`;

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

export const conversationHtml = (conversation: Conversation, baseUrl: string): string => {
  const { post } = conversation;
  const title = `${byline(post)} on X`;
  const excerpt = escapeHtml(
    Array.from(post.text || post.article?.title || '')
      .slice(0, EXCERPT_CHARACTERS)
      .join(''),
  );
  const address = `${baseUrl}/${post.author?.handle ?? 'i'}/status/${post.id}`;
  const image = post.media
    .map(({ type, url, thumbnail_url: still }) => (type === 'photo' ? url : still))
    .find((url) => url !== undefined && isPicture(url));
  const meta = (property: string, words: string): string => `<meta property="${property}" content="${words}">`;
  return `<!doctype html><html lang="${escapeHtml(post.lang ?? 'en')}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="canonical" href="${escapeHtml(post.url)}"><link rel="alternate" type="text/markdown" href="${escapeHtml(address)}?format=markdown"><link rel="alternate" type="application/json" href="${escapeHtml(address)}?format=json">
${meta('og:type', 'article')}${meta('og:site_name', 'Postern')}${meta('og:title', title)}${meta('og:description', excerpt)}${meta('og:url', escapeHtml(post.url))}${image === undefined ? '' : meta('og:image', escapeHtml(image))}
<style>${style}</style></head><body><main>${section('In reply to', conversation.ancestors)}<h1>${byline(post)}</h1><article>${body(post)}</article>${section('Thread', conversation.thread)}${section('Replies', conversation.replies)}</main></body></html>
`;
};
