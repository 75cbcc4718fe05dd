// Checks that a document has only the structure that the renderer built and the text that the authors wrote. Each
// hostile document is compared with its plain counterpart: the same model in plain text, with the texts of the authors
// restored.
import { expect } from 'vitest';
import { readWithMarkdownIt, readWithMdast } from '../../support/markdown-oracle.ts';
import { asWritten, createPlainCounterpart, type WriteText, withoutMargins } from '../../support/plain-counterpart.ts';

export const readers = { mdast: readWithMdast, 'markdown-it': readWithMarkdownIt };

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
