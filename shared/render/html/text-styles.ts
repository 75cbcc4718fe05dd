// Writes the styled ranges of a text.
import type { TextDecoration } from '../../model/post.ts';
import { styleRuns } from '../content/style-runs.ts';

/**
 * Reads the runs of the text once, so its ranges must be written in their order.
 *
 * @returns a function that writes a range; `render` turns text of one style into HTML
 */
export const styledWriter = (
  text: string,
  ranges: readonly TextDecoration[],
): ((from: number, to: number, render: (text: string) => string) => string) => {
  const runs = styleRuns(text, ranges);
  let next = 0;
  return (from, to, render) => {
    let html = '';
    for (let run = runs[next]; run !== undefined && run.start < to; run = runs[next]) {
      const [start, end] = [Math.max(from, run.start), Math.min(to, run.end)];
      if (start < end) {
        let part = render(text.slice(start, end));
        if (run.styles.strikethrough) part = `<s>${part}</s>`;
        if (run.styles.underline) part = `<u>${part}</u>`;
        if (run.styles.italic) part = `<em>${part}</em>`;
        if (run.styles.bold) part = `<strong>${part}</strong>`;
        html += part;
      }
      if (run.end > to) break;
      next += 1;
    }
    return html;
  };
};
