// Whatever authors write, a document has the structure that the renderer built and the words that they wrote. Each
// hostile document is compared with its twin: the same model in plain words, put back as the author wrote them.
import { expect } from 'vitest';
import { visibleLine, visibleText } from '../../../shared/model/visible-text.ts';
import { type Flat, readWithMarkdownIt, readWithMdast } from '../../support/markdown-oracle.ts';

/** How the words of a field are shown: several paragraphs, one line, or as they are. */
export type Layout = 'paragraphs' | 'line' | 'code';
/** What a field says, given what its author wrote. */
export type WriteText = (words: string, layout: Layout) => string;

const shown: Readonly<Record<Layout, (words: string) => string>> = {
  line: (words) => visibleLine(words),
  code: (words) => visibleText(words),
  paragraphs: (words) =>
    visibleText(words)
      .split('\n')
      .map((line) => line.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, ''))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/^\n+/, '')
      .replace(/(?<!\n)\n+$/, ''),
};

/** Plain words in place of the author's, line by line, and the way back. */
const createPlainCounterpart = () => {
  const lines: string[] = [];
  const plain = (line: string): string => {
    if (line === '') return '';
    lines.push(line);
    return `k${lines.length - 1}x`;
  };
  const say: WriteText = (words, layout) => shown[layout](words).split('\n').map(plain).join('\n');
  const restore = (flat: Flat): Flat =>
    typeof flat === 'string'
      ? flat.replace(/k([0-9]+)x/g, (_, index: string) => lines[Number(index)] ?? '')
      : { kind: flat.kind, content: flat.content.map(restore) };
  return { say, restore };
};

const asWritten: WriteText = (words) => words;

/** Gives the fields of a model their words, one text after the other. */
export const textSource = (texts: readonly string[], say: WriteText): ((layout: Layout) => string) => {
  let next = 0;
  return (layout) => {
    next += 1;
    return say(texts[(next - 1) % texts.length] ?? '', layout);
  };
};

export const readers = { mdast: readWithMdast, 'markdown-it': readWithMarkdownIt };

/** markdown-it trims paragraphs by what JavaScript calls white space. */
const withoutMargins = (flat: readonly Flat[]): Flat[] =>
  flat.map((entry, index) => {
    if (typeof entry !== 'string') return { kind: entry.kind, content: withoutMargins(entry.content) };
    const start = index === 0 ? entry.trimStart() : entry;
    return index === flat.length - 1 ? start.trimEnd() : start;
  });

/** @param render a document of a model whose words are said in this way */
export const expectFaithful = (render: (say: WriteText) => string): void => {
  const twin = createPlainCounterpart();
  const hostile = render(asWritten);
  const plain = render(twin.say);
  for (const [name, read] of Object.entries(readers)) {
    const expected = withoutMargins(read(plain).map(twin.restore));
    expect(withoutMargins(read(hostile)), name).toEqual(expected);
  }
};
