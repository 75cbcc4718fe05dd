// Builds single widgets of the dashboard and lists the queries of its logs. Each period is 5 minutes.
import { Duration } from 'aws-cdk-lib';
import {
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  type Metric,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Config } from '../config/settings.ts';
import type { ServiceAlarms } from './alarms.ts';
import type { ServiceMetrics } from './service-metrics.ts';
import type { Tables } from './tables.ts';

/**
 * Queries of CloudWatch Logs Insights over the log lines of the functions, by name. They are saved in the account, and the
 * dashboard shows their results.
 */
export const logQueries = {
  errors: {
    title: 'Which errors callers get most often',
    query: [
      'filter event = "request" and status >= 400',
      'stats count(*) as requests by surface, operation, status, code',
      'sort requests desc',
      'limit 20',
    ],
  },
  causes: {
    title: 'Which causes these errors have',
    query: ['filter event = "problem"', 'stats count(*) as problems by code, cause', 'sort problems desc', 'limit 20'],
  },
  slowRoutes: {
    title: 'Which operations are slow',
    query: [
      'filter event = "request"',
      'stats count(*) as requests, pct(duration_ms, 50) as p50, pct(duration_ms, 99) as p99 by operation',
      'sort p99 desc',
      'limit 20',
    ],
  },
  providers: {
    title: 'How calls of providers end, and how long their requests take',
    query: [
      'filter ispresent(calls)',
      'stats count(*) as requests, pct(duration_ms, 50) as p50, pct(duration_ms, 99) as p99 by calls',
      'sort requests desc',
      'limit 50',
    ],
  },
  functions: {
    title: 'Which functions start cold, and what their read caches answer',
    query: [
      'filter event = "request"',
      'stats count(*) as requests, sum(cold_start) as cold_starts, sum(strcontains(cache, "hit")) as hits by surface',
      'sort requests desc',
      'limit 20',
    ],
  },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly query: readonly string[] }>>;

/** The text as Logs Insights parses it. */
export const queryText = (lines: readonly string[]): string => lines.join('\n| ');

export const COLUMNS = 24;
export const HEIGHT = 6;
const MINUTES = 5;

export interface DashboardParts {
  readonly alarms: ServiceAlarms;
  readonly metrics: ServiceMetrics;
  readonly config: Config;
  readonly tables: Tables;
  readonly logGroupNames: readonly string[];
}

export type Row = readonly IWidget[];

export const sum = { minutes: MINUTES };
export const samples = { statistic: Stats.SAMPLE_COUNT, minutes: MINUTES };
export const average = { statistic: Stats.AVERAGE, minutes: MINUTES };
export const maximum = { statistic: Stats.MAXIMUM, minutes: MINUTES };
export const p50 = { statistic: Stats.p(50), minutes: MINUTES };
export const p99 = { statistic: Stats.p(99), minutes: MINUTES };

export const heading = (text: string): Row => [new TextWidget({ markdown: `## ${text}`, width: COLUMNS, height: 1 })];

/** A third of the width. */
export const graph = (
  title: string,
  left: readonly IMetric[],
  options: { stacked?: boolean; percent?: boolean } = {},
) =>
  new GraphWidget({
    title,
    left: [...left],
    width: COLUMNS / 3,
    height: HEIGHT,
    period: Duration.minutes(MINUTES),
    stacked: options.stacked ?? false,
    leftYAxis: options.percent ? { min: 0, max: 100, showUnits: false, label: '%' } : { min: 0, showUnits: false },
  });

/** A metric of each name, with the name as its label. */
export const labelled = <Name extends string>(names: readonly Name[], metricOf: (name: Name) => Metric) =>
  names.map((label) => metricOf(label).with({ label }));

export const math = (label: string, expression: string, usingMetrics: Record<string, IMetric>): IMetric =>
  new MathExpression({ label, expression, usingMetrics, period: Duration.minutes(MINUTES) });

/** All values of a dimension, also those that a later version adds. An empty label names the value. */
export const everyValue = (namespace: string, dimensions: string, metric: string, statistic: string): IMetric =>
  math('', `SEARCH('{"${namespace}",${dimensions}} MetricName="${metric}"', '${statistic}', ${MINUTES * 60})`, {});
