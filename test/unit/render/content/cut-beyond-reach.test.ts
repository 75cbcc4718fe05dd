import { expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { cutBeyondReach } from '../../../../shared/render/content/cut.ts';
import { createMarkdownContext } from '../../../../shared/render/markdown/escape.ts';
import { conversationMarkdown } from '../../../../shared/render/markdown/token-budget.ts';
import { sampleOf } from '../../../support/full-form.ts';
import { conversationOf, postOf } from '../../../support/post-models.ts';

const LONG = 300_000;

const posts: readonly (readonly [name: string, post: Post])[] = [
  ['dots', postOf({ text: '. '.repeat(LONG) })],
  ['marks', postOf({ text: '*a* [b] '.repeat(LONG) })],
  ['one word', postOf({ text: 'a'.repeat(LONG) })],
  ['emoji', postOf({ text: '🐋'.repeat(LONG) })],
  ['line ends before words', postOf({ text: `${'\n'.repeat(LONG)}${'word '.repeat(LONG)}` })],
  ['invisible characters before words', postOf({ text: `${'\u200b'.repeat(LONG)}${'word '.repeat(LONG)}` })],
  ['a quote', postOf({ quote: postOf({ id: '19', text: 'word '.repeat(LONG) }) })],
  [
    'an article',
    postOf({ article: { title: 'T', blocks: [{ type: 'paragraph', spans: [{ text: 'word '.repeat(LONG) }] }] } }),
  ],
  [
    'an article of many spans',
    postOf({
      article: {
        title: 'T',
        blocks: [
          { type: 'heading', level: 1, spans: [{ text: 'h' }] },
          { type: 'paragraph', spans: Array.from({ length: 30_000 }, (_, at) => ({ text: `word ${at} ` })) },
        ],
      },
    }),
  ],
  [
    'an article of many blocks',
    postOf({
      article: {
        title: 'T',
        blocks: Array.from({ length: 30_000 }, (_, at) => ({
          type: 'list_item' as const,
          ordered: true,
          spans: [{ text: `word ${at}` }],
        })),
      },
    }),
  ],
];

test.each(sampleOf(posts))('cutBeyondReach() changes no document with max_tokens: %s', (_, post) => {
  const value = conversationOf(post, { replies: [post] });
  const shorter = cutBeyondReach(value, 500);
  const write = (whole: typeof value): string =>
    conversationMarkdown(createMarkdownContext('markdown'), whole, { maxTokens: 500, omitsLastLine: true }).markdown;
  expect(JSON.stringify(shorter).length).toBeLessThan(JSON.stringify(value).length);
  expect(write(shorter)).toBe(write(value));
});

test('cutBeyondReach() keeps a text that is short once its invisible characters are removed', () => {
  const value = conversationOf(postOf({ text: `${'\u200b'.repeat(LONG)}words` }));
  expect(cutBeyondReach(value, 100)).toEqual(value);
});
