// Renders the text of a long post with its styled ranges as Markdown, which cannot underline.
import type { TextDecoration } from '../../model/post.ts';
import { visibleText } from '../../model/visible-text.ts';
import { linkPlaces } from '../content/links.ts';
import { styleRuns } from '../content/style-runs.ts';
import type { MarkdownContext } from './escape.ts';
import { type Span, spansMarkdown } from './spans.ts';

/** A range of the visible text. */
interface Segment {
  readonly start: number;
  readonly end: number;
  readonly style: Pick<Span, 'bold' | 'italic' | 'strikethrough'>;
}

const LINE_END = /[\r\u0085\u2028\u2029]/;

const isShownAs = (unit: string, shown: string): boolean => unit === shown || (shown === '\n' && LINE_END.test(unit));

/** Converts offsets of a text, in ascending order, to offsets of its visible text. */
const visibleOffsets = (text: string, visible: string, offsets: readonly number[]): readonly number[] => {
  if (text === visible) return offsets;
  let read = 0;
  let shown = 0;
  return offsets.map((offset) => {
    for (; read < offset; read += 1) if (isShownAs(text.charAt(read), visible.charAt(shown))) shown += 1;
    return shown;
  });
};

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
 * @param urls only these become autolinks
 */
export const styledParagraphs = (
  context: MarkdownContext,
  text: string,
  ranges: readonly TextDecoration[],
  urls: readonly string[],
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
  for (const { start, end, url } of linkPlaces(visible, urls)) {
    addUntil(position, start);
    spans.push({ text: url, url, isAutolink: true });
    position = end;
  }
  addUntil(position, visible.length);
  return spansMarkdown(context, spans);
};
