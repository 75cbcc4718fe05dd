import { expect, test } from 'vitest';
import {
  figure,
  isMissed,
  measurementNames,
  measurementSection,
  readMeasurement,
  unexplainedBars,
} from '../../../infra/docs/measurement.ts';

test.each([
  [{ value: 1.2, bar: 1.2 }, false],
  [{ value: 1.21, bar: 1.2 }, true],
  [{ value: Number.NaN, bar: 1.2 }, true],
  [{ value: 95, bar: 95, direction: 'atLeast' }, false],
  [{ value: 94.9, bar: 95, direction: 'atLeast' }, true],
  [{ value: Number.NaN, bar: 95, direction: 'atLeast' }, true],
] as const)('%j is missed: %s', (bar, missed) => {
  expect(isMissed({ name: 'a figure', unit: 'ratio', ...bar })).toBe(missed);
});

test('a figure has the digits of its unit', () => {
  expect([figure(1.234, 'ratio'), figure(12.34, 'ms'), figure(3.2, 'calls'), figure(99.96, '%')]).toEqual([
    '1.23',
    '12.3 ms',
    '3',
    '100.0 %',
  ]);
});

const MEASURED = {
  command: 'npm run measure -- load',
  date: '2026-11-23',
  environment: 'two cores',
  bars: [],
  tables: [],
};

test('a section has a row for each bar, which is marked if it is missed', () => {
  const section = measurementSection({
    ...MEASURED,
    bars: [
      { name: 'duration', value: 187.4, unit: 's', bar: 120 },
      { name: 'longest answer', value: 8.25, unit: 's', bar: 8.5 },
      { name: 'served', value: 95, unit: '%', bar: 95, direction: 'atLeast' },
    ],
  });
  expect(section.split('\n').slice(2)).toEqual([
    '| Figure | Measured | Bar |',
    '| --- | --- | --- |',
    '| duration | 187.40 s | at most 120 s (missed) |',
    '| longest answer | 8.25 s | at most 8.50 s |',
    '| served | 95.0 % | at least 95 % |',
  ]);
});

test('a section has the range of several runs', () => {
  const bars = [
    { name: 'ratio', value: 1.5, unit: 'ratio', bar: 2, spread: [1.4, 1.75] },
    { name: 'calls', value: 2, unit: 'calls', bar: 2 },
  ] as const;
  expect(
    measurementSection({ ...MEASURED, bars })
      .split('\n')
      .slice(2),
  ).toEqual([
    '| Figure | Measured | Range | Bar |',
    '| --- | --- | --- | --- |',
    '| ratio | 1.50 | 1.40 to 1.75 | at most 2 |',
    '| calls | 2 |  | at most 2 |',
  ]);
});

test('a section has its other tables, with their captions', () => {
  const table = { columns: ['Fault', 'Status'], rows: [['reset', '503']] };
  expect(measurementSection({ ...MEASURED, tables: [{ caption: 'All fail.', ...table }, table] })).toBe(
    [
      'Measured with `npm run measure -- load` on 2026-11-23: two cores.',
      'All fail.',
      '| Fault | Status |\n| --- | --- |\n| reset | 503 |',
      '| Fault | Status |\n| --- | --- |\n| reset | 503 |',
    ].join('\n\n'),
  );
});

test('each missed bar has a reason', () => {
  expect(unexplainedBars()).toEqual([]);
});

test.each(measurementNames)('the measurement %s has figures', (name) => {
  expect(measurementSection(readMeasurement(name))).toMatch(/^\| .* \|$/m);
});
