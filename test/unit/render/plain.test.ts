import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInk, escapedParagraphs, inline, paragraphs } from '../../../shared/render/escape.ts';
import { isPlain } from '../../../shared/render/plain.ts';
import { hostileText } from '../../support/hostile.ts';

const URL = 'https://fjordsound.example/data/7_a?b=c';

/** Mostly ordinary, so that the short way is taken, with something in it now and then. */
const ordinary = fc
  .array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom(
          'the tide',
          'snake_case',
          '#whales',
          '@ada_l',
          '2/ parts',
          'R&D',
          '🐋',
          '灯台',
          'a.b',
          '(x)',
          '1 < 2',
          '!',
          ']',
        ),
      },
      { weight: 3, arbitrary: fc.constantFrom(' ', '\n', '\n\n') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          URL,
          `${URL}x`,
          '1. ',
          '# ',
          '---',
          '_',
          ' _',
          '  ',
          '\n\n\n',
          '\ud800',
          '\u200b',
          '*',
          '|',
          '\t',
        ),
      },
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

test('[M1] the short way says exactly what the long way says', () => {
  let short = 0;
  fc.assert(
    fc.property(
      fc.oneof(ordinary, hostileText),
      fc.constantFrom([], [URL], [URL, 'https://x.example/']),
      (text, urls) => {
        const quick = createInk('markdown');
        const slow = createInk('markdown');
        expect(paragraphs(quick, text, urls)).toBe(escapedParagraphs(slow, text, urls));
        expect(quick.removed).toBe(slow.removed);
        if (isPlain(text)) short += 1;
      },
    ),
    { numRuns: 20_000 },
  );
  expect(short).toBeGreaterThan(2000);
});

test('[M1] a plain name is written as it is', () => {
  for (const name of ['Ada Larsson 🦅', '春樹 🌸', 'O’Neill', 'ada_larsson', 'R&D'])
    expect(inline(createInk('markdown'), name)).toBe(name);
});
