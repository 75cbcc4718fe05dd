import { describe, expect, test } from 'vitest';
import type { ArticleBlock, ArticleSpan } from '../../../../shared/model/post.ts';
import { articleMarkdown } from '../../../../shared/render/markdown/article.ts';
import { createMarkdownContext } from '../../../../shared/render/markdown/escape.ts';
import { nodesOf, readWithMdast, wordsIn } from '../../../support/markdown-oracle.ts';
import { recordedConversation } from '../../../support/recorded-posts.ts';

const shown = (...blocks: ArticleBlock[]): string => articleMarkdown(createMarkdownContext('markdown'), { blocks });
const spans = (...articleSpans: ArticleSpan[]): string => shown({ type: 'paragraph', spans: articleSpans });
const item = (text: string, ordered: boolean): ArticleBlock => ({ type: 'list_item', ordered, spans: [{ text }] });

describe('style marks of articleMarkdown', () => {
  test.each<[string, ArticleSpan[], string]>([
    ['bold', [{ text: 'a ' }, { text: 'b', bold: true }, { text: ' c' }], 'a **b** c'],
    ['italic', [{ text: 'b', italic: true }, { text: '.' }], '*b*.'],
    ['struck', [{ text: 'b', strikethrough: true }], '~~b~~'],
    ['all three', [{ text: 'b', bold: true, italic: true, strikethrough: true }], '***~~b~~***'],
    ['outer spaces move outside the marks', [{ text: 'a' }, { text: ' b ', bold: true }, { text: 'c' }], 'a **b** c'],
    ['only spaces', [{ text: 'a' }, { text: '  ', bold: true }, { text: 'c' }], 'a  c'],
    [
      'within a word',
      [{ text: 'un' }, { text: 'frigging', italic: true }, { text: 'believable' }],
      'un*frigging*believable',
    ],
    [
      'no marks between a letter and a quotation mark',
      [{ text: 'a' }, { text: '“b”', bold: true }, { text: 'c' }],
      'a“b”c',
    ],
    [
      'no marks between a quotation mark and a letter',
      [{ text: 'a ' }, { text: '“b”', bold: true }, { text: 'c' }],
      'a “b”c',
    ],
    [
      'marks between a space and a quotation mark',
      [{ text: 'a ' }, { text: '“b”', bold: true }, { text: ' c' }],
      'a **“b”** c',
    ],
    [
      'adjacent spans with different styles',
      [
        { text: 'a', bold: true },
        { text: 'b', italic: true },
      ],
      '**a**b',
    ],
    [
      'adjacent spans with the same style',
      [
        { text: 'a', bold: true },
        { text: 'b', bold: true },
      ],
      '**ab**',
    ],
    [
      'a link',
      [{ text: 'see ' }, { text: 'this', url: 'https://a.example/(b)' }],
      'see [this](https://a.example/%28b%29)',
    ],
    [
      'a bold link that ends with punctuation, before a letter',
      [{ text: 'this!', bold: true, url: 'https://a.example/' }, { text: 'b' }],
      '[**this!**](https://a.example/)b',
    ],
    [
      'a bold link that starts with punctuation, after a letter',
      [{ text: 'a' }, { text: '(this)', bold: true, url: 'https://a.example/' }],
      'a[**(this)**](https://a.example/)',
    ],
    [
      'several blanks within a style, and a line break',
      [{ text: 'a  b', bold: true }, { text: ' ' }, { text: 'c \n d', italic: true }],
      '**a  b** *c d*',
    ],
    ['a bold link', [{ text: 'this', bold: true, url: 'https://a.example/' }], '[**this**](https://a.example/)'],
    [
      '! before a link',
      [{ text: 'see!' }, { text: 'this', url: 'https://a.example/' }],
      'see\\![this](https://a.example/)',
    ],
    ['marks that the author wrote', [{ text: '*a* ' }, { text: '*b', bold: true }], '\\*a\\* **\\*b**'],
    ['a backslash before a mark', [{ text: 'a\\' }, { text: 'b', bold: true }], 'a\\\\**b**'],
    ['a URL before a mark', [{ text: 'https://a.example/x' }, { text: 'y', bold: true }], 'https\\://a.example/x**y**'],
    ['line breaks', [{ text: 'a\n' }, { text: 'b', bold: true }], 'a  \n**b**'],
    ['a line that would start a block', [{ text: '1. ' }, { text: 'b', bold: true }], '1\\. **b**'],
  ])('articleMarkdown writes the style marks of: %s', (_, articleSpans, expected) => {
    expect(spans(...articleSpans)).toBe(expected);
  });
});

describe('blocks of articleMarkdown', () => {
  test('articleMarkdown joins the items of a list and numbers ordered items', () => {
    expect(shown(item('a', true), item('b', true), item('c', false), item('d', true))).toBe(
      '1. a\n2. b\n\n- c\n\n1. d',
    );
  });

  test('articleMarkdown leaves out an empty list item', () => {
    expect(shown(item('a', true), item('\u200b', true), item('b', true))).toBe('1. a\n2. b');
  });

  test('articleMarkdown starts headings at level 3', () => {
    const heading = (level: number): ArticleBlock => ({ type: 'heading', level, spans: [{ text: '# C# #' }] });
    expect(shown(heading(1), heading(2), heading(6), heading(0))).toBe(
      '### # C# \\#\n\n#### # C# \\#\n\n###### # C# \\#\n\n### # C# \\#',
    );
  });

  test('articleMarkdown writes quotes, code, pictures, posts and dividers', () => {
    expect(
      shown(
        { type: 'quote', spans: [{ text: 'a\n> b' }] },
        { type: 'code', language: 'sh', text: 'echo "```"' },
        { type: 'media', media: { type: 'photo', url: 'https://pbs.twimg.com/a.jpg' } },
        { type: 'post', id: '20', url: 'https://x.com/i/status/20' },
        { type: 'divider' },
      ),
    ).toBe(
      '> a  \n> \\> b\n\n````sh\necho "```"\n````\n\n![Photo](https://pbs.twimg.com/a.jpg)\n\n<https://x.com/i/status/20>\n\n---',
    );
  });
});

test('articleMarkdown keeps every block kind and the whole text of the recorded article', async () => {
  const { post } = await recordedConversation('fxtwitter/status/article.json');
  const { article } = post;
  if (article === undefined) throw new Error('no article');
  const flat = readWithMdast(articleMarkdown(createMarkdownContext('markdown'), article));
  for (const kind of [
    'heading 3',
    'heading 4',
    'list bullet',
    'list ordered',
    'blockquote',
    'code ',
    'image ',
    'thematicBreak',
    'strong',
    'link ',
  ]) {
    expect(nodesOf(flat, kind), kind).not.toEqual([]);
  }
  const documentText = wordsIn(flat, ' ').replace(/\s+/g, ' ');
  for (const block of article.blocks) {
    if ('spans' in block)
      expect(documentText).toContain(
        block.spans
          .map(({ text }) => text)
          .join('')
          .replace(/\s+/g, ' ')
          .trim(),
      );
  }
});
