// Renders the content of a feed item with the words of an embed, but whole: readers have no bounds. No script, no style,
// no relative URL, only pictures from hosts of X.
import { isLanguageTag } from '../../model/language-tag.ts';
import type { Article, ArticleBlock, Post } from '../../model/post.ts';
import { isBlank } from '../../model/visible-text.ts';
import { articleBeginning, headingLevel } from '../content/article-text.ts';
import { COMMUNITY_NOTE, SENSITIVE } from '../content/labels.ts';
import { withoutQuoteUrl } from '../content/repeats.ts';
import { styledRanges } from '../content/style-runs.ts';
import {
  authorName,
  cardLink,
  contextLines,
  dateLink,
  linkHtml,
  linkify,
  plainHtml,
  pollHtml,
  tombstoneHtml,
  urlsOf,
} from '../embed/post-lines.ts';
import { blocksHtml, spansHtml } from '../html/article.ts';
import { escapeHtml } from '../html/escape.ts';
import { styledWriter } from '../html/text-styles.ts';
import { coverHtml, mediaHtml } from './media.ts';

const paragraph = (html: string, attributes = ''): string => `<p${attributes} dir="auto">${html}</p>`;

const plainParagraph = (text: string): string => (isBlank(text) ? '' : paragraph(plainHtml(text)));

/** Article text can link to any scheme. */
const webLink = (url: string, html: string): string => (/^https?:\/\//i.test(url) ? linkHtml(url, html) : html);

/** The title of the article is a heading of this level. */
const TITLE_LEVEL = 2;

const articleBlock = (block: ArticleBlock, isShown: boolean): string => {
  switch (block.type) {
    case 'paragraph':
      return paragraph(spansHtml(block.spans, webLink));
    case 'heading': {
      const level = headingLevel(block.level, TITLE_LEVEL);
      return `<h${level} dir="auto">${spansHtml(block.spans, webLink)}</h${level}>`;
    }
    case 'quote':
      return `<blockquote>${paragraph(spansHtml(block.spans, webLink))}</blockquote>`;
    case 'list_item':
      return `<li dir="auto">${spansHtml(block.spans, webLink)}</li>`;
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case 'media':
      return mediaHtml(block.media, isShown);
    case 'post':
      return `<blockquote><p>${linkHtml(block.url, 'The embedded post')}</p></blockquote>`;
    case 'divider':
      return '<hr/>';
    default:
      return block satisfies never;
  }
};

const articleHtml = (article: Article, { url }: Post, isShown: boolean): string => {
  const title = isBlank(article.title)
    ? ''
    : `<h${TITLE_LEVEL} dir="auto">${linkHtml(url, escapeHtml(article.title))}</h${TITLE_LEVEL}>`;
  const body =
    article.blocks.length > 0
      ? blocksHtml(article.blocks, (block) => articleBlock(block, isShown))
      : plainParagraph(articleBeginning(article));
  const cover = isShown && article.cover_url !== undefined ? coverHtml(article.cover_url) : '';
  return title + cover + body;
};

const quoteHtml = ({ quote: entry }: Post): string => {
  if (entry === undefined) return '';
  if ('unavailable' in entry) return `<blockquote>${tombstoneHtml(entry)}</blockquote>`;
  if (!('metrics' in entry)) return `<blockquote><p>${linkHtml(entry.url, escapeHtml(entry.url))}</p></blockquote>`;
  const name = escapeHtml(authorName(entry));
  const byline = paragraph(entry.author === undefined ? name : linkHtml(entry.author.url, name));
  return `<blockquote cite="${escapeHtml(entry.url)}">${byline}${itemHtml(entry)}</blockquote>`;
};

const noteHtml = ({ community_note: note }: Post): string =>
  note === undefined || isBlank(note.text)
    ? ''
    : `<blockquote><p><strong>${COMMUNITY_NOTE}</strong></p>${plainParagraph(note.text)}</blockquote>`;

const cardHtml = (post: Post): string => {
  const link = cardLink(post);
  return link === undefined ? '' : paragraph(webLink(link.url, escapeHtml(link.title)));
};

const textHtml = (post: Post): string => {
  const shown = withoutQuoteUrl(post);
  const { text, lang = '' } = shown;
  if (isBlank(text)) return '';
  const writeStyled = styledWriter(text, styledRanges(shown));
  const html = linkify(text, urlsOf(post), (from, to) => writeStyled(from, to, plainHtml));
  return paragraph(html, ` lang="${isLanguageTag(lang) ? lang : ''}"`);
};

/** The author is left out, because a feed names the author of each item. The date is a link to the post on X. */
export const itemHtml = (post: Post): string => {
  const isShown = post.sensitive !== true;
  const context = [...contextLines(post), ...(post.sensitive ? [SENSITIVE] : [])].join('\n');
  return [
    plainParagraph(context),
    textHtml(post),
    post.article === undefined ? '' : articleHtml(post.article, post, isShown),
    ...post.media.map((media) => mediaHtml(media, isShown)),
    post.poll === undefined ? '' : pollHtml(post.poll),
    quoteHtml(post),
    cardHtml(post),
    noteHtml(post),
    `<p>${dateLink(post)}</p>`,
  ].join('');
};
