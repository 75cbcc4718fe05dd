// Writes what a command measured into docs/measurements and docs/operators.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Bar, figure, isMissed, type Measurement } from '../infra/docs/measurement.ts';
import { writeSections } from '../infra/docs/sections.ts';

/** `Node v24.21.0, 2 cores`, and what the command adds. */
export const environmentWith = (...facts: readonly string[]): string =>
  [`Node ${process.version}`, `${availableParallelism()} cores`, ...facts].join(', ');

/**
 * @param name of the file in docs/measurements, without `.json`
 * @throws if a figure is missing, because no table could show it
 */
export const writeMeasurement = (name: string, measurement: Omit<Measurement, 'date'>): void => {
  const { command, ...rest } = measurement;
  const missing = rest.bars.filter(({ value }) => !Number.isFinite(value)).map((bar) => bar.name);
  if (missing.length > 0) throw new Error(`no figure of ${missing.join(', ')}`);
  const date = new Date().toISOString().slice(0, 10);
  const file = new URL(`../docs/measurements/${name}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify({ command, date, ...rest }, null, 2)}\n`);
  writeSections();
};

/** A count that must be 0. */
export const noneOf = (name: string, value: number): Bar => ({ name, value, unit: 'count', bar: 0 });

/** Also prints the tables and the bars. The program exits with 1 if a bar is missed. */
export const publishMeasurement: typeof writeMeasurement = (name, measurement) => {
  for (const { caption = '', columns, rows } of measurement.tables)
    console.log(`\n${[caption, ...[columns, ...rows].map((row) => row.join(' | '))].join('\n')}`);
  for (const bar of measurement.bars) console.log(`${bar.name}: ${figure(bar.value, bar.unit)}, bar ${bar.bar}`);
  writeMeasurement(name, measurement);
  if (measurement.bars.some(isMissed)) process.exitCode = 1;
};
