// Joins the rows of several runs, prints them with their bars, and computes the exit code.
import { type Bar, isMissed, type MeasuredTable } from '../../infra/docs/measurement.ts';
import { median, type Row } from './measure.ts';

interface BarredRow extends Row {
  readonly bar: number;
}

const hasBar = (row: Row): row is BarredRow => row.bar !== undefined;

export const figure = (value: number, unit: Row['unit']): string =>
  value.toFixed(unit === 'ratio' || unit === 's' ? 2 : unit === 'calls' ? 0 : 1);

/** @param runs each with the same rows @returns the median of each row, with its range if there are several runs */
export const medianRows = (runs: readonly (readonly Row[])[]): readonly Row[] =>
  (runs[0] ?? []).map((row): Row => {
    const values = runs.flatMap((rows) => rows.find(({ name }) => name === row.name)?.value ?? Number.NaN);
    if (values.length === 1) return row;
    return {
      ...row,
      value: values.some(Number.isNaN) ? Number.NaN : median(values),
      spread: [Math.min(...values), Math.max(...values)],
    };
  });

const rangeOf = ({ spread, unit }: Row): string =>
  spread === undefined ? '' : `  ${figure(spread[0], unit)} to ${figure(spread[1], unit)}`;

const lineOf = (row: Row, width: number): string => {
  const verdict = hasBar(row) ? `  bar <= ${row.bar}  ${isMissed(row) ? 'MISSED' : 'ok'}` : '';
  return `${row.name.padEnd(width)}  ${figure(row.value, row.unit).padStart(9)} ${row.unit.padEnd(5)}${rangeOf(row)}${verdict}`;
};

/** Prints the table and a last line that counts the bars. */
export const tableOf = (rows: readonly Row[]): string => {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const barred = rows.filter(hasBar);
  const count = barred.filter(isMissed).length;
  return [...rows.map((row) => lineOf(row, width)), `${barred.length} bars, ${count} missed`].join('\n');
};

/** A missed bar is an error only with `--strict`, because a loaded machine misses bars too. */
export const exitCodeOf = (rows: readonly Row[], isStrict: boolean): 0 | 1 =>
  isStrict && rows.filter(hasBar).some(isMissed) ? 1 : 0;

/** Sizes of bundles are left out, because tests enforce them. */
export const publishedBars = (rows: readonly Row[]): readonly Bar[] =>
  rows.filter(hasBar).filter(({ unit }) => unit !== 'kB');

/** Ratios of the same measurement with a part of the work taken away. No bar below its floor can be met. */
export const floorTable = (rows: readonly Row[]): MeasuredTable => ({
  caption: 'Floors: the same ratios with a part of the work taken away.',
  columns: ['Floor', 'Measured', 'Range'],
  rows: rows
    .filter(({ name, unit }) => unit === 'ratio' && name.includes(': floor, '))
    .map((row) => [row.name.replace(': floor, ', ': '), figure(row.value, row.unit), rangeOf(row).trim()]),
});
