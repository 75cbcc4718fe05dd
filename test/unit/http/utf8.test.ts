import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Of } from '../../../shared/http/representation.ts';

const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constant('\ud800'));

test('a text of any length has the bytes of Buffer.from, also with a lone surrogate', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 2000 }), (text, times) => {
      const long = text.repeat(times);
      expect(utf8Of(long).equals(Buffer.from(long))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('a text that is larger than the reserved memory is encoded as well', () => {
  const text = '灯台 🐋 '.repeat(200_000);
  expect(utf8Of(text).equals(Buffer.from(text))).toBe(true);
});

test('the bytes of a text do not change when the next text is encoded', () => {
  const first = utf8Of('é'.repeat(2000));
  utf8Of('x'.repeat(2000));
  expect(first.toString()).toBe('é'.repeat(2000));
});
