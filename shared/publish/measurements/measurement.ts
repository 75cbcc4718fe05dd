// Shows on the documentation pages what a command measured. Each command writes one JSON file of this folder; the pages
// are made from the files, so a page cannot claim what no command measured. Runs at build time and in tests only.
import { readdirSync, readFileSync } from 'node:fs';
import { table } from '../pages/markdown-blocks.ts';
import { requireName } from '../pages/names.ts';
import { reasonOf } from './reasons.ts';

export interface Bar {
  /** Names the figure and the two sides of a ratio. Unique among all measurements. */
  readonly name: string;
  /** The median, if the command runs several times. */
  readonly value: number;
  readonly unit: 'ratio' | 'us' | 'ms' | 's' | 'kB' | 'MB' | 'MB/h' | 'calls' | 'count' | '%';
  readonly bar: number;
  /** @default 'atMost' */
  readonly direction?: 'atMost' | 'atLeast';
  /** The smallest and the largest value of several runs. */
  readonly spread?: readonly [number, number];
}

export interface MeasuredTable {
  /** A sentence or a heading above the table. */
  readonly caption?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Measurement {
  /** The command that a reader runs to measure again, such as `npm run measure -- load`. */
  readonly command: string;
  /** An RFC 3339 date in UTC. */
  readonly date: string;
  /** Versions, cores and the number of runs, in one line. */
  readonly environment: string;
  readonly bars: readonly Bar[];
  readonly tables: readonly MeasuredTable[];
}

const folder = new URL('./', import.meta.url);

const fileNames = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => [file.slice(0, -'.json'.length), file]),
  );

/** @throws an error that lists the names that exist */
export const readMeasurement = (name: string): Measurement => {
  const files = fileNames();
  return JSON.parse(readFileSync(new URL(files[requireName(files, name, 'measurement')] ?? '', folder), 'utf8'));
};

export const isMissed = ({ value, bar, direction = 'atMost' }: Bar): boolean =>
  !(direction === 'atMost' ? value <= bar : value >= bar);

const DIGITS: Readonly<Record<Bar['unit'], number>> = {
  ratio: 2,
  us: 1,
  ms: 1,
  s: 2,
  kB: 0,
  MB: 1,
  'MB/h': 2,
  calls: 0,
  count: 0,
  '%': 1,
};

const digitsOf = (value: number, unit: Bar['unit']): string => value.toFixed(DIGITS[unit]);

const withUnit = (digits: string, unit: Bar['unit']): string =>
  unit === 'ratio' || unit === 'calls' || unit === 'count' ? digits : `${digits} ${unit}`;

/** A number with the digits of its unit, without the unit of ratios and counts: `1.20`, `12.5 ms`, `96.0 %`. */
export const figure = (value: number, unit: Bar['unit']): string => withUnit(digitsOf(value, unit), unit);

const limitOf = ({ bar, unit, direction = 'atMost' }: Bar): string =>
  `${direction === 'atMost' ? 'at most' : 'at least'} ${withUnit(Number.isInteger(bar) ? String(bar) : digitsOf(bar, unit), unit)}`;

const barTable = (bars: readonly Bar[]): string => {
  const hasSpread = bars.some(({ spread }) => spread !== undefined);
  const rows = bars.map((bar) => {
    const { name, value, unit, spread } = bar;
    const range = spread === undefined ? '' : `${figure(spread[0], unit)} to ${figure(spread[1], unit)}`;
    return [
      name,
      figure(value, unit),
      ...(hasSpread ? [range] : []),
      `${limitOf(bar)}${isMissed(bar) ? ' (missed)' : ''}`,
    ];
  });
  return table(['Figure', 'Measured', ...(hasSpread ? ['Range'] : []), 'Bar'], rows);
};

/** The tables of a measurement, with the command and the environment. */
export const measurementSection = ({ command, date, environment, bars, tables }: Measurement): string =>
  [
    `Measured with \`${command}\` on ${date}: ${environment}.`,
    ...(bars.length === 0 ? [] : [barTable(bars)]),
    ...tables.flatMap(({ caption, columns, rows }) => [
      ...(caption === undefined ? [] : [caption]),
      table(columns, rows),
    ]),
  ].join('\n\n');

export const measuredSection = (name: string): string => measurementSection(readMeasurement(name));

/** The bars of these measurements that are missed, with the reason. */
export const missedBars = (...names: readonly string[]): string => {
  const missed = names.flatMap((name) => readMeasurement(name).bars).filter(isMissed);
  if (missed.length === 0) return 'No bar is missed.';
  const rows = missed.map((bar) => [bar.name, figure(bar.value, bar.unit), limitOf(bar), reasonOf(bar.name) ?? '']);
  return table(['Figure', 'Measured', 'Bar', 'What bounds it, and what was tried'], rows);
};

/** Missed bars for which reasons.ts has no reason. */
export const unexplainedBars = (): readonly string[] =>
  Object.keys(fileNames())
    .flatMap((name) => readMeasurement(name).bars)
    .filter((bar) => isMissed(bar) && reasonOf(bar.name) === undefined)
    .map(({ name }) => name);
