// Checks the titles of posts, where long texts are cut, and how long a text takes to read.
import { describe, expect, test } from 'vitest';
import { cutOffset, readingMinutes } from '../../../../shared/render/content/cut.ts';
import { formatDate, formatDateTime, formatShortDate } from '../../../../shared/render/content/format.ts';
import { markdownLink, postTitle } from '../../../../shared/render/content/post-title.ts';
import { postOf, userOf } from '../../../support/post-models.ts';

describe('postTitle', () => {
  test.each([
    ['Hello', 'Ada: Hello'],
    ['Two\n lines\u202e', 'Ada: Two lines'],
    [
      'Ferries went quiet for a week and the whole fjord turned down by six decibels.',
      'Ada: Ferries went quiet for a week and the whole fjord turned…',
    ],
    [
      'Ferries went quiet for a week and the whole fjord, turned-down-by-six',
      'Ada: Ferries went quiet for a week and the whole fjord…',
    ],
    ['五'.repeat(100), `Ada: ${'五'.repeat(57)}…`],
    ['🐋'.repeat(57), `Ada: ${'🐋'.repeat(57)}`],
    ['', 'Ada'],
    ['Worth your time: https://a.example/b', 'Ada: Worth your time'],
    ['How to build it:', 'Ada: How to build it'],
    ['One, two –', 'Ada: One, two'],
    [':', 'Ada: :'],
    [
      'Ferries went quiet for a week and the whole fjord did. Then more',
      'Ada: Ferries went quiet for a week and the whole fjord did…',
    ],
    [
      'Ferries went quiet for a week and the whole fjord... Afterwards more',
      'Ada: Ferries went quiet for a week and the whole fjord…',
    ],
  ])('the title of %j is %j', (text, title) => {
    expect(postTitle(postOf({ text }))).toBe(title);
  });

  test('the handles that X hides are not the first words of a reply', () => {
    expect(postTitle(postOf({ text: '@bo @cy yes', mentions: ['cy'], in_reply_to: { handle: 'bo' } }))).toBe(
      'Ada: yes',
    );
    expect(postTitle(postOf({ text: '@bo yes' }))).toBe('Ada: @bo yes');
  });

  test('links are left out unless there is nothing else', () => {
    expect(postTitle(postOf({ text: 'see https://a.example/b now' }))).toBe('Ada: see now');
    expect(postTitle(postOf({ text: 'https://a.example/b' }))).toBe('Ada: https://a.example/b');
  });

  test('an article has its own title, an account without a name its handle', () => {
    expect(postTitle(postOf({ article: { title: ' Essay ', blocks: [] } }))).toBe('Essay');
    expect(postTitle(postOf({ author: userOf('\u200b', 'ada'), text: 'x' }))).toBe('ada: x');
    const { author: _, ...anonymous } = postOf({ text: 'x' });
    expect(postTitle(anonymous)).toBe('Post: x');
  });

  test('a long name leaves space for words', () => {
    expect(postTitle(postOf({ author: userOf('Name '.repeat(20)), text: 'word '.repeat(20) }))).toBe(
      'Name Name Name Name Name Name Name Name Name Name…: word word word word word word…',
    );
  });
});

test('markdownLink escapes the title', () => {
  expect(markdownLink('a [b](c) *d* \\', 'https://a.example/')).toBe('[a \\[b\\](c) \\*d\\* \\\\](https://a.example/)');
});

describe('cutOffset', () => {
  test('a short text is not cut', () => {
    expect(cutOffset('word '.repeat(112))).toBeUndefined();
    expect(cutOffset('line\n'.repeat(8))).toBeUndefined();
  });

  test('a long text is cut at the end of a word', () => {
    expect(cutOffset('word '.repeat(200))).toBe(499);
    expect(cutOffset(`${'a'.repeat(470)} ${'b'.repeat(300)}`)).toBe(470);
  });

  test('a cut moves before the full stop of a sentence, but never to the start of the text', () => {
    expect(cutOffset(`${'a'.repeat(469)}. ${'b'.repeat(300)}`)).toBe(469);
    expect(cutOffset(`${'a'.repeat(460)}… . .. ${'b'.repeat(300)}`)).toBe(460);
    expect(cutOffset(`${'line.\n'.repeat(20)}`)).toBe(46);
    expect(cutOffset('.'.repeat(2000))).toBe(500);
  });

  test('a text of many lines is cut after the eighth', () => {
    expect(cutOffset('line\n'.repeat(20))).toBe(39);
  });

  test('a text without spaces is cut between characters', () => {
    expect(cutOffset('語'.repeat(2000))).toBe(500);
    expect(cutOffset(`a${'🐋'.repeat(2000)}`)).toBe(499);
  });
});

test.each([
  ['', 1],
  ['word '.repeat(230), 1],
  ['word '.repeat(2300), 10],
  ['語'.repeat(1500), 3],
])('readingMinutes of %s', (text, minutes) => {
  expect(readingMinutes(text)).toBe(minutes);
});

test('dates have English months, and a date that is none stays as it is', () => {
  expect(formatDate('2026-03-02T10:00:00Z')).toBe('2 March 2026');
  expect(formatShortDate('2026-12-31T10:00:00Z')).toBe('31 Dec 2026');
  expect(formatDateTime('2026-03-02T10:05:59Z')).toBe('2 March 2026, 10:05 UTC');
  expect(formatDate('2026-99-02T10:00:00Z')).toBe('2026-99-02');
});
