import { describe, expect, test } from 'vitest';
import type { Row } from '../../bench/measure.ts';
import { exitCodeOf, medianRows, publishedBars, tableOf } from '../../bench/report.ts';

const fast: Row = { name: 'fast', value: 0.5, unit: 'ratio', bar: 0.5 };
const slow: Row = { name: 'slow one', value: 0.51, unit: 'ratio', bar: 0.5 };
const free: Row = { name: 'free', value: 900, unit: 'us' };
const unmeasured: Row = { name: 'unmeasured', value: Number.NaN, unit: 'ratio', bar: 1 };
const bundle: Row = { name: 'bundle', value: 100, unit: 'kB', bar: 90 };

describe('npm run measure -- bench', () => {
  test.each([
    ['every bar is met', [fast, free], 0],
    ['a bar is missed', [fast, slow, free], 1],
    ['a figure with a bar could not be measured', [unmeasured], 1],
  ] as const)('with --strict ends with the right code when %s', (_, rows, code) => {
    expect(exitCodeOf(rows, true)).toBe(code);
    expect(exitCodeOf(rows, false)).toBe(0);
  });

  test('prints each missed bar and counts them', () => {
    expect(tableOf([fast, slow, free]).split('\n')).toEqual([
      'fast           0.50 ratio  bar <= 0.5  ok',
      'slow one       0.51 ratio  bar <= 0.5  MISSED',
      'free          900.0 us   ',
      '2 bars, 1 missed',
    ]);
  });
});

test('shows the median of several runs with the smallest and the largest value', () => {
  const runs = [0.7, 0.4, 0.5].map((value) => [{ ...fast, value }]);
  expect(medianRows(runs)).toEqual([{ ...fast, spread: [0.4, 0.7] }]);
  expect(tableOf(medianRows(runs)).split('\n')[0]).toBe('fast       0.50 ratio  0.40 to 0.70  bar <= 0.5  ok');
  expect(medianRows([[fast, slow]])).toEqual([fast, slow]);
});

test('does not meet a bar by a figure that is missing in a run', () => {
  expect(exitCodeOf(medianRows([[fast], []]), true)).toBe(1);
});

test('publishes the rows with a bar, without the sizes that tests enforce', () => {
  expect(publishedBars([fast, slow, free, bundle])).toEqual([fast, slow]);
});
