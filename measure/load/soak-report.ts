// Makes the bars and the tables of the page Reliability from the figures of a soak test.
import type { Bar, MeasuredTable } from '../../infra/docs/measurement.ts';
import { noneOf } from '../write-measurement.ts';
import { countWhere, percentile } from './open-loop.ts';
import type { Trend } from './regression.ts';
import { NO_ANSWER } from './send-request.ts';
import type { SoakFigures } from './soak-load.ts';

const MEGABYTE = 1e6;
const perHour = (bytesPerSecond: number): number => (bytesPerSecond * 3600) / MEGABYTE;

/** Statuses that a fault of a provider or of the store may cause. Any other 5xx is a fault of the service. */
const isOwnFault = (result: string): boolean =>
  result === NO_ANSWER || result === '500' || result === '504' || result.endsWith('internal_error');

const sumOf = (handles: Readonly<Record<string, number>>): number =>
  Object.values(handles).reduce((sum, count) => sum + count, 0);

export const soakBars = (figures: SoakFigures): readonly Bar[] => [
  {
    name: 'soak: growth of the heap after collections, lower bound of the 95 % interval',
    value: perHour(figures.heapTrend.low),
    unit: 'MB/h',
    bar: 0,
  },
  noneOf(
    'soak: open handles at the end beyond those at the start',
    Math.max(0, sumOf(figures.handlesAtEnd) - sumOf(figures.handlesAtStart)),
  ),
  noneOf('soak: requests without an answer, or with an internal error', countWhere(figures.results, isOwnFault)),
];

const trendText = ({ slope, low, high }: Trend): string =>
  `${perHour(slope).toFixed(2)} (${perHour(low).toFixed(2)} to ${perHour(high).toFixed(2)})`;

const handleText = (handles: Readonly<Record<string, number>>): string =>
  Object.entries(handles)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');

const range = (values: readonly number[]): string =>
  `${(Math.min(...values) / MEGABYTE).toFixed(1)} to ${(Math.max(...values) / MEGABYTE).toFixed(1)}`;

export const soakTables = (figures: SoakFigures): readonly MeasuredTable[] => [
  {
    caption: 'Memory of the service after the warm-up; the interval of the growth has a confidence of 95 %:',
    columns: ['Memory', 'MB', 'Growth in MB/h'],
    rows: [
      ['heap after a collection', range(figures.heap.map(({ value }) => value)), trendText(figures.heapTrend)],
      ['resident set', range(figures.rss.map(({ value }) => value)), trendText(figures.rssTrend)],
    ],
  },
  {
    caption: 'Requests, answers, and handles of the event loop without load:',
    columns: ['Figure', 'Value'],
    rows: [
      ['requests', String(figures.sent)],
      ['requests that were due, but not sent', String(figures.leftOut)],
      ['provider calls', String(figures.providerCalls)],
      ['store calls', String(figures.storeCalls)],
      ...[...figures.results]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([result, count]) => [`answers ${result}`, String(count)]),
      ...[0.5, 0.95, 0.99].map((share) => [
        `latency, p${share * 100}`,
        `${percentile(figures.latencies, share).toFixed(0)} ms`,
      ]),
      ['handles at the start', handleText(figures.handlesAtStart)],
      ['handles at the end', handleText(figures.handlesAtEnd)],
    ],
  },
];
