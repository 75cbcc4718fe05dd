// Proves the statistics of the mutation run: its sample and the interval of a score.
import { expect, test } from 'vitest';
import { intervalOf } from '../mutation/scores.ts';
import { randomSampleOf, seededRandom } from '../support/random.ts';

test('randomSampleOf() draws the same items for the same seed, and others for another seed', () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  const draw = (seed: number): readonly number[] => randomSampleOf(seededRandom(seed), items, 10);
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(new Set(draw(1)).size).toBe(10);
});

test.each([
  [20, 20, 83.9, 100],
  [19, 20, 76.4, 99.1],
  [10, 20, 29.9, 70.1],
  [0, 20, 0, 16.1],
  [190, 200, 91.0, 97.3],
])('intervalOf(%i, %i) is %d to %d %%', (noticed, noticeable, low, high) => {
  const [from, to] = intervalOf(noticed, noticeable);
  expect([from.toFixed(1), to.toFixed(1)]).toEqual([low.toFixed(1), high.toFixed(1)]);
});
