import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { figure, isMissed, missedBars, unexplainedBars } from '../../../shared/publish/measurements/measurement.ts';
import { pageFile } from '../../../shared/publish/pages/read-page.ts';

const root = new URL('../../../shared/publish/', import.meta.url);

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

test('each missed bar has a reason', () => {
  expect(unexplainedBars()).toEqual([]);
});

test('each measurement is shown on a page, with its missed bars', () => {
  const names = readdirSync(new URL('measurements/', root)).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
  const pages = (['benchmarks', 'reliability'] as const).map((name) =>
    readFileSync(new URL(`pages/${pageFile(name)}`, root), 'utf8'),
  );
  for (const name of names) {
    const page = pages.find((text) => text.includes(`{{measured ${name}}}`)) ?? '';
    expect(page, name).toMatch(new RegExp(`\\{\\{missed [^}]*\\b${name}\\b`));
  }
});

test('an unknown measurement is refused with the names that exist', () => {
  expect(() => missedBars('benchmark')).toThrow(/benchmarks/);
});
