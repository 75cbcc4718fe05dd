// Renders a model twice: with hostile texts, and with plain words in their place. The structure of both documents must be
// the same, and with the texts put back their content, too. So a judge needs no list of what a renderer may write.
import { visibleLine, visibleText } from '../../shared/model/visible-text.ts';
import type { Flat } from './markdown-oracle.ts';

/** How a document shows the text of a field: several paragraphs, one line, or verbatim. */
export type Layout = 'paragraphs' | 'line' | 'code';
/** Returns the text of a field for the text that its author wrote. */
export type WriteText = (text: string, layout: Layout) => string;

const withoutBreaks = (indentation: string): string => indentation.replace(/\t/g, '    ').replace(/ /g, '\u00a0');

const shown: Readonly<Record<Layout, (text: string) => string>> = {
  line: (text) => visibleLine(text),
  code: (text) => visibleText(text),
  paragraphs: (text) =>
    visibleText(text)
      .split('\n')
      .map((line) => line.replace(/(?<![ \t])[ \t]+$/, '').replace(/^[ \t]+/, withoutBreaks))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/^\n+/, '')
      .replace(/(?<!\n)\n+$/, ''),
};

/** Replaces each line of the author by a plain word, and restores the lines in a parsed document. */
export const createPlainCounterpart = () => {
  const lines: string[] = [];
  const plain = (line: string): string => {
    if (line === '') return '';
    lines.push(line);
    return `k${lines.length - 1}x`;
  };
  const writeText: WriteText = (text, layout) => shown[layout](text).split('\n').map(plain).join('\n');
  const restore = (flat: Flat): Flat =>
    typeof flat === 'string'
      ? flat.replace(/k([0-9]+)x/g, (_, index: string) => lines[Number(index)] ?? '')
      : { kind: flat.kind, content: flat.content.map(restore) };
  return { writeText, restore };
};

export const asWritten: WriteText = (text) => text;

/** Fills the fields of a model with the texts, one text after the other. */
export const textSource = (texts: readonly string[], writeText: WriteText): ((layout: Layout) => string) => {
  let next = 0;
  return (layout) => {
    next += 1;
    return writeText(texts[(next - 1) % texts.length] ?? '', layout);
  };
};

/** markdown-it trims paragraphs by the white space of JavaScript. */
export const withoutMargins = (flat: readonly Flat[]): Flat[] =>
  flat.map((entry, index) => {
    if (typeof entry !== 'string') return { kind: entry.kind, content: withoutMargins(entry.content) };
    const start = index === 0 ? entry.trimStart() : entry;
    return index === flat.length - 1 ? start.trimEnd() : start;
  });
