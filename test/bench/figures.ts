// Writes the rows of a benchmark that have a bar as a table into docs/benchmarks.md.
import { replaceSection } from '../../infra/build/generated-section.ts';
import { table } from '../../shared/publish/pages/markdown-blocks.ts';
import type { Row } from './measure.ts';
import { figure } from './report.ts';

/** bench.json, and the part of it that is published. */
export interface Measured {
  /** The version of Node. */
  readonly node: string;
  readonly rows: readonly Row[];
}

/** Sizes of bundles are left out, because tests enforce them. */
export const publishedOf = ({ node, rows }: Measured): Measured => ({
  node,
  rows: rows.filter(({ bar, unit }) => bar !== undefined && unit !== 'kB'),
});

const cellsOf = ({ name, value, unit, bar = Number.NaN }: Row): readonly string[] => [
  name,
  figure(value, unit),
  `${bar}${value <= bar ? '' : ' (missed)'}`,
];

/** @throws if the document has no place for figures */
export const withFigures = (document: string, { node, rows }: Measured): string => {
  const figures = table(['Ratio or number of calls', 'Measured', 'At most'], rows.map(cellsOf));
  return replaceSection(document, {
    name: 'figures',
    script: 'figures',
    content: `Measured in one run with Node ${node}:\n\n${figures}`,
  });
};
