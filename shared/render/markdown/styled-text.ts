// Renders the text of a long post with its bold and italic ranges as Markdown.
import type { TextStyle } from '../../model/post.ts';
import { visibleText } from '../../model/visible-text.ts';
import { linkPlaces } from '../content/links.ts';
import type { MarkdownContext } from './escape.ts';
import { type Span, spansMarkdown } from './spans.ts';

/** A range of the visible text. */
interface Segment {
  readonly start: number;
  readonly end: number;
  readonly style: Pick<Span, 'bold' | 'italic'>;
}

const LOW_SURROGATE = /[\udc00-\udfff]/;

/** Bounds an offset by the text, and moves it behind the character that it would split. */
const validOffset = (text: string, offset: number): number =>
  Math.min(text.length, LOW_SURROGATE.test(text.charAt(offset)) ? offset + 1 : offset);

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

/** Divides a text at the ends of its styles. */
const segmentsOf = (text: string, visible: string, styles: readonly TextStyle[]): readonly Segment[] => {
  const changes = new Map<number, { bold: number; italic: number }>([
    [0, { bold: 0, italic: 0 }],
    [text.length, { bold: 0, italic: 0 }],
  ]);
  const change = (offset: number, type: TextStyle['type'], by: 1 | -1): void => {
    const at = validOffset(text, offset);
    const counts = changes.get(at) ?? { bold: 0, italic: 0 };
    counts[type] += by;
    changes.set(at, counts);
  };
  for (const { type, start, end } of styles) {
    change(start, type, 1);
    change(end, type, -1);
  }
  const edges = [...changes].sort(([a], [b]) => a - b);
  const offsets = visibleOffsets(
    text,
    visible,
    edges.map(([offset]) => offset),
  );
  let [bold, italic] = [0, 0];
  return edges.flatMap(([, counts], index): Segment[] => {
    bold += counts.bold;
    italic += counts.italic;
    const start = offsets[index] ?? 0;
    const end = offsets[index + 1] ?? start;
    const style = { ...(bold > 0 && { bold: true as const }), ...(italic > 0 && { italic: true as const }) };
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
  styles: readonly TextStyle[],
  urls: readonly string[],
): string => {
  const visible = visibleText(text, context.onRemoved);
  const segments = segmentsOf(text.toWellFormed(), visible, styles);
  const spans: Span[] = [];
  let next = 0;
  const addUntil = (from: number, to: number): void => {
    for (let segment = segments[next]; segment !== undefined && segment.start < to; segment = segments[next]) {
      const part = visible.slice(Math.max(from, segment.start), Math.min(to, segment.end));
      for (const piece of part.split(LINE_BREAKS)) if (piece !== '') spans.push({ text: piece, ...segment.style });
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
