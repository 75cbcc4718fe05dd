// Renders the body of an article: prose, code, pictures and embedded posts.
import type { ArticleBlock, ArticleSpan, Media } from '../../model/post.ts';
import { headingLevel, LOWEST_HEADING, shownBlocks, spansText } from '../content/post-facts.ts';
import { anyLinkHtml, innerLinkHtml } from './elements.ts';
import { escapeHtml } from './escape.ts';
import { innerPath } from './inner-links.ts';
import { mediaHtml } from './media.ts';

type LinkHtml = (url: string, html: string) => string;

const span = ({ text, bold, italic, strikethrough, url }: ArticleSpan, link: LinkHtml): string => {
  let html = escapeHtml(text);
  if (strikethrough) html = `<s>${html}</s>`;
  if (italic) html = `<em>${html}</em>`;
  if (bold) html = `<strong>${html}</strong>`;
  return url === undefined ? html : link(url, html);
};

/** @param link @default a link to a page on X leads to the page of this service */
export const spansHtml = (
  spans: readonly ArticleSpan[],
  link: LinkHtml = (url, html) => anyLinkHtml(url, html),
): string => spans.map((entry) => span(entry, link)).join('');

export interface ArticleOptions {
  readonly lang?: string | undefined;
  /** The level of the title. */
  readonly titleLevel: number;
  /** Starts the ids of headings. The words of authors must not be ids. */
  readonly idPrefix: string;
}

interface Section {
  readonly id: string;
  readonly level: number;
  /** HTML. */
  readonly title: string;
}

export interface ArticleBody {
  readonly html: string;
  readonly sections: readonly Section[];
}

const figure = (media: Media, lang: string | undefined): string => `<figure>${mediaHtml([media], { lang })}</figure>`;

type PlainBlock = Exclude<ArticleBlock, { readonly type: 'heading' }>;

const block = (entry: PlainBlock, lang: string | undefined): string => {
  switch (entry.type) {
    case 'paragraph':
      return `<p dir="auto">${spansHtml(entry.spans)}</p>`;
    case 'quote':
      return `<blockquote><p dir="auto">${spansHtml(entry.spans)}</p></blockquote>`;
    case 'list_item':
      return `<li dir="auto">${spansHtml(entry.spans)}</li>`;
    case 'code':
      // A region that scrolls needs the keyboard.
      return `<pre tabindex="0" role="group" aria-label="${escapeHtml(entry.language ?? 'Code')}"><code>${escapeHtml(entry.text)}</code></pre>`;
    case 'media':
      return figure(entry.media, lang);
    case 'post':
      return `<blockquote class="quote"><p>${innerLinkHtml(innerPath(entry.url), 'The embedded post')}</p></blockquote>`;
    case 'divider':
      return '<hr>';
    default:
      return entry satisfies never;
  }
};

const listTag = (entry: ArticleBlock | undefined): 'ol' | 'ul' | undefined =>
  entry?.type === 'list_item' ? (entry.ordered ? 'ol' : 'ul') : undefined;

/** Adjacent list items form one list. Blank blocks are left out. */
export const blocksHtml = (all: readonly ArticleBlock[], blockHtml: (block: ArticleBlock) => string): string =>
  shownBlocks(all)
    .map((entry, index, blocks) => {
      const tag = listTag(entry);
      const opens = tag !== undefined && listTag(blocks[index - 1]) !== tag ? `<${tag}>` : '';
      const closes = tag !== undefined && listTag(blocks[index + 1]) !== tag ? `</${tag}>` : '';
      return opens + blockHtml(entry) + closes;
    })
    .join('');

export const articleBody = (
  blocks: readonly ArticleBlock[],
  { lang, titleLevel, idPrefix }: ArticleOptions,
): ArticleBody => {
  const sections: Section[] = [];
  const html = blocksHtml(blocks, (entry) => {
    if (entry.type !== 'heading') return block(entry, lang);
    const level = headingLevel(entry.level, titleLevel);
    const id = `${idPrefix}${sections.length + 1}`;
    sections.push({ id, level, title: escapeHtml(spansText(entry.spans)) });
    return `<h${level} id="${id}" dir="auto">${spansHtml(entry.spans)}</h${level}>`;
  });
  return { html, sections };
};

const FEWEST_SECTIONS = 2;

/** The sections of the highest level that the article uses. Empty if there is only one. */
export const contentsHtml = (sections: readonly Section[]): string => {
  const highest = sections.reduce((level, section) => Math.min(level, section.level), LOWEST_HEADING);
  const shown = sections.filter(({ level }) => level === highest);
  if (shown.length < FEWEST_SECTIONS) return '';
  const items = shown.map(({ id, title }) => `<li><a href="#${id}" dir="auto">${title}</a></li>`);
  return `<nav class="plan" aria-label="Contents"><ol>${items.join('')}</ol></nav>\n`;
};
