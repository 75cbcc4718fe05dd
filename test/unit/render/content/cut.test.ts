// Cuts excerpts at every edge of their bound.
import { expect, test } from 'vitest';
import { cutExcerpt } from '../../../../shared/render/content/cut.ts';

test.each([
  ['a text of 280 characters', '🐋'.repeat(280), '🐋'.repeat(280)],
  ['a text of 281 characters', '🐋'.repeat(281), `${'🐋'.repeat(279)}…`],
  ['words', 'tide '.repeat(100), `${'tide '.repeat(55)}tide…`],
  ['a last word of 40 characters', `${'a '.repeat(130)}${'b'.repeat(100)}`, `${'a '.repeat(129)}a…`],
  ['a last word that is longer', `${'a '.repeat(50)}${'b'.repeat(300)}`, `${'a '.repeat(50)}${'b'.repeat(179)}…`],
  ['an empty text', '', ''],
])('cutExcerpt cuts %s at the end of a word and marks the cut', (_, text, excerpt) => {
  expect(cutExcerpt(text)).toBe(excerpt);
  expect(cutExcerpt(cutExcerpt(text))).toBe(excerpt);
});
