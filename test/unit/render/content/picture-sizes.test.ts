// Tests the sizes of a picture at the edges of its dimensions.
import { expect, test } from 'vitest';
import type { Media } from '../../../../shared/model/post.ts';
import { sizesOf } from '../../../../shared/render/content/media-files.ts';

const photo = (width: number, height: number): Media => ({
  type: 'photo',
  url: 'https://pbs.twimg.com/media/a.jpg',
  width,
  height,
});

test.each([
  [1, 1, '1x1 1x1 1x1'],
  [1, 5000, '1x2048 1x1200 1x680'],
  [680, 340, '680x340 680x340 680x340'],
  [681, 681, '681x681 681x681 680x680'],
  [4096, 3072, '2048x1536 1200x900 680x510'],
])('a picture of %i by %i pixels has the sizes %3$s', (width, height, expected) => {
  expect(
    sizesOf(photo(width, height))
      .map((size) => `${size.width}x${size.height}`)
      .join(' '),
  ).toBe(expected);
});
