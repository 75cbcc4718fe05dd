// Stores samples of metrics per minute and computes statistics, as CloudWatch does.
import { isRecord } from '../../../shared/model/json.ts';
import type { MetricReading } from './read-alarms.ts';

export type Dimensions = Readonly<Record<string, string>>;

interface Sample {
  readonly value: number;
  readonly count: number;
}

const keyOf = (namespace: string, metricName: string, dimensions: Dimensions): string =>
  JSON.stringify([namespace, metricName, Object.entries(dimensions).toSorted()]);

const sumOf = (samples: readonly Sample[]): number => samples.reduce((sum, { value, count }) => sum + value * count, 0);
const countOf = (samples: readonly Sample[]): number => samples.reduce((sum, { count }) => sum + count, 0);

/** @returns the statistic of at least one sample */
const statisticOf = (statistic: string, samples: readonly Sample[]): number => {
  if (statistic === 'Sum') return sumOf(samples);
  if (statistic === 'SampleCount') return countOf(samples);
  if (statistic === 'Average') return sumOf(samples) / countOf(samples);
  const upper = /^PR\(:(\d+)\)$/.exec(statistic)?.[1];
  if (upper === undefined) throw new Error(`the statistic ${statistic} is not implemented`);
  return (100 * countOf(samples.filter(({ value }) => value <= Number(upper)))) / countOf(samples);
};

export interface MetricStore {
  /** @param minute of the sample, from 0 */
  put(
    namespace: string,
    metricName: string,
    dimensions: Dimensions,
    minute: number,
    value: number,
    count?: number,
  ): void;
  /** @param end the minute after the period @returns undefined without data */
  read(reading: MetricReading, end: number): number | undefined;
}

/** The samples of each minute. */
type Metric = Map<number, Sample[]>;

export const createMetricStore = (): MetricStore => {
  const metrics = new Map<string, Metric>();
  const byReading = new Map<MetricReading, Metric>();

  const metricOf = (namespace: string, metricName: string, dimensions: Dimensions): Metric => {
    const key = keyOf(namespace, metricName, dimensions);
    const metric = metrics.get(key) ?? new Map();
    metrics.set(key, metric);
    return metric;
  };

  const metricOfReading = (reading: MetricReading): Metric => {
    const metric = byReading.get(reading) ?? metricOf(reading.namespace, reading.metricName, reading.dimensions);
    byReading.set(reading, metric);
    return metric;
  };

  return {
    put(namespace, metricName, dimensions, minute, value, count = 1) {
      if (count <= 0) return;
      const metric = metricOf(namespace, metricName, dimensions);
      const samples = metric.get(minute);
      if (samples === undefined) metric.set(minute, [{ value, count }]);
      else samples.push({ value, count });
    },
    read(reading, end) {
      const metric = metricOfReading(reading);
      const { period, statistic } = reading;
      const samples: Sample[] = [];
      for (let minute = end - period / 60; minute < end; minute += 1) samples.push(...(metric.get(minute) ?? []));
      return samples.length === 0 ? undefined : statisticOf(statistic, samples);
    },
  };
};

interface MetricDirective {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string }[];
}

const directivesOf = (line: Readonly<Record<string, unknown>>): readonly MetricDirective[] => {
  const { _aws: metadata } = line;
  const directives = isRecord(metadata) ? metadata['CloudWatchMetrics'] : [];
  return Array.isArray(directives) ? directives : [];
};

/**
 * Extracts the metrics of a log line as CloudWatch does (embedded metric format).
 * @param count the number of equal lines
 */
export const extractMetrics = (
  store: MetricStore,
  line: Readonly<Record<string, unknown>>,
  minute: number,
  count: number,
): void => {
  for (const { Namespace, Dimensions: sets, Metrics } of directivesOf(line)) {
    for (const names of sets) {
      const dimensions = Object.fromEntries(names.map((name) => [name, line[name]]));
      if (!isComplete(dimensions)) continue;
      for (const { Name } of Metrics) {
        for (const value of [line[Name]].flat())
          if (typeof value === 'number') store.put(Namespace, Name, dimensions, minute, value, count);
      }
    }
  }
};

const isComplete = (dimensions: unknown): dimensions is Dimensions =>
  isRecord(dimensions) && Object.values(dimensions).every((value) => typeof value === 'string');
