// Renders the body of an article as HTML.
import type { ArticleBlock, ArticleSpan } from '../../model/post.ts';
import { isPictureHost } from '../content/picture-hosts.ts';
import { imageHtml, linkHtml } from './elements.ts';
import { escapeHtml } from './page.ts';

const span = ({ text, bold, italic, strikethrough, url }: ArticleSpan): string => {
  let html = escapeHtml(text);
  if (strikethrough) html = `<s>${html}</s>`;
  if (italic) html = `<em>${html}</em>`;
  if (bold) html = `<strong>${html}</strong>`;
  return url === undefined ? html : linkHtml(url, html);
};

const spansHtml = (spans: readonly ArticleSpan[]): string => spans.map(span).join('');

/** The title of the article is an h2. */
const HEADING_OFFSET = 2;
const LOWEST_HEADING = 6;

const block = (entry: ArticleBlock): string => {
  switch (entry.type) {
    case 'paragraph':
      return `<p class="text" dir="auto">${spansHtml(entry.spans)}</p>`;
    case 'heading': {
      const level = Math.min(LOWEST_HEADING, Math.max(1, entry.level) + HEADING_OFFSET);
      return `<h${level}>${spansHtml(entry.spans)}</h${level}>`;
    }
    case 'quote':
      return `<blockquote><p class="text" dir="auto">${spansHtml(entry.spans)}</p></blockquote>`;
    case 'list_item':
      return `<li>${spansHtml(entry.spans)}</li>`;
    case 'code':
      return `<pre><code>${escapeHtml(entry.text)}</code></pre>`;
    case 'media': {
      const { url, type, alt_text: alt } = entry.media;
      const shown = type === 'photo' && isPictureHost(url) ? imageHtml(url, alt ?? '') : type;
      return `<p>${linkHtml(url, shown)}</p>`;
    }
    case 'post':
      return `<p>${linkHtml(entry.url, escapeHtml(entry.url))}</p>`;
    case 'divider':
      return '<hr>';
    default:
      return entry satisfies never;
  }
};

const listTag = (entry: ArticleBlock | undefined): 'ol' | 'ul' | undefined =>
  entry?.type === 'list_item' ? (entry.ordered ? 'ol' : 'ul') : undefined;

/** Adjacent list items form one list. */
export const articleHtml = (blocks: readonly ArticleBlock[]): string =>
  blocks
    .map((entry, index) => {
      const tag = listTag(entry);
      if (tag === undefined) return block(entry);
      const opens = listTag(blocks[index - 1]) !== tag ? `<${tag}>` : '';
      const closes = listTag(blocks[index + 1]) !== tag ? `</${tag}>` : '';
      return opens + block(entry) + closes;
    })
    .join('');
