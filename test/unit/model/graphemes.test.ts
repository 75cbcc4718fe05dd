// Compares the places at which texts are cut with the segments of the whole text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graphemeEnds, graphemeStart } from '../../../shared/model/graphemes.ts';
import { cutExcerpt, cutOffset, cutTitle, truncateText } from '../../../shared/render/content/cut.ts';
import { postFileName, postTitle } from '../../../shared/render/content/post-title.ts';
import { divideMarkdown } from '../../../shared/render/markdown/parts.ts';
import { asShortText, MAX_CHARACTERS } from '../../../shared/upstream/json-readers.ts';
import { cases } from '../../support/full-form.ts';
import { postOf, userOf } from '../../support/post-models.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const startsOf = (text: string): ReadonlySet<number> =>
  new Set([...Array.from(segmenter.segment(text), ({ index }) => index), text.length]);

const FLAG = '🇳🇴';
const FAMILY = '👩🏽‍👩🏻‍👧🏿‍👦';
const ACCENT = 'e\u0301';
const PIECES = [FLAG, '🇸', FAMILY, ACCENT, '각', 'क्षि', 'a', ' ', '五', '🐋', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '\u200d', '\r\n'];

test('graphemeStart is the last start of a segment of the whole text', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), fc.nat(400), (pieces, at) => {
      const text = pieces.join('');
      const offset = Math.min(at, text.length);
      // Both sides of the line end are cut away.
      fc.pre(!text.slice(offset - 1, offset + 1).includes('\r\n'));
      const last = Math.max(...[...startsOf(text)].filter((start) => start <= offset));
      // A grapheme at the start of a text is cut within, because nothing would be left.
      if (last > 0 || offset === 0) expect(graphemeStart(text, offset)).toBe(last);
    }),
    { numRuns: cases(200, 5000) },
  );
});

test('graphemeStart reads as many flags as a post can have', () => {
  const text = FLAG.repeat(200);
  for (let at = 4; at < 400; at += 2) expect(graphemeStart(text, at) % 4).toBe(0);
});

test('a grapheme that is longer than any character of people is cut between its code points', () => {
  const text = `a${'\u0301'.repeat(500)}${'🐋'}`;
  expect(graphemeStart(text, 300)).toBe(300);
  expect([...graphemeEnds(text)]).toHaveLength(502);
  expect(graphemeStart('🐋🐋', 1)).toBe(0);
});

describe('[pages 11] a text is not cut within a character that people see', () => {
  const expectWhole = (text: string, cut: string): void => {
    const shown = cut.replace(/ ?…$/, '');
    expect(text.startsWith(shown)).toBe(true);
    expect(startsOf(text)).toContain(shown.length);
    expect(shown.length).toBeLessThan(text.length);
    expect(shown).not.toBe('');
  };

  test.each([FLAG, FAMILY, ACCENT, `x${FLAG}`, `x${FAMILY}`])('%s', (piece) => {
    for (const before of ['', 'a', 'ab', 'abc', 'abcd']) {
      const text = before + piece.repeat(1000);
      const end = cutOffset(text, 101);
      expectWhole(text, text.slice(0, end));
      expectWhole(text, cutExcerpt(text));
      expectWhole(text, cutTitle(text, 55));
      expectWhole(text, truncateText(text, (shorter) => shorter.length <= 333)?.text ?? '');
      expectWhole(text, postTitle(postOf({ text, author: userOf('A') })).slice('A: '.length));
      expectWhole(`A - ${text}`, postFileName(postOf({ text, author: userOf('A'.repeat(150)) }), '').name.slice(149));
      expectWhole(text, asShortText(text, 'line') ?? '');
      const [part] = divideMarkdown(text, { itemEnds: [], size: 401 });
      expectWhole(text, part?.text ?? '');
    }
    expect(MAX_CHARACTERS.line).toBe(200);
  });
});
