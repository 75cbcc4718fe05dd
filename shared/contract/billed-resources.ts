// Lists what a deployment with default settings pays for without a request, except for the canary (infra/docs/bill.ts). A
// test compares the numbers with the template.
import { type AlarmName, alarmEntries } from './alarms.ts';
import { lambdaNames } from './lambdas.ts';
import { type MetricSet, metricSets, operatorEvents, SERVICE_DIMENSION } from './metrics.ts';
import { defaultProviders, type ProviderName, queryKinds } from './providers.ts';

// The metrics that CloudWatch bills: every metric for every combination of the values of its dimensions. The tables of
// the contract are all possible values, so the numbers are upper bounds that no caller can raise. No function loads this.

/** The values of each dimension that the contract decides. */
export const dimensionValues: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['service', [SERVICE_DIMENSION]],
  ['surface', lambdaNames],
  ['event', operatorEvents],
]);

export interface MeteredProvider {
  readonly name: ProviderName;
  /** The number of its base URLs. */
  readonly baseUrls: number;
}

/** Leaves room for a new kind of a provider that has several, so that it does not change the published bill. */
const mostKinds = (name: ProviderName): number => {
  const { length } = queryKinds[name];
  return length === 1 ? 1 : length + 1;
};

const seriesOf = (dimensions: readonly string[], used: readonly MeteredProvider[]): number => {
  const [first = '', second] = dimensions;
  if (first === 'address') return used.reduce((sum, { baseUrls }) => sum + baseUrls, 0);
  if (second === 'kind') return used.reduce((sum, { name }) => sum + mostKinds(name), 0);
  const values = dimensionValues.get(first);
  if (values === undefined || second !== undefined) throw new Error(`the values of ${dimensions.join()} are unknown`);
  return values.length;
};

/** @returns the largest number of billed metrics of a deployment with these providers */
export const countMetricSeries = (used: readonly MeteredProvider[]): number => {
  const series = Object.values<MetricSet>(metricSets).flatMap(({ metrics, dimensions }) =>
    dimensions.map((set) => Object.keys(metrics).length * seriesOf(set, used)),
  );
  return series.reduce((sum, count) => sum + count, operatorEvents.length);
};

/** Alarms that a setting creates. */
const OPTIONAL: readonly string[] = ['paid-ceiling'] satisfies AlarmName[];

/** The number of metrics that the alarms of a deployment read, without those that a setting creates. */
export const countAlarmMetrics = ({
  functions,
  baseUrls,
}: Readonly<Record<'functions' | 'baseUrls', number>>): number => {
  const copies = { service: 1, function: functions, baseUrl: baseUrls } as const;
  return alarmEntries
    .filter(([name]) => !OPTIONAL.includes(name))
    .reduce((sum, [, { reads, per }]) => sum + reads * copies[per], 0);
};

export const standingResources = {
  /** Every metric of an alarm is billed; a metric of an expression, too. */
  alarmMetrics: countAlarmMetrics({ functions: lambdaNames.length, baseUrls: defaultProviders.length }),
  compositeAlarms: 1,
  dashboards: 1,
  /** The origin secret and the secret of cursors. */
  secrets: 2,
} as const;
