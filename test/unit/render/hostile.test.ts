// Whatever authors write, a conversation has the structure that the renderer built and the words that they wrote.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/conversation.ts';
import type { Article, ArticleSpan, Post } from '../../../shared/model/post.ts';
import { visibleText } from '../../../shared/model/visible-text.ts';
import { articleMarkdown } from '../../../shared/render/markdown/article.ts';
import { createMarkdownContext, type Dialect } from '../../../shared/render/markdown/escape.ts';
import { conversationMarkdown } from '../../../shared/render/markdown/token-budget.ts';
import { hostileFragments, hostileText } from '../../support/hostile-text.ts';
import { type Flat, nodesOf, wordsIn } from '../../support/markdown-oracle.ts';
import { conversationOf, postOf, userOf } from '../../support/post-models.ts';
import { expectFaithful, readers, textSource, type WriteText } from './faithfulness.ts';

const KNOWN = ['https://known.example/x', 'https://known.example/x_(y)'].map((url) => ({ url }));
const PICTURE = 'https://pbs.twimg.com/media/a.jpg';

const TEXTS = 24;

/** Every place of a conversation where words of others stand. */
const conversationSaying = (texts: readonly string[], say: WriteText): Conversation => {
  const words = textSource(texts, say);
  const span = (style: Partial<ArticleSpan> = {}): ArticleSpan => ({ ...style, text: words('line') });
  const article: Article = {
    title: words('line'),
    blocks: [
      { type: 'paragraph', spans: [{ text: words('paragraphs') }] },
      { type: 'heading', level: 1, spans: [span()] },
      { type: 'quote', spans: [{ text: words('paragraphs') }] },
      { type: 'list_item', ordered: false, spans: [span()] },
      { type: 'list_item', ordered: true, spans: [span()] },
      { type: 'code', language: 'js', text: words('code') },
    ],
  };
  const quote: Post = postOf({
    id: '19',
    author: userOf(words('line'), '_x_'),
    text: words('paragraphs'),
    links: KNOWN,
    community_note: { text: words('paragraphs') },
  });
  const reply: Post = postOf({ id: '21', author: userOf(words('line'), 'b_c'), text: words('paragraphs'), article });
  return conversationOf(
    postOf({
      text: words('paragraphs'),
      author: userOf(words('line')),
      links: KNOWN,
      reposted_by: userOf(words('line')),
      media: [
        { type: 'photo', url: PICTURE, alt_text: words('line') },
        { type: 'photo', url: 'https://elsewhere.example/a.jpg', alt_text: words('line') },
        { type: 'video', url: 'https://video.twimg.com/a.mp4', alt_text: words('line'), duration_ms: 61_000 },
      ],
      poll: {
        choices: [
          { label: words('line'), votes: 3, percentage: 75 },
          { label: words('line'), votes: 1, percentage: null },
        ],
        total_votes: 4,
      },
      card: { url: 'https://card.example/_a_?b=(c)&amp;d=*', title: words('line'), description: words('line') },
      quote,
      community_note: { text: words('paragraphs') },
    }),
    { replies: [reply], thread: [postOf({ id: '22', text: words('paragraphs'), links: KNOWN })] },
  );
};

const rendered = (conversation: Conversation, dialect: Dialect): string =>
  conversationMarkdown(createMarkdownContext(dialect), conversation).markdown;

const expectFaithfulConversation = (texts: readonly string[], dialect: Dialect): void =>
  expectFaithful((say) => rendered(conversationSaying(texts, say), dialect));

const RUNS = 900;

test.each(['markdown', 'obsidian'] as const)(
  '[markdown #1][markdown #2][markdown #3][markdown #4][markdown #5] each nasty fragment, in every field, stays words in %s',
  (dialect) => {
    for (const fragment of hostileFragments) expectFaithfulConversation([fragment], dialect);
  },
);

test('[markdown #1][markdown #2][markdown #3][markdown #4][markdown #5][markdown #8] 21,600 hostile texts keep their words and forge no structure', () => {
  const someTexts = fc.array(hostileText, { minLength: TEXTS, maxLength: TEXTS });
  fc.assert(
    fc.property(someTexts, (texts) => expectFaithfulConversation(texts, 'markdown')),
    { numRuns: RUNS },
  );
});

test('[markdown #1] so do those of an Obsidian note', () => {
  const someTexts = fc.array(hostileText, { minLength: TEXTS, maxLength: TEXTS });
  fc.assert(
    fc.property(someTexts, (texts) => expectFaithfulConversation(texts, 'obsidian')),
    { numRuns: RUNS / 6 },
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

const squeezed = (words: string): string => words.replace(/\s+/g, ' ').trim();

test('[markdown #1][markdown #3] styled spans of articles: marks stand around words of their own span or are left out', () => {
  fc.assert(
    fc.property(fc.array(styledSpan, { minLength: 1, maxLength: 6 }), (spans) => {
      const markdown = articleMarkdown(createMarkdownContext('markdown'), {
        blocks: [
          { type: 'paragraph', spans },
          { type: 'list_item', ordered: true, spans },
        ],
      });
      const said = squeezed(spans.map(({ text }) => visibleText(text)).join(''));
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
        expect(squeezed(lines.join(' ')), name).toBe(squeezed(`${said} ${said}`));
        for (const link of nodesOf(flat, 'link ')) {
          const own = spans
            .filter(({ url }) => url !== undefined && link.kind === `link ${url}`)
            .map(({ text }) => visibleText(text))
            .join('');
          expect(squeezed(own), name).toContain(squeezed(wordsIn([link], ' ')));
        }
        for (const strong of nodesOf(flat, 'strong')) {
          const own = spans
            .filter(({ bold }) => bold)
            .map(({ text }) => visibleText(text))
            .join('');
          expect(squeezed(own), name).toContain(squeezed(wordsIn([strong], ' ')));
        }
      }
    }),
    { numRuns: 3000 },
  );
});
