// Renders the text of a long post with its bold and italic ranges as Markdown.
import type { TextStyle } from '../../model/post.ts';
import { visibleText } from '../../model/visible-text.ts';
import { linkPlaces } from '../content/links.ts';
import type { MarkdownContext } from './escape.ts';
import { type Span, spansMarkdown } from './spans.ts';

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly style: Pick<Span, 'bold' | 'italic'>;
}

const LOW_SURROGATE = /[\udc00-\udfff]/;

/** Bounds an offset by the text, and moves it behind the character that it would split. */
const validOffset = (text: string, offset: number): number =>
  Math.min(text.length, LOW_SURROGATE.test(text.charAt(offset)) ? offset + 1 : offset);

/** Divides a text at the ends of its styles. The segments are positions in the visible text. */
const segmentsOf = (
  context: MarkdownContext,
  text: string,
  styles: readonly TextStyle[],
): { readonly visible: string; readonly segments: readonly Segment[] } => {
  const changes = new Map<number, { bold: number; italic: number }>([[0, { bold: 0, italic: 0 }]]);
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
  const segments: Segment[] = [];
  let visible = '';
  let [bold, italic] = [0, 0];
  for (const [index, [start, counts]] of edges.entries()) {
    bold += counts.bold;
    italic += counts.italic;
    const part = visibleText(text.slice(start, edges[index + 1]?.[0]), context.onRemoved);
    const style = { ...(bold > 0 && { bold: true as const }), ...(italic > 0 && { italic: true as const }) };
    if (part !== '') segments.push({ start: visible.length, end: visible.length + part.length, style });
    visible += part;
  }
  return { visible, segments };
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
  const { visible, segments } = segmentsOf(context, text, styles);
  const spans: Span[] = [];
  let next = 0;
  const addUntil = (from: number, to: number): void => {
    for (let segment = segments[next]; segment !== undefined && segment.start < to; segment = segments[next]) {
      const part = visible.slice(Math.max(from, segment.start), Math.min(to, segment.end));
      for (const [index, piece] of part.split(LINE_BREAKS).entries())
        if (piece !== '') spans.push({ text: piece, ...(index % 2 === 0 && segment.style) });
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
