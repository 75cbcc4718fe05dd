// Checks that texts of third parties in a conversation cannot change the structure of a document.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Article, ArticleSpan, Post } from '../../../shared/model/post.ts';
import type { Conversation } from '../../../shared/model/resources.ts';
import { visibleText } from '../../../shared/model/visible-text.ts';
import { cutOffset } from '../../../shared/render/content/cut.ts';
import { articleMarkdown } from '../../../shared/render/markdown/article.ts';
import { createMarkdownContext, type Dialect } from '../../../shared/render/markdown/escape.ts';
import { conversationMarkdown } from '../../../shared/render/markdown/token-budget.ts';
import { hostileFragments, hostileText } from '../../generators/hostile-text.ts';
import { cases, sampleOf } from '../../support/full-form.ts';
import { type Flat, nodesOf, wordsIn } from '../../support/markdown-oracle.ts';
import { textSource, type WriteText } from '../../support/plain-counterpart.ts';
import { conversationOf, postOf, userOf } from '../../support/post-models.ts';
import { expectFaithful, readers } from './faithfulness.ts';

const KNOWN = ['https://known.example/x', 'https://known.example/x_(y)'].map((url) => ({ url }));
const PICTURE = 'https://pbs.twimg.com/media/a.jpg';

const TEXTS = 24;

/** The texts of replies are cut, and a text is not cut where its plain counterpart is. */
const uncutText = hostileText.filter((text) => cutOffset(text) === undefined);

/** Builds a conversation that has a text of third parties in every field. */
const conversationWith = (texts: readonly string[], writeText: WriteText): Conversation => {
  const nextText = textSource(texts, writeText);
  const span = (style: Partial<ArticleSpan> = {}): ArticleSpan => ({ ...style, text: nextText('line') });
  const article: Article = {
    title: nextText('line'),
    blocks: [
      { type: 'paragraph', spans: [{ text: nextText('paragraphs') }] },
      { type: 'heading', level: 1, spans: [span()] },
      { type: 'quote', spans: [{ text: nextText('paragraphs') }] },
      { type: 'list_item', ordered: false, spans: [span()] },
      { type: 'list_item', ordered: true, spans: [span()] },
      { type: 'code', language: 'js', text: nextText('code') },
    ],
  };
  const quote: Post = postOf({
    id: '19',
    author: userOf(nextText('line'), '_x_'),
    text: nextText('paragraphs'),
    links: KNOWN,
    community_note: { text: nextText('paragraphs') },
  });
  const reply: Post = postOf({
    id: '21',
    author: userOf(nextText('line'), 'b_c'),
    text: nextText('paragraphs'),
  });
  return conversationOf(
    postOf({
      text: nextText('paragraphs'),
      author: userOf(nextText('line')),
      links: KNOWN,
      reposted_by: userOf(nextText('line')),
      media: [
        { type: 'photo', url: PICTURE, alt_text: nextText('line') },
        { type: 'photo', url: 'https://elsewhere.example/a.jpg', alt_text: nextText('line') },
        { type: 'video', url: 'https://video.twimg.com/a.mp4', alt_text: nextText('line'), duration_ms: 61_000 },
      ],
      poll: {
        choices: [
          { label: nextText('line'), votes: 3, percentage: 75 },
          { label: nextText('line'), votes: 1, percentage: null },
        ],
        total_votes: 4,
      },
      card: { url: 'https://card.example/_a_?b=(c)&amp;d=*', title: nextText('line'), description: nextText('line') },
      quote,
      community_note: { text: nextText('paragraphs') },
    }),
    { replies: [reply], thread: [postOf({ id: '22', text: nextText('paragraphs'), links: KNOWN, article })] },
  );
};

const rendered = (conversation: Conversation, dialect: Dialect): string =>
  conversationMarkdown(createMarkdownContext(dialect), conversation).markdown;

const expectFaithfulConversation = (texts: readonly string[], dialect: Dialect): void =>
  expectFaithful((writeText) => rendered(conversationWith(texts, writeText), dialect));

const RUNS = cases(24, 900);

test.each(['markdown', 'obsidian'] as const)(
  '[text 1] [text 2] [text 3] [text 4] [text 5] each hostile fragment in every field stays text in %s',
  (dialect) => {
    for (const fragment of sampleOf(hostileFragments)) expectFaithfulConversation([fragment], dialect);
  },
);

test(`[text 1] [text 2] [text 3] [text 4] [text 5] [text 8] ${RUNS * TEXTS} hostile texts are kept and forge no structure`, () => {
  const someTexts = fc.array(uncutText, { minLength: TEXTS, maxLength: TEXTS });
  fc.assert(
    fc.property(someTexts, (texts) => expectFaithfulConversation(texts, 'markdown')),
    { numRuns: RUNS },
  );
});

const styledSpan: fc.Arbitrary<ArticleSpan> = fc.record(
  {
    text: fc.oneof(hostileText, fc.constantFrom('word', ' word', 'word ', '(word)', '“word”', '!', 'w.', '语', '🐋')),
    bold: fc.constant(true as const),
    italic: fc.constant(true as const),
    strikethrough: fc.constant(true as const),
    url: fc.constantFrom('https://known.example/a', 'https://known.example/_(b)_'),
  },
  { requiredKeys: ['text'] },
);

const STYLES = new Set(['strong', 'emphasis', 'em', 'delete', 's']);

const withoutStyles = (flat: readonly Flat[]): Flat[] =>
  flat.flatMap((entry) =>
    typeof entry === 'string'
      ? [entry]
      : STYLES.has(entry.kind) || entry.kind.startsWith('link https://known.example/')
        ? withoutStyles(entry.content)
        : [{ kind: entry.kind, content: withoutStyles(entry.content) }],
  );

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

test('[text 1] [text 3] style marks of an article surround only the text of their own span or are left out', () => {
  fc.assert(
    fc.property(fc.array(styledSpan, { minLength: 1, maxLength: 6 }), (spans) => {
      const markdown = articleMarkdown(createMarkdownContext('markdown'), {
        blocks: [
          { type: 'paragraph', spans },
          { type: 'list_item', ordered: true, spans },
        ],
      });
      const expectedText = squeezed(spans.map(({ text }) => visibleText(text)).join(''));
      for (const [name, read] of Object.entries(readers)) {
        const flat = read(markdown);
        const bare = withoutStyles(flat);
        expect(
          bare.every((entry) => typeof entry !== 'string' && ['paragraph', 'list ordered'].includes(entry.kind)),
          name,
        ).toBe(true);
        expect(
          [...nodesOf(bare, '')].filter(({ kind }) => !['paragraph', 'list ordered', 'item', 'break'].includes(kind)),
          name,
        ).toEqual([]);
        const lines = bare.map((entry) => squeezed(wordsIn([entry], ' ')));
        expect(squeezed(lines.join(' ')), name).toBe(squeezed(`${expectedText} ${expectedText}`));
        for (const link of nodesOf(flat, 'link ')) {
          const spanText = spans
            .filter(({ url }) => url !== undefined && link.kind === `link ${url}`)
            .map(({ text }) => visibleText(text))
            .join('');
          expect(squeezed(spanText), name).toContain(squeezed(wordsIn([link], ' ')));
        }
        for (const strong of nodesOf(flat, 'strong')) {
          const spanText = spans
            .filter(({ bold }) => bold)
            .map(({ text }) => visibleText(text))
            .join('');
          expect(squeezed(spanText), name).toContain(squeezed(wordsIn([strong], ' ')));
        }
      }
    }),
    { numRuns: cases(80, 3000) },
  );
});
