// Cuts texts at every edge of their bounds, and documents beyond the reach of a budget.
import { expect, test } from 'vitest';
import type { ArticleBlock, Post } from '../../../../shared/model/post.ts';
import { cutBeyondReach, cutExcerpt, cutOffset, readingMinutes } from '../../../../shared/render/content/cut.ts';
import { createMarkdownContext } from '../../../../shared/render/markdown/context.ts';
import { conversationMarkdown } from '../../../../shared/render/markdown/conversation.ts';
import { sampleOf } from '../../../support/full-form.ts';
import { conversationOf, postOf } from '../../../support/post-models.ts';

test.each([
  ['a text of 280 characters', '🐋'.repeat(280), '🐋'.repeat(280)],
  ['a text of 281 characters', '🐋'.repeat(281), `${'🐋'.repeat(279)}…`],
  ['words', 'tide '.repeat(100), `${'tide '.repeat(55)}tide…`],
  ['a last word of 40 characters', `${'a '.repeat(130)}${'b'.repeat(100)}`, `${'a '.repeat(129)}a…`],
  ['a last word that is longer', `${'a '.repeat(50)}${'b'.repeat(300)}`, `${'a '.repeat(50)}${'b'.repeat(179)}…`],
  ['an empty text', '', ''],
])('cutExcerpt cuts %s at the end of a word and marks the cut', (_, text, excerpt) => {
  expect(cutExcerpt(text)).toBe(excerpt);
  expect(cutExcerpt(cutExcerpt(text))).toBe(excerpt);
});

const a = (count: number): string => 'a'.repeat(count);

test.each([
  ['as many characters as a cut may hide', a(160), undefined],
  ['one character more', a(161), 100],
  ['a blank at the bound', `${a(100)} ${a(100)}`, 100],
  ['a blank behind the bound', `${a(101)} ${a(100)}`, 100],
  ['a blank far before the bound', `${a(41)} ${a(200)}`, 41],
  ['a blank too far before the bound', `${a(40)} ${a(200)}`, 100],
  ['a tab', `${a(50)}\t${a(200)}`, 50],
  ['a line end', `${a(50)}\n${a(200)}`, 50],
  ['several blanks', `${a(50)} ${a(20)}\n${a(10)}\t${a(200)}`, 82],
  ['a full stop before the bound', `${a(50)}. ${a(200)}`, 50],
  ['a character of two units at the bound', `a${'🐋'.repeat(100)}`, 99],
  ['only full stops', '.'.repeat(200), 100],
  ['as many lines as are shown', 'a\nb\nc', undefined],
  ['one line more', 'a\nb\nc\nd', 5],
  ['only blank lines more', 'a\nb\nc\n\n ', undefined],
  ['a line end at the bound', `${a(100)}\n${a(100)}`, 100],
  ['a third line that ends at the bound', `a\nb\n${a(96)}\nd`, 100],
])('cutOffset(text, 100, 3) treats %s', (_, text, offset) => {
  expect(cutOffset(text, 100, 3)).toBe(offset);
});

test.each([
  [0, 0, 1],
  [344, 0, 1],
  [345, 0, 2],
  [0, 749, 1],
  [0, 750, 2],
  [115, 500, 2],
  [114, 500, 1],
])('%i words and %i ideographs take %i minutes to read', (words, ideographs, minutes) => {
  expect(readingMinutes('word '.repeat(words) + '語'.repeat(ideographs))).toBe(minutes);
});

const LONG = 300_000;

const articleOf = (...blocks: ArticleBlock[]): Post => postOf({ article: { title: 'T', blocks } });
const paragraph = (...texts: readonly string[]): ArticleBlock => ({
  type: 'paragraph',
  spans: texts.map((text) => ({ text })),
});
const words = Array.from({ length: 30_000 }, (_, at) => `word ${at} `);

const posts: readonly (readonly [name: string, post: Post])[] = [
  ['dots', postOf({ text: '. '.repeat(LONG) })],
  ['marks', postOf({ text: '*a* [b] '.repeat(LONG) })],
  ['one word', postOf({ text: 'a'.repeat(LONG) })],
  ['emoji', postOf({ text: '🐋'.repeat(LONG) })],
  ['line ends before words', postOf({ text: `${'\n'.repeat(LONG)}${'word '.repeat(LONG)}` })],
  ['invisible characters before words', postOf({ text: `${'\u200b'.repeat(LONG)}${'word '.repeat(LONG)}` })],
  ['a quote', postOf({ quote: postOf({ id: '19', text: 'word '.repeat(LONG) }) })],
  ['an article', articleOf(paragraph('word '.repeat(LONG)))],
  ['an article of many spans', articleOf({ type: 'heading', level: 1, spans: [{ text: 'h' }] }, paragraph(...words))],
  [
    'an article of many blocks',
    articleOf(...words.map((text): ArticleBlock => ({ type: 'list_item', ordered: true, spans: [{ text }] }))),
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
