// Renders the text of a long post with its styled ranges as Markdown, which cannot underline.
import type { ArticleSpan, TextDecoration } from '../../model/post.ts';
import type { TextRange } from '../../model/text-places.ts';
import { visibleOffsets, visibleText } from '../../model/visible-text.ts';
import { styleRuns } from '../content/style-runs.ts';
import type { MarkdownContext } from './context.ts';
import { autolink, destination, MARK, markedParagraphs, OPEN_LINK, visibleLinks } from './escape.ts';

// Renders runs of styled and linked text as Markdown, for articles and long posts.

/** A run of text: plain, styled, linked, or a URL that links to itself. */
export interface Span extends ArticleSpan {
  /** The text is `url`. */
  readonly isAutolink?: true;
}

const styleOf = ({ bold, italic, strikethrough }: Span): string =>
  `${bold ? '**' : ''}${italic ? '*' : ''}${strikethrough ? '~~' : ''}`;

const reversed = (marks: string): string => marks.split('').reverse().join('');

const isPlain = (span: Span): boolean => span.url === undefined && styleOf(span) === '';

/** Removes invisible characters and joins adjacent spans of one style. */
export const visibleSpans = (context: MarkdownContext, spans: readonly ArticleSpan[]): ArticleSpan[] => {
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

/**
 * Paragraphs. Drops a style that Markdown cannot express at its position; never drops text.
 *
 * @param spans of visible text
 */
export const spansMarkdown = (context: MarkdownContext, spans: readonly Span[]): string => {
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
    if (span.isAutolink && span.url !== undefined) {
      addMark(MARK, autolink(span.url));
      continue;
    }
    if (core === '' || isPlain(span)) {
      addText(text);
      continue;
    }
    const start = text.indexOf(core);
    const trail = text.slice(start + core.length);
    const content = core.includes('\n') ? core.replace(/\s+/g, ' ') : core; // a blank line would end the marks
    addText(text.slice(0, start));
    if (span.url !== undefined) addMark(OPEN_LINK, '[');
    const style = styleOf(span);
    const closing = reversed(style);
    const isMixed = style.includes('*') && style.includes('~');
    const canClose =
      span.url !== undefined ||
      canDelimit(`${trail}${spans[index + 1]?.text ?? ''}`.charAt(0), isMixed ? '~' : content.slice(-1));
    const fits = canClose && canDelimit(last, isMixed ? '~' : content.charAt(0));
    if (fits) addMark(MARK, style);
    addText(content);
    if (fits) addMark(MARK, closing);
    if (span.url !== undefined) addMark(MARK, `](${destination(span.url)})`);
    addText(trail);
  }
  return markedParagraphs(context, marked, marks, marks.length === 0 ? 'nothing' : 'marks');
};

/** A range of the visible text. */
interface Segment {
  readonly start: number;
  readonly end: number;
  readonly style: Pick<Span, 'bold' | 'italic' | 'strikethrough'>;
}

/** Divides the visible text at the ends of its styles. */
const segmentsOf = (text: string, visible: string, ranges: readonly TextDecoration[]): readonly Segment[] => {
  const runs = styleRuns(text, ranges);
  const ends = visibleOffsets(
    text,
    visible,
    runs.map(({ end }) => end),
  );
  return runs.flatMap(({ styles: { bold, italic, strikethrough } }, index): Segment[] => {
    const start = ends[index - 1] ?? 0;
    const end = ends[index] ?? start;
    const style = {
      ...(bold && { bold: true as const }),
      ...(italic && { italic: true as const }),
      ...(strikethrough && { strikethrough: true as const }),
    };
    return start === end ? [] : [{ start, end, style }];
  });
};

/** Marks cannot surround the end of a line. */
const LINE_BREAKS = /(\n+)/;

/**
 * A link is a mark of its own and has no style.
 *
 * @param links only these become autolinks
 */
export const styledParagraphs = (
  context: MarkdownContext,
  text: string,
  ranges: readonly TextDecoration[],
  links: readonly TextRange[],
): string => {
  const visible = visibleText(text, context.onRemoved);
  const segments = segmentsOf(text.toWellFormed(), visible, ranges);
  const spans: Span[] = [];
  let next = 0;
  const addUntil = (from: number, to: number): void => {
    for (let segment = segments[next]; segment !== undefined && segment.start < to; segment = segments[next]) {
      const part = visible.slice(Math.max(from, segment.start), Math.min(to, segment.end));
      const pieces = part.includes('\n') ? part.split(LINE_BREAKS) : [part];
      for (const piece of pieces) if (piece !== '') spans.push({ text: piece, ...segment.style });
      if (segment.end > to) return;
      next += 1;
    }
  };
  let position = 0;
  for (const { start, end, url } of visibleLinks(text, visible, links)) {
    addUntil(position, start);
    spans.push({ text: url, url, isAutolink: true });
    position = end;
  }
  addUntil(position, visible.length);
  return spansMarkdown(context, spans);
};
