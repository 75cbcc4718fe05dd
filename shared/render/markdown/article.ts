// The body of an article -> Markdown.
import type { Article, ArticleBlock, ArticleSpan } from '../../model/post.ts';
import { visibleText } from '../../model/visible-text.ts';
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

/** Below the title of the article, which is below the author. */
const HEADING_OFFSET = 2;

const textOf = (spans: readonly ArticleSpan[]): string => spans.map(({ text }) => text).join('');

const styleOf = ({ bold, italic, strikethrough }: ArticleSpan): string =>
  `${bold ? '**' : ''}${italic ? '*' : ''}${strikethrough ? '~~' : ''}`;

const reversed = (marks: string): string => marks.split('').reverse().join('');

const isPlain = (span: ArticleSpan): boolean => span.url === undefined && styleOf(span) === '';

/** Visible words; spans that look the same are one. */
const visibleSpans = (ink: MarkdownContext, spans: readonly ArticleSpan[]): ArticleSpan[] => {
  const joined: ArticleSpan[] = [];
  for (const span of spans) {
    const text = visibleText(span.text, ink.onRemoved);
    const last = joined.at(-1);
    if (last !== undefined && last.url === span.url && styleOf(last) === styleOf(span)) {
      joined[joined.length - 1] = { ...last, text: last.text + text };
    } else if (text !== '') joined.push({ ...span, text });
  }
  return joined;
};

const LETTER = /[\p{L}\p{N}]/u;
/** Beside these a mark opens or closes whatever it touches on its other side. */
const GAP = /[\s!"#%&'(),./:;?@[\]{}-]/;

/** CommonMark 6.2: a mark between a letter and a sign neither opens nor closes; nor may it touch another mark. */
const canDelimit = (outside: string, inside: string): boolean =>
  outside === '' || GAP.test(outside) || (LETTER.test(inside) && outside !== '*' && outside !== '~');

/** Visible spans -> words with places for marks. A style that Markdown cannot say where it stands is left out; no word is. */
const spansMarkdown = (ink: MarkdownContext, spans: readonly ArticleSpan[]): string => {
  const marks: string[] = [];
  let words = '';
  let last = ''; // what is written before the place we are at
  const say = (plain: string): void => {
    words += plain;
    last = plain.at(-1) ?? last;
  };
  const mark = (place: string, written: string): void => {
    if (written === '') return;
    words += place;
    marks.push(written);
    last = written.at(-1) ?? last;
  };
  for (const [index, span] of spans.entries()) {
    const { text } = span;
    const core = text.trim();
    if (core === '' || isPlain(span)) {
      say(text);
      continue;
    }
    const start = text.indexOf(core);
    const trail = text.slice(start + core.length);
    const content = core.replace(/\s+/g, ' '); // a blank line would end the marks
    say(text.slice(0, start));
    if (span.url !== undefined) mark(OPEN_LINK, '[');
    const style = styleOf(span);
    const closing = reversed(style);
    const isMixed = style.includes('*') && style.includes('~');
    const next = span.url === undefined ? `${trail}${spans[index + 1]?.text ?? ''}`.charAt(0) : ']';
    const fits =
      canDelimit(last, isMixed ? '~' : content.charAt(0)) && canDelimit(next, isMixed ? '~' : content.slice(-1));
    if (fits) mark(MARK, style);
    say(content);
    if (fits) mark(MARK, closing);
    if (span.url !== undefined) mark(MARK, `](${destination(span.url)})`);
    say(trail);
  }
  return markedParagraphs(ink, words, marks, marks.length === 0 ? 'nothing' : 'marks');
};

const onOneLine = (spans: readonly ArticleSpan[]): ArticleSpan[] =>
  spans.map((span) => ({ ...span, text: span.text.replace(/\s+/g, ' ') }));

const block = (ink: MarkdownContext, entry: ArticleBlock, number: number): string => {
  switch (entry.type) {
    case 'paragraph':
      return spansMarkdown(ink, visibleSpans(ink, entry.spans));
    case 'heading': {
      const words = escapeHeading(ink, textOf(entry.spans));
      return words === '' ? '' : `${'#'.repeat(Math.min(6, Math.max(1, entry.level) + HEADING_OFFSET))} ${words}`;
    }
    case 'quote': {
      const words = spansMarkdown(ink, visibleSpans(ink, entry.spans));
      return words === '' ? '' : blockquote(words);
    }
    case 'list_item': {
      const words = spansMarkdown(ink, onOneLine(visibleSpans(ink, entry.spans)));
      return words === '' ? '' : `${entry.ordered ? `${number}.` : '-'} ${words}`;
    }
    case 'code':
      return fenced(ink, entry.text, entry.language);
    case 'media':
      return mediaMarkdown(ink, entry.media);
    case 'post':
      return autolink(entry.url);
    case 'divider':
      return '---';
    default:
      return entry satisfies never;
  }
};

const listKind = (entry: ArticleBlock): string => (entry.type === 'list_item' ? `list ${entry.ordered}` : entry.type);

/** The blocks of an article: items of one list close together, everything else apart. */
export const articleMarkdown = (ink: MarkdownContext, { blocks }: Pick<Article, 'blocks'>): string => {
  let markdown = '';
  let kind = '';
  let number = 1;
  for (const entry of blocks) {
    const goesOn = entry.type === 'list_item' && listKind(entry) === kind;
    const rendered = block(ink, entry, goesOn ? number + 1 : 1);
    if (rendered === '') continue;
    markdown += (markdown === '' ? '' : goesOn ? '\n' : '\n\n') + rendered;
    number = goesOn ? number + 1 : 1;
    kind = listKind(entry);
  }
  return markdown;
};
