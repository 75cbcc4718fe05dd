// Renders the body of an article: prose, code, pictures and embedded posts.
import type { ArticleBlock, ArticleSpan, Media } from '../../model/post.ts';
import { headingLevel, LOWEST_HEADING, shownBlocks, spansText } from '../content/post-facts.ts';
import { anyLinkHtml, innerLinkHtml } from './elements.ts';
import { escaped, type Html, html } from './html.ts';
import { innerPath } from './inner-links.ts';
import { type MediaOptions, mediaHtml } from './media.ts';

type LinkHtml = (url: string, content: Html) => Html;

const span = ({ text, bold, italic, strikethrough, url }: ArticleSpan, link: LinkHtml): Html => {
  let content = escaped(text);
  if (strikethrough) content = html`<s>${content}</s>`;
  if (italic) content = html`<em>${content}</em>`;
  if (bold) content = html`<strong>${content}</strong>`;
  return url === undefined ? content : link(url, content);
};

/** @param link @default a link to a page on X leads to the page of this service */
export const spansHtml = (spans: readonly ArticleSpan[], link: LinkHtml = anyLinkHtml): Html =>
  html`${spans.map((entry) => span(entry, link))}`;

export interface ArticleOptions {
  readonly lang?: string | undefined;
  /** The level of the title. */
  readonly titleLevel: number;
  /** Starts the ids of headings. The words of authors must not be ids. */
  readonly idPrefix: string;
  /** Starts the ids of the viewers of pictures. Unset: each picture links its file. */
  readonly viewer?: string | undefined;
}

interface Section {
  readonly id: string;
  readonly level: number;
  /** Plain text. */
  readonly title: string;
}

export interface ArticleBody {
  readonly html: Html;
  readonly sections: readonly Section[];
}

const figure = (media: Media, options: MediaOptions): Html => html`<figure>${mediaHtml([media], options)}</figure>`;

type PlainBlock = Exclude<ArticleBlock, { readonly type: 'heading' }>;

const block = (entry: PlainBlock, options: MediaOptions): Html => {
  switch (entry.type) {
    case 'paragraph':
      return html`<p dir="auto">${spansHtml(entry.spans)}</p>`;
    case 'quote':
      return html`<blockquote><p dir="auto">${spansHtml(entry.spans)}</p></blockquote>`;
    case 'list_item':
      return html`<li dir="auto">${spansHtml(entry.spans)}</li>`;
    case 'code':
      // A region that scrolls needs the keyboard.
      return html`<pre tabindex="0" role="group" aria-label="${entry.language ?? 'Code'}"><code>${entry.text}</code></pre>`;
    case 'media':
      return figure(entry.media, options);
    case 'post':
      return html`<blockquote class="quote"><p>${innerLinkHtml(innerPath(entry.url), 'The embedded post')}</p></blockquote>`;
    case 'divider':
      return html`<hr>`;
    default:
      return entry satisfies never;
  }
};

const listTag = (entry: ArticleBlock | undefined): 'ol' | 'ul' | undefined =>
  entry?.type === 'list_item' ? (entry.ordered ? 'ol' : 'ul') : undefined;

/** Adjacent list items form one list. Blank blocks are left out. */
export const blocksHtml = (all: readonly ArticleBlock[], blockHtml: (block: ArticleBlock) => Html): Html =>
  html`${shownBlocks(all).map((entry, index, blocks) => {
    const tag = listTag(entry);
    const opens = tag !== undefined && listTag(blocks[index - 1]) !== tag && html`<${tag}>`;
    const closes = tag !== undefined && listTag(blocks[index + 1]) !== tag && html`</${tag}>`;
    return [opens, blockHtml(entry), closes];
  })}`;

export const articleBody = (
  blocks: readonly ArticleBlock[],
  { lang, titleLevel, idPrefix, viewer }: ArticleOptions,
): ArticleBody => {
  const sections: Section[] = [];
  let pictures = 0;
  const body = blocksHtml(blocks, (entry) => {
    if (entry.type === 'media') pictures += 1;
    if (entry.type !== 'heading') return block(entry, { lang, viewer: viewer && `${viewer}a${pictures}` });
    const level = headingLevel(entry.level, titleLevel);
    const id = `${idPrefix}${sections.length + 1}`;
    sections.push({ id, level, title: spansText(entry.spans) });
    return html`<h${level} id="${id}" dir="auto">${spansHtml(entry.spans)}</h${level}>`;
  });
  return { html: body, sections };
};

const FEWEST_SECTIONS = 2;

/** The sections of the highest level that the article uses. Undefined if there is only one. */
export const contentsHtml = (sections: readonly Section[]): Html | undefined => {
  const highest = sections.reduce((level, section) => Math.min(level, section.level), LOWEST_HEADING);
  const shown = sections.filter(({ level }) => level === highest);
  if (shown.length < FEWEST_SECTIONS) return undefined;
  const items = shown.map(({ id, title }) => html`<li><a href="#${id}" dir="auto">${title}</a></li>`);
  return html`<nav class="plan" aria-label="Contents"><ol>${items}</ol></nav>\n`;
};
