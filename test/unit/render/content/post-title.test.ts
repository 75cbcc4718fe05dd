// Checks the titles of posts, where long texts are cut, and how long a text takes to read.
import { expect, test } from 'vitest';
import { postTitle } from '../../../../shared/render/content/post-title.ts';
import { postOf } from '../../../support/post-models.ts';

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
