// Makes the bars and the tables of the page Benchmarks from the figures of a load test.
import type { Bar, MeasuredTable } from '../../infra/docs/measurement.ts';
import { noneOf } from '../write-measurement.ts';
import { KNEE_MILLISECONDS, kneeConditions } from './knee.ts';
import type { LoadFigures, Neighbourhood } from './measure-all.ts';
import {
  admissionError,
  type Condition,
  countFailed,
  countUndeclared,
  isLimited,
  type Measured,
} from './measure-load.ts';
import { neighbourLoads } from './neighbours.ts';
import { percentile } from './open-loop.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const servedShare = ({ victims }: Neighbourhood): number => (100 * victims.served) / victims.sent;

export const barsOf = ({ measured, neighbourhoods }: LoadFigures): readonly Bar[] => {
  const healthy = measured.filter(({ condition }) => condition !== 'failing');
  const limited = measured.filter(({ condition }) => isLimited(condition));
  // Pooled over routes, the victims of one Lambda would disappear among those of the others.
  const shares = neighbourhoods.filter(({ load }) => load !== undefined).map(servedShare);
  return [
    noneOf(
      'load: answers with a status that /openapi.json does not declare, or none',
      sum(measured.map(countUndeclared)),
    ),
    // Not the steps of the knee: a served step has only 200, and beyond it a request may wait too long for a slot of the
    // bulkhead, which is a 503, or get no answer.
    noneOf(
      'load: 5xx answers while the provider answers',
      sum([
        ...healthy.map(({ result }) => countFailed(result)),
        ...neighbourhoods.map(({ victims }) => victims.failed),
      ]),
    ),
    ...(limited.length === 0
      ? []
      : [
          noneOf(
            'load: largest difference between the admitted requests of a caller and the allowance',
            Math.max(...limited.map(admissionError)),
          ),
        ]),
    ...(shares.length === 0
      ? []
      : [
          {
            name: 'load: share of other callers served beside a load, least',
            value: Math.min(...shares),
            unit: '%',
            bar: 95,
            direction: 'atLeast',
          } as const,
        ]),
  ];
};

const conditionNames: Readonly<Record<Condition, string>> = {
  cached: 'cached',
  uncached: 'uncached',
  keyed: 'with API keys',
  limited: 'one caller beyond the limit',
  'keyed limited': 'one API key beyond the limit',
  slow: 'provider takes 2 s',
  failing: 'provider fails',
};

const milliseconds = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

const resultsOf = ({ result: { results }, storeFailures }: Measured): string =>
  [
    ...[...results].toSorted(([a], [b]) => a.localeCompare(b)).map(([result, count]) => `${count} × ${result}`),
    ...(storeFailures === 0 ? [] : [`the store was late ${storeFailures} times`]),
  ].join('; ');

const fixedRates = (measured: readonly Measured[]): MeasuredTable => ({
  caption:
    'Latencies in milliseconds at a fixed rate, from the instant at which a request was due, and the CPU of the service:',
  columns: ['Route', 'Condition', 'Rate per s', 'p50', 'p95', 'p99', 'Max', 'CPU ms', 'Provider calls', 'Answers'],
  rows: measured.map((row) => [
    row.route.name,
    conditionNames[row.condition],
    row.rate.toFixed(0),
    ...[0.5, 0.95, 0.99, 1].map((share) => milliseconds(percentile(row.result.latencies, share))),
    row.cpuPerRequest.toFixed(2),
    String(row.providerCalls),
    resultsOf(row),
  ]),
});

const kneeTable = ({ knees, measured }: LoadFigures): MeasuredTable => ({
  caption: `The knee: the highest rate per second at which all requests are served, 99 % of them within ${KNEE_MILLISECONDS} ms, and at which no queue grows; and the CPU of the service per request there:`,
  columns: ['Route', ...kneeConditions.flatMap((condition) => [conditionNames[condition], 'CPU ms'])],
  rows: [...new Set(measured.map(({ route }) => route))].map((route) => [
    route.name,
    ...kneeConditions.flatMap((condition) => {
      const found = knees.find((row) => row.route === route && row.condition === condition)?.knee;
      if (found === undefined) return ['', ''];
      return [`${found.isAtLeast ? 'at least ' : ''}${found.rate}`, found.cpuPerRequest.toFixed(2)];
    }),
  ]),
});

const neighbourTable = (neighbourhoods: readonly Neighbourhood[]): MeasuredTable => ({
  caption:
    'Other callers with uncached subjects, three of four on the Lambda of the route and the rest on all routes, beside a load that one caller sends to the route: the share served, and the 95th percentile of their latency in milliseconds:',
  columns: ['Load of one caller on', 'No load', ...neighbourLoads],
  rows: [...new Set(neighbourhoods.map(({ route }) => route))].map((route) => [
    route.name,
    ...[undefined, ...neighbourLoads].map((load) => {
      const found = neighbourhoods.find((row) => row.route === route && row.load === load);
      if (found === undefined) return '';
      return `${servedShare(found).toFixed(0)} %, ${milliseconds(percentile(found.victims.latencies, 0.95))}`;
    }),
  ]),
});

export const tablesOf = (figures: LoadFigures): readonly MeasuredTable[] => [
  ...(figures.knees.length === 0 ? [] : [kneeTable(figures)]),
  fixedRates(figures.measured),
  neighbourTable(figures.neighbourhoods),
];
