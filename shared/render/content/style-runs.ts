// Divides a text at the ends of its styled ranges.
import type { Post, TextDecoration } from '../../model/post.ts';
import { validOffset } from '../../model/visible-text.ts';

type StyleName = 'bold' | 'italic' | 'underline' | 'strikethrough';

/** @returns all styled ranges of the text of a post */
export const styledRanges = ({
  styles = [],
  decorations,
}: Pick<Post, 'styles' | 'decorations'>): readonly TextDecoration[] =>
  decorations === undefined ? styles : [...styles, ...decorations];

/** A range of a text with one set of styles. */
export interface StyleRun {
  readonly start: number;
  readonly end: number;
  readonly styles: Readonly<Record<StyleName, boolean>>;
}

type Changes = Record<StyleName, number>;

const noChanges = (): Changes => ({ bold: 0, italic: 0, underline: 0, strikethrough: 0 });

/** Other names are not styles that the renderers know. */
const isStyleName = (type: string): type is StyleName =>
  type === 'bold' || type === 'italic' || type === 'underline' || type === 'strikethrough';

/** @returns runs that cover the text, in its order; ranges may overlap and reach beyond the text */
export const styleRuns = (text: string, ranges: readonly TextDecoration[]): readonly StyleRun[] => {
  const changes = new Map<number, Changes>([
    [0, noChanges()],
    [text.length, noChanges()],
  ]);
  const change = (offset: number, type: StyleName, by: 1 | -1): void => {
    const at = validOffset(text, offset);
    const counts = changes.get(at) ?? noChanges();
    counts[type] += by;
    changes.set(at, counts);
  };
  for (const { type, start, end } of ranges) {
    if (!isStyleName(type)) continue;
    change(start, type, 1);
    change(end, type, -1);
  }
  const edges = [...changes].sort(([a], [b]) => a - b);
  const open = noChanges();
  const isOpen = (type: StyleName, by: number): boolean => {
    open[type] += by;
    return open[type] > 0;
  };
  return edges.slice(0, -1).map(([start, { bold, italic, underline, strikethrough }], index) => ({
    start,
    end: edges[index + 1]?.[0] ?? start,
    styles: {
      bold: isOpen('bold', bold),
      italic: isOpen('italic', italic),
      underline: isOpen('underline', underline),
      strikethrough: isOpen('strikethrough', strikethrough),
    },
  }));
};
