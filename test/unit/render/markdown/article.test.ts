import { describe, expect, test } from 'vitest';
import type { ArticleBlock, ArticleSpan } from '../../../../shared/model/post.ts';
import { articleMarkdown } from '../../../../shared/render/markdown/article.ts';
import { createMarkdownContext } from '../../../../shared/render/markdown/escape.ts';
import { nodesOf, readWithMdast, wordsIn } from '../../../support/markdown-oracle.ts';
import { recordedConversation } from '../../../support/recorded-posts.ts';

const shown = (...blocks: ArticleBlock[]): string => articleMarkdown(createMarkdownContext('markdown'), { blocks });
const spans = (...own: ArticleSpan[]): string => shown({ type: 'paragraph', spans: own });
const item = (text: string, ordered: boolean): ArticleBlock => ({ type: 'list_item', ordered, spans: [{ text }] });

describe('styles', () => {
  test.each<[string, ArticleSpan[], string]>([
    ['bold', [{ text: 'a ' }, { text: 'b', bold: true }, { text: ' c' }], 'a **b** c'],
    ['italic', [{ text: 'b', italic: true }, { text: '.' }], '*b*.'],
    ['struck', [{ text: 'b', strikethrough: true }], '~~b~~'],
    ['all three', [{ text: 'b', bold: true, italic: true, strikethrough: true }], '***~~b~~***'],
    ['blanks move out', [{ text: 'a' }, { text: ' b ', bold: true }, { text: 'c' }], 'a **b** c'],
    ['blanks alone', [{ text: 'a' }, { text: '  ', bold: true }, { text: 'c' }], 'a  c'],
    [
      'within a word',
      [{ text: 'un' }, { text: 'frigging', italic: true }, { text: 'believable' }],
      'un*frigging*believable',
    ],
    ['a sign beside a letter cannot be marked', [{ text: 'a' }, { text: '“b”', bold: true }, { text: 'c' }], 'a“b”c'],
    ['a sign beside a blank can', [{ text: 'a ' }, { text: '“b”', bold: true }, { text: ' c' }], 'a **“b”** c'],
    [
      'neighbours that touch',
      [
        { text: 'a', bold: true },
        { text: 'b', italic: true },
      ],
      '**a**b',
    ],
    [
      'the same style in pieces',
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
    ['a bold link', [{ text: 'this', bold: true, url: 'https://a.example/' }], '[**this**](https://a.example/)'],
    [
      '! before a link',
      [{ text: 'see!' }, { text: 'this', url: 'https://a.example/' }],
      'see\\![this](https://a.example/)',
    ],
    ['marks of the author', [{ text: '*a* ' }, { text: '*b', bold: true }], '\\*a\\* **\\*b**'],
    ['a backslash before a mark', [{ text: 'a\\' }, { text: 'b', bold: true }], 'a\\\\**b**'],
    [
      'an address before a mark',
      [{ text: 'https://a.example/x' }, { text: 'y', bold: true }],
      'https\\://a.example/x**y**',
    ],
    ['line breaks', [{ text: 'a\n' }, { text: 'b', bold: true }], 'a  \n**b**'],
    ['a line that would begin a block', [{ text: '1. ' }, { text: 'b', bold: true }], '1\\. **b**'],
  ])('%s', (_, own, expected) => {
    expect(spans(...own)).toBe(expected);
  });
});

describe('blocks', () => {
  test('items of one list are close together and counted', () => {
    expect(shown(item('a', true), item('b', true), item('c', false), item('d', true))).toBe(
      '1. a\n2. b\n\n- c\n\n1. d',
    );
  });

  test('an empty item is left out', () => {
    expect(shown(item('a', true), item('\u200b', true), item('b', true))).toBe('1. a\n2. b');
  });

  test('headings stand below the author and the title', () => {
    const heading = (level: number): ArticleBlock => ({ type: 'heading', level, spans: [{ text: '# C# #' }] });
    expect(shown(heading(1), heading(2), heading(6), heading(0))).toBe(
      '### # C# \\#\n\n#### # C# \\#\n\n###### # C# \\#\n\n### # C# \\#',
    );
  });

  test('quotes, code, pictures, posts and dividers', () => {
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

test('the recorded article keeps its parts, and all of its words', async () => {
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
  const said = wordsIn(flat, ' ').replace(/\s+/g, ' ');
  for (const block of article.blocks) {
    if ('spans' in block)
      expect(said).toContain(
        block.spans
          .map(({ text }) => text)
          .join('')
          .replace(/\s+/g, ' ')
          .trim(),
      );
  }
});
