// Checks what the golden files of texts do not show of escaping: links beside marks, and that the fast path for plain texts
// writes the same as the full path.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMarkdownContext } from '../../../../shared/render/markdown/context.ts';
import { escapedParagraphs, escapeParagraphs } from '../../../../shared/render/markdown/escape.ts';
import { isPlain } from '../../../../shared/render/markdown/plain-text.ts';
import { hostileFragments, hostileText } from '../../../generators/hostile-text.ts';
import { cases } from '../../../support/full-form.ts';
import { linksAt } from '../../../support/places.ts';

const written = (text: string, urls: readonly string[]): string =>
  escapeParagraphs(createMarkdownContext('markdown'), text, linksAt(text, urls));

const LINK = 'https://a.example/x_(y)';

test('[text 3] text before an autolink cannot undo the autolink, and placeholders of an author are text', () => {
  expect(written(`\\${LINK} [x](${LINK} <${LINK}>`, [LINK])).toBe(`\\\\<${LINK}> \\[x](<${LINK}> <<${LINK}>>`);
  expect(written(`\u00010\u0001 \u0001 \u0002 ${LINK}`, [LINK])).toBe(`0   <${LINK}>`);
});

test('the fast path for plain text writes the same as the full path', () => {
  const url = 'https://known.example/x';
  // biome-ignore format: side by side they fit on a screen
  const parts = [
    'word', ' ', '\n', '\n\n', '.', '#', '-', '1', '_', ':', '|', '=', '>', '+', '!', ']', 'é', '🐋', '\u00a0', '\t', '\r',
    '\u2028', '\u0085', '\u200b', '\ud800', url,
  ];
  const plain = fc.array(fc.constantFrom(...parts), { maxLength: 10 }).map((all) => all.join(''));
  const check = (text: string): void => {
    for (const urls of [[], [url], [url, 'https://known.example/x_(y)']]) {
      const [short, long] = [createMarkdownContext('markdown'), createMarkdownContext('markdown')];
      const links = linksAt(text, urls);
      expect(escapeParagraphs(short, text, links)).toBe(escapedParagraphs(long, text, links));
      expect(short.removed).toBe(long.removed);
    }
  };
  hostileFragments.forEach(check);
  for (const character of '/:@[`{å') check(`b${character}_a_${character}b`);
  for (const part of [...parts, '\n\n\n']) [part, `a${part}b`].forEach(check);
  for (const text of [`https://${url}`, `www.a.b${url}`, `灯台${url}`, `(${url})`, `a ${url}, b`]) check(text);
  fc.assert(fc.property(fc.oneof(hostileText, plain), check), { numRuns: cases(2000, 5000) });
});

// biome-ignore format: side by side they fit on a screen
test.each([
  '', 'tide', 'Tide, 9!', 'a_b', 'A_Z', 'x0_9', 'a\nb', 'a\n\nb', 'a-b', '(a) “b” 潮 🐋', 'a #b', 'a]', 'a  b', '$a %b ^c',
])('isPlain: %j takes the fast path', (text) => {
  expect(isPlain(text)).toBe(true);
});

test('[text 13] a link ends where its provider says, also before a mark that could continue it', () => {
  for (const mark of '?&%!=#/') expect(written(`see ${LINK}${mark} x`, [LINK])).toBe(`see <${LINK}>${mark} x`);
  expect(written(`\u200bsee\r\n${LINK}?\u200b ${LINK}&`, [LINK])).toBe(`see  \n<${LINK}>? <${LINK}>&`);
});

test('a link with an invisible character stays a link, and its target shows the character', () => {
  const url = 'https://a.example/\u200bx';
  expect(written(`a ${url} b`, [url])).toBe('a <https://a.example/%E2%80%8Bx> b');
});
