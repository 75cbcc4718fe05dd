import { describe, expect, test } from 'vitest';
import { publishedOf, withFigures } from '../../bench/figures.ts';
import type { Row } from '../../bench/measure.ts';
import { exitCodeOf, tableOf } from '../../bench/report.ts';

const fast: Row = { name: 'fast', value: 0.5, unit: 'ratio', bar: 0.5 };
const slow: Row = { name: 'slow one', value: 0.51, unit: 'ratio', bar: 0.5 };
const free: Row = { name: 'free', value: 900, unit: 'us' };
const unmeasured: Row = { name: 'unmeasured', value: Number.NaN, unit: 'ratio', bar: 1 };
const bundle: Row = { name: 'bundle', value: 100, unit: 'kB', bar: 90 };

describe('npm run bench', () => {
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

describe('npm run figures', () => {
  const readme = 'before\n<!-- figures: written by `npm run figures` -->\nold\n<!-- /figures -->\nafter\n';

  test('publishes what has a bar, and marks what is above it', () => {
    const written = withFigures(readme, publishedOf({ node: 'v24', rows: [fast, slow, free, bundle] }));
    expect(written).toContain('| fast | 0.50 | 0.5 |\n| slow one | 0.51 | 0.5 (missed) |\n');
    expect(written).not.toMatch(/old|free|bundle/);
    expect(written).toMatch(/^before\n.*\nafter\n$/s);
  });

  test('writes the same a second time', () => {
    const measured = { node: 'v24', rows: [fast] };
    const once = withFigures(readme, measured);
    expect(withFigures(once, measured)).toBe(once);
  });

  test('refuses a README without a place for figures', () => {
    expect(() => withFigures('nothing', { node: 'v24', rows: [] })).toThrow(/no place/);
  });
});
