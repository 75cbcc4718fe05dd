// Tests the searches for what fits.
import { expect, test } from 'vitest';
import { findLargest, fittingAmount, shrinkToFit } from '../../../shared/model/fit.ts';

/** @returns the largest number that fits below a limit, and the numbers that were attempted */
const searched = (fewest: number, most: number, limit: number) => {
  const attempts: number[] = [];
  const largest = findLargest(fewest, most, (count) => {
    attempts.push(count);
    return count <= limit ? count : undefined;
  });
  return { largest, attempts };
};

test('findLargest() finds the largest number that fits, whatever the bounds', () => {
  for (let most = -1; most < 20; most += 1) {
    for (let limit = -2; limit <= most + 1; limit += 1) {
      for (const fewest of [0, 1, 3]) {
        const expected = Math.min(most, limit) >= fewest ? Math.min(most, limit) : undefined;
        expect(searched(fewest, most, limit).largest, `${fewest} to ${most}, at most ${limit}`).toBe(expected);
      }
    }
  }
});

test('findLargest() makes one attempt when the most fits', () => {
  expect(searched(0, 1000, 1000).attempts).toEqual([1000]);
});

test('findLargest() attempts no number more than twice too large when there is no bound', () => {
  const { largest, attempts } = searched(0, Number.POSITIVE_INFINITY, 1000);
  expect(largest).toBe(1000);
  expect(Math.max(...attempts)).toBeLessThanOrEqual(2000);
  expect(attempts.length).toBeLessThanOrEqual(2 * Math.log2(1000) + 2);
});

test('findLargest() attempts a number of times that grows with the logarithm of the bound', () => {
  expect(searched(0, 1_000_000, 3).attempts.length).toBeLessThanOrEqual(22);
});

/** @returns the amounts that were attempted for a size of so much for each */
const shrunk = (most: number, fewest: number, sizeOf: (amount: number) => number) => {
  const amounts: number[] = [];
  const last = shrinkToFit(most, fewest, (amount) => {
    amounts.push(amount);
    return { value: amount, fitting: fittingAmount(amount, sizeOf(amount), 1000) };
  });
  expect(last).toBe(amounts.at(-1));
  return amounts;
};

test.each<readonly [string, number, number, (amount: number) => number, readonly number[]]>([
  ['what fits is attempted once', 100, 0, (amount) => 10 * amount, [100]],
  ['the next amount is in proportion, a little below the bound', 100, 0, (amount) => 20 * amount, [100, 47]],
  ['an amount is never repeated', 2, 0, (amount) => (amount === 2 ? 1001 : 1000), [2, 1]],
  ['the fewest are the last attempt, whether they fit or not', 100, 30, () => 100_000, [100, 30]],
  ['fewer than the fewest are attempted once', 10, 30, () => 100_000, [10]],
])('shrinkToFit(): %s', (_, most, fewest, sizeOf, amounts) => {
  expect(shrunk(most, fewest, sizeOf)).toEqual(amounts);
});
