// Makes the tables of the page Reliability from the results of `npm run measure -- week`.
import type { Bar, MeasuredTable } from '../../infra/docs/measurement.ts';
import { keysOf } from '../../shared/model/json.ts';
import { noneOf } from '../write-measurement.ts';
import type { WeekResult } from './simulate-week.ts';

/** In the order of the published table. */
export const countNames = {
  episodes: 'Faults of providers and store',
  requests: 'Requests',
  served: 'Served',
  servedBySecond: 'Served while the first provider failed and the second did not, from caches or by the second',
  failed: '502 or 503 while a fault leaves no provider that could answer, or while it ends',
  falseAbsences: 'Not found although it exists, in the 95 s after all providers began to report everything as missing',
  refused: '429',
  exactBursts: 'Callers who sent twice their limit at once, with a healthy store: admitted exactly the limit',
  revocations: 'Revoked API keys',
  // An opening that follows a failed probe is none. An instance can end before a read probes its circuit.
  circuitsOpened: 'Circuits that opened',
  circuitsClosed: 'Circuits that closed again; no later read needed the others',
} as const;

export type WeekCounts = Record<keyof typeof countNames, number>;

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
