// Writes the bold and italic ranges of a text.
import type { Post } from '../../model/post.ts';

type Styles = NonNullable<Post['styles']>;

interface Edge {
  readonly at: number;
  readonly type: Styles[number]['type'];
  /** 1 where a range starts, -1 where it ends. */
  readonly change: 1 | -1;
}

const edgesOf = (styles: Styles): readonly Edge[] =>
  styles
    .flatMap(({ type, start, end }): Edge[] =>
      start < end
        ? [
            { at: start, type, change: 1 },
            { at: end, type, change: -1 },
          ]
        : [],
    )
    .sort((a, b) => a.at - b.at);

/**
 * Reads the edges of the ranges once, so the ranges must be written in the order of the text.
 *
 * @returns a function that writes a range; `render` turns text without an edge into HTML
 */
export const styledWriter = (
  text: string,
  styles: Styles = [],
): ((from: number, to: number, render: (text: string) => string) => string) => {
  const edges = edgesOf(styles);
  const open = { bold: 0, italic: 0 };
  let next = 0;
  const endOfRun = (at: number, to: number): number => {
    for (let edge = edges[next]; edge !== undefined; edge = edges[next]) {
      if (edge.at > at) return Math.min(edge.at, to);
      open[edge.type] += edge.change;
      next += 1;
    }
    return to;
  };
  return (from, to, render) => {
    let html = '';
    for (let at = from; at < to; ) {
      const end = endOfRun(at, to);
      let run = render(text.slice(at, end));
      if (open.italic > 0) run = `<em>${run}</em>`;
      if (open.bold > 0) run = `<strong>${run}</strong>`;
      html += run;
      at = end;
    }
    return html;
  };
};
