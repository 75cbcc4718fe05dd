// Checks that ordinary posts contain no backslash, then how each kind of forged structure is escaped.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createMarkdownContext,
  escapedParagraphs,
  escapeParagraphs,
} from '../../../../shared/render/markdown/escape.ts';
import { hostileFragments, hostileText } from '../../../generators/hostile-text.ts';

const written = (text: string, urls: readonly string[] = []): string =>
  escapeParagraphs(createMarkdownContext('markdown'), text, urls);

describe('[text 3] links', () => {
  const URL = 'https://a.example/x_(y)';

  test('text before an autolink cannot undo the autolink', () => {
    expect(written(`\\${URL} [x](${URL} <${URL}>`, [URL])).toBe(`\\\\<${URL}> \\[x](<${URL}> <<${URL}>>`);
  });

  test('placeholder characters written by an author are text', () => {
    expect(written(`\u00010\u0001 \u0001 \u0002 ${URL}`, [URL])).toBe(`0   <${URL}>`);
  });
});

test('the fast path for plain text writes the same as the full path', () => {
  const url = 'https://known.example/x';
  const plain = fc.array(
    fc.constantFrom(
      'word',
      ' ',
      '\n',
      '\n\n',
      '.',
      '#',
      '-',
      '1',
      '_',
      ':',
      '|',
      '=',
      '!',
      ']',
      'é',
      '🐋',
      '\u00a0',
      url,
    ),
    { maxLength: 10 },
  );
  const check = (text: string): void => {
    for (const urls of [[], [url], [url, 'https://known.example/x_(y)']]) {
      const [short, long] = [createMarkdownContext('markdown'), createMarkdownContext('markdown')];
      expect(escapeParagraphs(short, text, urls)).toBe(escapedParagraphs(long, text, urls));
      expect(short.removed).toBe(long.removed);
    }
  };
  hostileFragments.forEach(check);
  for (const text of [`https://${url}`, `www.a.b${url}`, `灯台${url}`, `(${url})`, `a ${url}, b`]) check(text);
  fc.assert(
    fc.property(
      fc.oneof(
        hostileText,
        plain.map((parts) => parts.join('')),
      ),
      check,
    ),
    { numRuns: 10_000 },
  );
});
