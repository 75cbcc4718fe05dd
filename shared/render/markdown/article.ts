// Renders the body of an article as Markdown.
import type { Article, ArticleBlock, ArticleSpan } from '../../model/post.ts';
import { visibleText } from '../../model/visible-text.ts';
import { spansText } from '../content/article-text.ts';
import {
  autolink,
  blockquote,
  destination,
  escapeHeading,
  fenced,
  MARK,
  type MarkdownContext,
  markedParagraphs,
  OPEN_LINK,
} from './escape.ts';
import { mediaMarkdown } from './media.ts';

/** The title of the article has level 2. */
const HEADING_OFFSET = 2;

const styleOf = ({ bold, italic, strikethrough }: ArticleSpan): string =>
  `${bold ? '**' : ''}${italic ? '*' : ''}${strikethrough ? '~~' : ''}`;

const reversed = (marks: string): string => marks.split('').reverse().join('');

const isPlain = (span: ArticleSpan): boolean => span.url === undefined && styleOf(span) === '';

/** Removes invisible characters and joins adjacent spans of one style. */
const visibleSpans = (context: MarkdownContext, spans: readonly ArticleSpan[]): ArticleSpan[] => {
  const joined: ArticleSpan[] = [];
  for (const span of spans) {
    const text = visibleText(span.text, context.onRemoved);
    const last = joined.at(-1);
    if (last !== undefined && last.url === span.url && styleOf(last) === styleOf(span)) {
      joined[joined.length - 1] = { ...last, text: last.text + text };
    } else if (text !== '') joined.push({ ...span, text });
  }
  return joined;
};

const LETTER = /[\p{L}\p{N}]/u;
/** Next to these a mark opens or closes, whatever is on its other side. */
const GAP = /[\s!"#%&'(),./:;?@[\]{}-]/;

/** CommonMark 0.31 section 6.2: a mark between a letter and punctuation neither opens nor closes. Marks may not touch. */
const canDelimit = (outside: string, inside: string): boolean =>
  outside === '' || GAP.test(outside) || (LETTER.test(inside) && outside !== '*' && outside !== '~');

/** Drops a style that Markdown cannot express at its position; never drops text. */
const spansMarkdown = (context: MarkdownContext, spans: readonly ArticleSpan[]): string => {
  const marks: string[] = [];
  let marked = '';
  let last = ''; // the character before the current position
  const addText = (plain: string): void => {
    marked += plain;
    last = plain.at(-1) ?? last;
  };
  const addMark = (placeholder: string, mark: string): void => {
    if (mark === '') return;
    marked += placeholder;
    marks.push(mark);
    last = mark.at(-1) ?? last;
  };
  for (const [index, span] of spans.entries()) {
    const { text } = span;
    const core = text.trim();
    if (core === '' || isPlain(span)) {
      addText(text);
      continue;
    }
    const start = text.indexOf(core);
    const trail = text.slice(start + core.length);
    const content = core.replace(/\s+/g, ' '); // a blank line would end the marks
    addText(text.slice(0, start));
    if (span.url !== undefined) addMark(OPEN_LINK, '[');
    const style = styleOf(span);
    const closing = reversed(style);
    const isMixed = style.includes('*') && style.includes('~');
    const next = span.url === undefined ? `${trail}${spans[index + 1]?.text ?? ''}`.charAt(0) : ']';
    const fits =
      canDelimit(last, isMixed ? '~' : content.charAt(0)) && canDelimit(next, isMixed ? '~' : content.slice(-1));
    if (fits) addMark(MARK, style);
    addText(content);
    if (fits) addMark(MARK, closing);
    if (span.url !== undefined) addMark(MARK, `](${destination(span.url)})`);
    addText(trail);
  }
  return markedParagraphs(context, marked, marks, marks.length === 0 ? 'nothing' : 'marks');
};

const onOneLine = (spans: readonly ArticleSpan[]): ArticleSpan[] =>
  spans.map((span) => ({ ...span, text: span.text.replace(/\s+/g, ' ') }));

const block = (context: MarkdownContext, entry: ArticleBlock, number: number): string => {
  switch (entry.type) {
    case 'paragraph':
      return spansMarkdown(context, visibleSpans(context, entry.spans));
    case 'heading': {
      const text = escapeHeading(context, spansText(entry.spans));
      return text === '' ? '' : `${'#'.repeat(Math.min(6, Math.max(1, entry.level) + HEADING_OFFSET))} ${text}`;
    }
    case 'quote': {
      const text = spansMarkdown(context, visibleSpans(context, entry.spans));
      return text === '' ? '' : blockquote(text);
    }
    case 'list_item': {
      const text = spansMarkdown(context, onOneLine(visibleSpans(context, entry.spans)));
      return text === '' ? '' : `${entry.ordered ? `${number}.` : '-'} ${text}`;
    }
    case 'code':
      return fenced(context, entry.text, entry.language);
    case 'media':
      return mediaMarkdown(context, entry.media);
    case 'post':
      return autolink(entry.url);
    case 'divider':
      return '---';
    default:
      return entry satisfies never;
  }
};

const listKind = (entry: ArticleBlock): string => (entry.type === 'list_item' ? `list ${entry.ordered}` : entry.type);

/** Items of one list are on adjacent lines; a blank line separates all other blocks. */
export const articleMarkdown = (context: MarkdownContext, { blocks }: Pick<Article, 'blocks'>): string => {
  let markdown = '';
  let kind = '';
  let number = 1;
  for (const entry of blocks) {
    const continuesList = entry.type === 'list_item' && listKind(entry) === kind;
    const rendered = block(context, entry, continuesList ? number + 1 : 1);
    if (rendered === '') continue;
    markdown += (markdown === '' ? '' : continuesList ? '\n' : '\n\n') + rendered;
    number = continuesList ? number + 1 : 1;
    kind = listKind(entry);
  }
  return markdown;
};
