// The body of an article -> Markdown.
import type { Article, ArticleBlock, ArticleSpan } from '../model/post.ts';
import { autolink, destination, fenced, type Ink, inline, line, paragraphs, quoted } from './escape.ts';
import { media } from './media.ts';

/** Below the title of the article, which is below the author. */
const HEADING_OFFSET = 2;

const wrap = (marks: string, words: string): string => {
  // A mark must touch a letter to open or close, so blanks move outside.
  const core = words.trim();
  return core === '' ? words : words.replace(core, () => `${marks}${core}${marks}`);
};

const span = (ink: Ink, { text, bold, italic, strikethrough, url }: ArticleSpan): string => {
  const plain = text.replace(/\s+/g, ' ');
  const core = inline(ink, plain);
  if (core === '') return plain === '' ? '' : ' ';
  let marked = url === undefined ? core : `[${core}](${destination(url)})`;
  if (strikethrough) marked = wrap('~~', marked);
  if (italic) marked = wrap('*', marked);
  if (bold) marked = wrap('**', marked);
  return `${/^\s/.test(plain) ? ' ' : ''}${marked}${/\s$/.test(plain) ? ' ' : ''}`;
};

const isPlain = (spans: readonly ArticleSpan[]): boolean =>
  spans.every(({ bold, italic, strikethrough, url }) => !bold && !italic && !strikethrough && url === undefined);

const wordsOf = (spans: readonly ArticleSpan[]): string => spans.map(({ text }) => text).join('');

/** Styles inside a word cannot be said in Markdown everywhere; there the words alone are kept. */
const canBeMarked = (spans: readonly ArticleSpan[]): boolean =>
  spans.every(({ bold, italic, strikethrough }, index) => {
    if (!bold && !italic && !strikethrough) return true;
    const before = spans[index - 1]?.text.at(-1);
    const after = spans[index + 1]?.text[0];
    const own = spans[index]?.text.trim() ?? '';
    const touches = (outside: string | undefined, inside: string | undefined): boolean =>
      outside !== undefined && !/\s/.test(outside) && !/^[\p{L}\p{N}]$/u.test(inside ?? '');
    const neighbourIsMarked = [spans[index - 1], spans[index + 1]].some((other) => other?.bold || other?.italic || other?.strikethrough);
    return !touches(before, own[0]) && !touches(after, own.at(-1)) && !neighbourIsMarked;
  });

const spansLine = (ink: Ink, spans: readonly ArticleSpan[]): string => {
  if (isPlain(spans) || !canBeMarked(spans)) return line(ink, wordsOf(spans));
  const joined = spans.map((part) => span(ink, part)).join('').trim();
  // The first words of a marked line could still begin a block.
  return /^[#>+\-=0-9]/.test(joined) ? line(ink, wordsOf(spans)) : joined;
};

const block = (ink: Ink, entry: ArticleBlock): string => {
  switch (entry.type) {
    case 'paragraph':
      return isPlain(entry.spans) ? paragraphs(ink, wordsOf(entry.spans), []) : spansLine(ink, entry.spans);
    case 'heading':
      return `${'#'.repeat(Math.min(6, entry.level + HEADING_OFFSET))} ${inline(ink, wordsOf(entry.spans)).replace(/#+$/, '\\$&')}`;
    case 'quote':
      return quoted(paragraphs(ink, wordsOf(entry.spans), []));
    case 'list_item':
      return `${entry.ordered ? '1.' : '-'} ${spansLine(ink, entry.spans)}`;
    case 'code':
      return fenced(ink, entry.text, entry.language);
    case 'media':
      return media(ink, entry.media);
    case 'post':
      return autolink(entry.url);
    case 'divider':
      return '---';
    default:
      return entry satisfies never;
  }
};

const listKind = (entry: ArticleBlock | undefined): string | undefined =>
  entry?.type === 'list_item' ? String(entry.ordered) : undefined;

/** The blocks of an article: items of one list close together, everything else apart. */
export const articleMarkdown = (ink: Ink, { blocks }: Pick<Article, 'blocks'>): string => {
  let markdown = '';
  blocks.forEach((entry, index) => {
    const rendered = block(ink, entry);
    if (rendered === '') return;
    const kind = listKind(entry);
    const before = listKind(blocks[index - 1]);
    const joined = kind !== undefined && kind === before ? '\n' : '\n\n';
    markdown += (markdown === '' ? '' : joined) + rendered;
  });
  return markdown;
};
