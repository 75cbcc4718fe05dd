// Makes the tables of the page Reliability from the results of `npm run measure -- week`.
import type { Bar, MeasuredTable } from '../../infra/docs/measurement.ts';
import { keysOf } from '../../shared/model/json.ts';
import { noneOf } from '../write-measurement.ts';
import { countNames, type WeekCounts, type WeekResult } from './stage.ts';

const sum = (results: readonly WeekResult[], name: keyof WeekCounts): number =>
  results.reduce((total, { counts }) => total + counts[name], 0);

export const weekTables = (results: readonly WeekResult[]): readonly MeasuredTable[] => [
  {
    columns: ['In all weeks together', 'Number'],
    rows: keysOf(countNames).map((name) => [countNames[name], String(sum(results, name))]),
  },
];

export const weekBars = (results: readonly WeekResult[]): readonly Bar[] => [
  noneOf('weeks that break an invariant', results.filter(({ errors }) => errors.length > 0).length),
];
