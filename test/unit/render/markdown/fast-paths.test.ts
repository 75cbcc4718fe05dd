// Compares functions that are written for speed with their shortest definitions, with which rendering takes 1.3 times as
// long. Checks durations, too.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration, formatNumber } from '../../../../shared/render/content/format.ts';
import { autolink, blockquote, destination } from '../../../../shared/render/markdown/escape.ts';

const lines = fc.array(fc.constantFrom('', ' ', 'a', '> b', '**c**', '灯台'), { maxLength: 8 });

test('a block quote has a mark before each line, and no space on a blank line between two lines', () => {
  fc.assert(
    fc.property(lines, (parts) => {
      const block = parts.join('\n');
      const marked = `> ${block.replaceAll('\n', '\n> ')}`.replace(/\n> (?=\n)/g, '\n>');
      expect(blockquote(block)).toBe(marked);
    }),
  );
});

test('a number has a comma before each three digits', () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(2000), fc.nat(2_000_000), fc.maxSafeNat()), (number) => {
      expect(formatNumber(number)).toBe(number.toLocaleString('en-US'));
    }),
  );
});

test('no character can end the destination of a link or begin an entity', () => {
  const urls = fc.string({ unit: 'binary' }).map((rest) => `https://x.com/${rest}`);
  const asciiUrls = fc.string({ unit: 'binary-ascii' }).map((rest) => `https://x.com/${rest}`);
  fc.assert(
    fc.property(fc.oneof(urls, asciiUrls), (url) => {
      expect(destination(url)).not.toMatch(/[\s()<>[\]\\`\u0000-\u001f\u007f]|&(?!amp;)#?[a-z0-9]+;/iu);
      expect(autolink(url)).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/u);
    }),
    { numRuns: 500 },
  );
});

test('a duration has hours only from one hour on, and its seconds are rounded', () => {
  const written = [0, 999, 61_000, 600_000, 3_599_600, 3_661_000].map((duration) => formatDuration(duration));
  expect(written).toEqual(['0:00', '0:01', '1:01', '10:00', '1:00:00', '1:01:01']);
});
