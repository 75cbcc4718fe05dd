// Checks the styled ranges of long posts in Markdown.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextDecoration } from '../../../../shared/model/post.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { createMarkdownContext } from '../../../../shared/render/markdown/context.ts';
import { escapeParagraphs } from '../../../../shared/render/markdown/escape.ts';
import { styledParagraphs } from '../../../../shared/render/markdown/styled-text.ts';
import { hostileText } from '../../../generators/hostile-text.ts';
import { cases } from '../../../support/full-form.ts';
import { nodesOf, withoutStyles, wordsIn } from '../../../support/markdown-oracle.ts';
import { linksAt } from '../../../support/places.ts';
import { readers } from '../faithfulness.ts';

const LINK = 'https://known.example/x';

const MARKS: ReadonlyMap<string, string> = new Map([
  ...[...'‹›'].map((mark) => [mark, 'bold'] as const),
  ...[...'«»'].map((mark) => [mark, 'italic'] as const),
  ...[...'⟨⟩'].map((mark) => [mark, 'strikethrough'] as const),
  ...[...'⟦⟧'].map((mark) => [mark, 'underline'] as const),
]);

/** @param marked words between the marks of a style */
const written = (marked: string): string => {
  const styles: TextDecoration[] = [];
  const opened = new Map<string, number>();
  let text = '';
  for (const character of marked) {
    const type = MARKS.get(character);
    if (type === undefined) text += character;
    else if ('‹«⟨⟦'.includes(character)) opened.set(type, text.length);
    else styles.push({ type, start: opened.get(type) ?? 0, end: text.length });
  }
  return styledParagraphs(createMarkdownContext('markdown'), text, styles, linksAt(text, [LINK]));
};

describe('styledParagraphs', () => {
  test.each([
    ['one ‹two› three', 'one **two** three'],
    ['‹bold «and italic»›', '**bold** ***and italic***'],
    ['one ⟨two⟩ ⟦three⟧', 'one ~~two~~ three'],
    ['‹first\nsecond›', '**first**  \n**second**'],
    ['‹first\n\nsecond›', '**first**\n\n**second**'],
    ['‹ outer spaces › x', '\u00a0**outer spaces**  x'],
    ['un‹frigging›believable', 'un**frigging**believable'],
    ['‹*stars*›', '**\\*stars\\***'],
    ['🐋‹🐋 whale›', '🐋🐋 whale'],
    ['‹1.› item', '**1.** item'],
    [`‹see ${LINK} now›`, `**see** <${LINK}> **now**`],
    [`‹see:›${LINK}`, `see:<${LINK}>`],
    [`‹see›${LINK}`, `**see**<${LINK}>`],
    ['‹›nothing', 'nothing'],
  ])('writes %j as %j', (marked, expected) => {
    expect(written(marked)).toBe(expected);
  });

  test('counts invisible characters and leaves them out of the ranges', () => {
    const context = createMarkdownContext('markdown');
    const styles: TextDecoration[] = [{ type: 'bold', start: 4, end: 8 }];
    expect(styledParagraphs(context, 'a\u200bb c\u200bd e', styles, [])).toBe('ab **cd** e');
    expect(context.removed).toBe(2);
  });

  test.each(['\n', '\r', '\r\n', '\u0085', '\u2028'])('keeps the ranges behind the line end %j', (end) => {
    const text = `a\u200b${end}b c d`;
    const start = text.indexOf('c');
    const styles: TextDecoration[] = [{ type: 'bold', start, end: start + 1 }];
    expect(styledParagraphs(createMarkdownContext('markdown'), text, styles, [])).toBe('a  \nb **c** d');
  });

  test('bounds a range by the text and never divides a character', () => {
    const styles: TextDecoration[] = [
      { type: 'bold', start: 1, end: 3 },
      { type: 'italic', start: 4, end: 400 },
    ];
    expect(styledParagraphs(createMarkdownContext('markdown'), '🐋a bc', styles, [])).toBe('🐋**a** *bc*');
  });

  const style = fc.record({
    type: fc.constantFrom('bold' as const, 'italic' as const, 'underline' as const, 'strikethrough' as const),
    start: fc.nat(60),
    end: fc.nat(70),
  });

  test.each(['markdown', 'obsidian'] as const)(
    '[text 1] [text 3] without its styles the %s is the text that the author wrote',
    (dialect) => {
      const texts = fc.array(fc.oneof(hostileText, fc.constantFrom(' ', '\n', 'word', LINK)), { maxLength: 5 });
      fc.assert(
        fc.property(texts, fc.array(style, { maxLength: 5 }), (parts, ranges) => {
          const text = visibleText(parts.join(''));
          const styles = ranges.filter(({ start, end }) => start < end);
          const links = linksAt(text, [LINK]);
          const styled = styledParagraphs(createMarkdownContext(dialect), text, styles, links);
          const plain = escapeParagraphs(createMarkdownContext(dialect), text, links);
          for (const [name, read] of Object.entries(readers)) {
            const flat = withoutStyles(read(styled));
            expect(wordsIn(flat, '\n'), name).toBe(wordsIn(read(plain), '\n'));
            expect(
              nodesOf(flat, '').map(({ kind }) => kind),
              name,
            ).toEqual(nodesOf(read(plain), '').map(({ kind }) => kind));
          }
        }),
        { numRuns: cases(100, 500) },
      );
    },
  );
});
