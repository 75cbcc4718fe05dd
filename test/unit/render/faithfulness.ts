// Checks that a document has only the structure that the renderer built and the text that the authors wrote. Each
// hostile document is compared with its plain counterpart: the same model in plain text, with the texts of the authors
// restored.
import { expect } from 'vitest';
import { visibleLine, visibleText } from '../../../shared/model/visible-text.ts';
import { type Flat, readWithMarkdownIt, readWithMdast } from '../../support/markdown-oracle.ts';

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
const createPlainCounterpart = () => {
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

const asWritten: WriteText = (text) => text;

/** Fills the fields of a model with the texts, one text after the other. */
export const textSource = (texts: readonly string[], writeText: WriteText): ((layout: Layout) => string) => {
  let next = 0;
  return (layout) => {
    next += 1;
    return writeText(texts[(next - 1) % texts.length] ?? '', layout);
  };
};

export const readers = { mdast: readWithMdast, 'markdown-it': readWithMarkdownIt };

/** markdown-it trims paragraphs by the white space of JavaScript. */
const withoutMargins = (flat: readonly Flat[]): Flat[] =>
  flat.map((entry, index) => {
    if (typeof entry !== 'string') return { kind: entry.kind, content: withoutMargins(entry.content) };
    const start = index === 0 ? entry.trimStart() : entry;
    return index === flat.length - 1 ? start.trimEnd() : start;
  });

/** @param render renders a document of a model whose texts are written by `writeText` */
export const expectFaithful = (render: (writeText: WriteText) => string): void => {
  const counterpart = createPlainCounterpart();
  const hostile = render(asWritten);
  const plain = render(counterpart.writeText);
  for (const [name, read] of Object.entries(readers)) {
    const expected = withoutMargins(read(plain).map(counterpart.restore));
    expect(withoutMargins(read(hostile)), name).toEqual(expected);
  }
};
