import { expect, test } from 'vitest';
import { seededRandom } from '../support/random.ts';
import { type Point, trendOf } from './regression.ts';

const MINUTES = 30;

/** A sample each 15 s. @param valueAt megabytes @param noise that does not forget its last value */
const series = (valueAt: (hours: number) => number, noise: number, seed = 1): readonly Point[] => {
  const random = seededRandom(seed);
  let drift = 0;
  return Array.from({ length: MINUTES * 4 }, (_, index) => {
    drift = 0.7 * drift + (random() - 0.5) * noise;
    return { seconds: index * 15, value: valueAt(index / 240) + drift };
  });
};

const perHour = (slope: number): number => slope * 3600;

test('the trend of a straight line is its slope', () => {
  const { slope, low, high } = trendOf(series((hours) => 40 + 7 * hours, 0));
  expect(perHour(slope)).toBeCloseTo(7);
  expect(perHour(low)).toBeCloseTo(7);
  expect(perHour(high)).toBeCloseTo(7);
});

test('the interval of a leak of 4 MB per hour excludes 0 in each of 40 noisy series', () => {
  const seeds = Array.from({ length: 40 }, (_, index) => index + 1);
  expect(seeds.filter((seed) => trendOf(series((hours) => 80 + 4 * hours, 1, seed)).low <= 0)).toEqual([]);
});

test('the interval of memory that fills and empties includes 0 in most of 40 noisy series', () => {
  const seeds = Array.from({ length: 40 }, (_, index) => index + 1);
  const grown = seeds.filter((seed) => trendOf(series((hours) => 80 + Math.sin(hours * 60), 1, seed)).low > 0);
  // By chance one of 40; the interval has 95 %, of which half is below.
  expect(grown.length).toBeLessThanOrEqual(4);
});
