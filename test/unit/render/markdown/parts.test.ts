// [parts 1] Checks that the parts of a Markdown document are bounded, are sound Markdown each, and join to the
// document. One judge is the document itself, the other a Markdown parser.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ArticleBlock, ArticleSpan, Post } from '../../../../shared/model/post.ts';
import { createMarkdownContext } from '../../../../shared/render/markdown/context.ts';
import { conversationMarkdown } from '../../../../shared/render/markdown/conversation.ts';
import { divideMarkdown } from '../../../../shared/render/markdown/parts.ts';
import { hostileText } from '../../../generators/hostile-text.ts';
import { countWork } from '../../../support/count-work.ts';
import { cases } from '../../../support/full-form.ts';
import { readWithMdast, strangeKindsIn, wordsIn } from '../../../support/markdown-oracle.ts';
import { conversationOf, postOf } from '../../../support/post-models.ts';

/** The text that a reader sees, without blanks and numbers of list items. */
const seen = (markdown: string): string => wordsIn(readWithMdast(markdown)).replace(/\s+/g, '');

const wholeOf = (post: Post, around = {}): string =>
  conversationMarkdown(createMarkdownContext('markdown'), conversationOf(post, around)).markdown;

const articleOf = (...blocks: readonly ArticleBlock[]): Post =>
  postOf({ text: '', article: { title: 'T', blocks: [...blocks] } });

const expectParts = (document: string, size: number) => {
  const parts = [...divideMarkdown(document, { itemEnds: [], size })];
  expect(parts[0]?.start).toBe(0);
  expect(parts.at(-1)?.end).toBe(document.length);
  for (const [index, { start, end, text }] of parts.entries()) {
    expect(start).toBe(index === 0 ? 0 : parts[index - 1]?.end);
    expect(end).toBeGreaterThan(start);
    expect(Buffer.byteLength(text), text).toBeLessThanOrEqual(size);
    expect(text.isWellFormed()).toBe(true);
    expect(strangeKindsIn(readWithMdast(text)), text).toEqual([]);
  }
  expect(parts.map(({ text }) => seen(text)).join('')).toBe(seen(document));
  return parts.map(({ text }) => text);
};

const longText = fc.array(hostileText, { minLength: 1, maxLength: 40 }).map((texts) => texts.join(' '));

const span: fc.Arbitrary<ArticleSpan> = fc
  .tuple(
    longText,
    fc.constantFrom(
      {},
      { bold: true as const },
      { italic: true as const, strikethrough: true as const },
      { url: 'https://known.example/x' },
    ),
  )
  .map(([text, style]) => ({ text, ...style }));

const block: fc.Arbitrary<ArticleBlock> = fc.oneof(
  fc.array(span, { maxLength: 5 }).map((spans): ArticleBlock => ({ type: 'paragraph', spans })),
  fc.array(span, { maxLength: 3 }).map((spans): ArticleBlock => ({ type: 'quote', spans })),
  fc
    .tuple(fc.array(span, { maxLength: 2 }), fc.boolean())
    .map(([spans, ordered]): ArticleBlock => ({ type: 'list_item', ordered, spans })),
  longText.map((text): ArticleBlock => ({ type: 'code', text, language: 'typescript' })),
);

test('[parts 1] the parts of a hostile post join to the whole', () => {
  fc.assert(
    fc.property(longText, fc.integer({ min: 230, max: 2000 }), (text, size) => {
      expectParts(wholeOf(postOf({ text })), size);
    }),
    { numRuns: cases(25, 500) },
  );
});

test('[parts 1] the parts of a hostile article join to the whole', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), fc.integer({ min: 230, max: 2000 }), (blocks, size) => {
      expectParts(wholeOf(articleOf(...blocks)), size);
    }),
    { numRuns: cases(25, 500) },
  );
});

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');

test('[parts 1] a fence that is divided is closed and opened again with its language', () => {
  const code: ArticleBlock = { type: 'code', text: lines(100), language: 'typescript' };
  const texts = expectParts(wholeOf(articleOf(code)), 300);
  for (const text of texts.slice(1, -1)) expect(text).toMatch(/^```typescript\n(?:line \d+\n)+```$/);
});

test.each(['#', '##', '>', '+', '-', '=', '|', '1.', '1)', '*', '***', '~~~', '```', '    '])(
  '[parts 1] no part of a text begins with "%s", which would be structure there',
  (mark) => {
    for (const size of [240, 241, 242, 243, 244, 245, 246, 247, 248])
      for (const text of expectParts(wholeOf(postOf({ text: `tide ${mark} `.repeat(100) })), size).slice(1))
        expect(text).toMatch(/^ {0,3}[tide\\\n]/);
  },
);

test('[parts 1] a heading that is divided keeps the # of its text', () => {
  const words = `${'word '.repeat(30)}## more ${'word '.repeat(30)}end`;
  const size = '### '.length + words.indexOf(' more');
  for (const extra of [0, 1, 2]) {
    const parts = [...divideMarkdown(`### ${words}`, { itemEnds: [], size: size + extra })];
    expect(parts.map(({ text }) => seen(text)).join('')).toBe(words.replaceAll(' ', ''));
  }
});

test('[parts 1] a style that is divided is closed before a tab', () => {
  const text = `${'x'.repeat(200)}\t${'y'.repeat(200)}`;
  for (const size of [203, 204, 205, 206, 207]) expectParts(`**${text}**`, size);
});

test.each(['> ', '- ', '1. '])(
  '[parts 1] a part that ends before the text after %j divides no word of the heading above',
  (mark) => {
    const heading = `## ${'word '.repeat(30)}last`;
    const document = `${heading}\n\n${mark}${'x'.repeat(300)}`;
    const [first] = divideMarkdown(document, { itemEnds: [], size: heading.length + 2 + mark.length });
    expect(first?.text).toBe(heading);
  },
);

test('[parts 1] a URL that is longer than a part is divided, and every part has text', () => {
  const url = `https://known.example/${'x'.repeat(2000)}`;
  const document = wholeOf(postOf({ text: `See ${url} there.`, links: [{ url }] }));
  const parts = [...divideMarkdown(document, { itemEnds: [], size: 240 })];
  expect(parts.map(({ start, end }) => document.slice(start, end)).join('')).toBe(document);
  expect(parts.length).toBeLessThan(15);
});

describe('[parts 5] dividing a text takes work linear in its size', () => {
  const make: readonly (readonly [string, (size: number) => string])[] = [
    ['one paragraph', (size) => 'word '.repeat(size)],
    ['sentences in CJK', (size) => '潮汐鸣响。'.repeat(size)],
    ['one word', (size) => 'x'.repeat(5 * size)],
    ['lines', (size) => 'line\n'.repeat(size)],
    ['paragraphs', (size) => 'word word word.\n\n'.repeat(size / 4)],
    ['a fence', (size) => `\`\`\`\n${'code\n'.repeat(size)}\`\`\``],
    ['a bold paragraph', (size) => `**${'word '.repeat(size)}end**`],
    ['marks', (size) => '*a_ \\[b] ~c '.repeat(size / 4)],
    ['links', (size) => '[word](https://known.example/) '.repeat(size / 4)],
  ];
  test.each(make)('%s', (_, write) => {
    const workFor = (size: number): number => {
      const text = write(size);
      return countWork(() => [...divideMarkdown(text, { itemEnds: [], size: 400 })]);
    };
    expect(workFor(40_000) / workFor(20_000)).toBeLessThan(2.35);
  });
});
