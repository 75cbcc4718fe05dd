// Divides a text at the ends of its bold and italic ranges.
import type { TextStyle } from '../../model/post.ts';
import { validOffset } from '../../model/text-offset.ts';

/** A range of a text with one style. */
export interface StyleRun {
  readonly start: number;
  readonly end: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

type Changes = Record<TextStyle['type'], number>;

/** @returns runs that cover the text, in its order; ranges may overlap and reach beyond the text */
export const styleRuns = (text: string, styles: readonly TextStyle[]): readonly StyleRun[] => {
  const changes = new Map<number, Changes>([
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
  let [bold, italic] = [0, 0];
  return edges.slice(0, -1).map(([start, counts], index) => {
    bold += counts.bold;
    italic += counts.italic;
    return { start, end: edges[index + 1]?.[0] ?? start, isBold: bold > 0, isItalic: italic > 0 };
  });
};
