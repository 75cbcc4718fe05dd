// The figures of the README: the rows of a benchmark that have a bar, as a table between two marks.
import type { Row } from './measure.ts';
import { figure } from './report.ts';

/** bench.json, and the part of it that is published. */
export interface Measured {
  /** Of Node. */
  readonly node: string;
  readonly rows: readonly Row[];
}

const BEGIN = '<!-- figures: written by `npm run figures` -->';
const END = '<!-- /figures -->';

/** Sizes of bundles are left out, because tests enforce them. */
export const publishedOf = ({ node, rows }: Measured): Measured => ({
  node,
  rows: rows.filter(({ bar, unit }) => bar !== undefined && unit !== 'kB'),
});

const lineOf = ({ name, value, unit, bar = Number.NaN }: Row): string =>
  `| ${name} | ${figure(value, unit)} | ${bar}${value <= bar ? '' : ' (missed)'} |`;

/** @param readme of whom the text between the marks is replaced @throws if a mark is missing */
export const withFigures = (readme: string, { node, rows }: Measured): string => {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error('README.md has no place for figures');
  const table = ['| Ratio or number of calls | Measured | At most |', '| --- | --- | --- |', ...rows.map(lineOf)];
  const block = `${BEGIN}\n\nMeasured in one run with Node ${node}:\n\n${table.join('\n')}\n\n`;
  return readme.slice(0, begin) + block + readme.slice(end);
};
