// Shows on the dashboard where faults and costs come from: providers, functions, the store and the logs.
import { type IMetric, LogQueryVisualizationType, LogQueryWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import {
  COLUMNS,
  type DashboardParts,
  everyValue,
  graph,
  HEIGHT,
  heading,
  labelled,
  logQueries,
  math,
  maximum,
  p99,
  queryText,
  type Row,
  samples,
  sum,
} from './dashboard-widgets.ts';
import { providerHosts } from './provider-hosts.ts';
import type { Reading } from './service-metrics.ts';

const providers = ({ metrics, config }: DashboardParts): readonly Row[] => {
  if (!metrics.hasOwn) return [];
  const { namespace } = metrics;
  const hosts = providerHosts(config).map(({ host }) => host);
  const failures = hosts.map((host, index) =>
    math(host, `100 * f${index} / n${index}`, {
      [`f${index}`]: metrics.of('provider', 'failures', { address: host }, sum),
      [`n${index}`]: metrics.of('provider', 'duration_ms', { address: host }, samples),
    }),
  );
  const opened = labelled(hosts, (address) => metrics.of('circuit', 'circuits_opened', { address }, sum));
  const throttled = labelled(hosts, (address) => metrics.of('provider', 'throttled', { address }, sum));
  const times = labelled(hosts, (address) => metrics.of('provider', 'duration_ms', { address }, p99));
  return [
    heading('Providers'),
    [
      graph('Share of calls that fail, by host', failures, { percent: true }),
      graph('Circuit breakers that open, by host', opened),
      graph('Milliseconds of 99 % of the calls, by host', times),
    ],
    [
      graph('Calls by provider and kind', [everyValue(namespace, 'provider,kind', 'duration_ms', 'SampleCount')]),
      graph('Failures by provider and kind', [everyValue(namespace, 'provider,kind', 'failures', 'Sum')]),
      graph('Calls that providers answer with 429', throttled),
    ],
  ];
};

const surfaces = ({ metrics }: DashboardParts): readonly Row[] => {
  const own = metrics.hasOwn;
  const lambda = (name: string, reading: Reading = sum): readonly IMetric[] =>
    labelled(lambdaNames, (surface) => metrics.ofLambda(surface, name, reading));
  const failures = labelled(lambdaNames, (surface) => metrics.of('surface', 'failures', { surface }, sum));
  const coldStarts = labelled(lambdaNames, (surface) => metrics.of('surface', 'cold_starts', { surface }, sum));
  return [
    heading('Functions'),
    [
      graph('Invocations', lambda('Invocations'), { stacked: true }),
      graph('Milliseconds of 99 % of the invocations', lambda('Duration', p99)),
      graph('Concurrent executions', lambda('ConcurrentExecutions', maximum)),
    ],
    [
      graph('Crashes and time-outs', lambda('Errors')),
      graph('Rejected because of concurrency', lambda('Throttles')),
      ...(own ? [graph('Answers with 5xx', failures)] : []),
    ],
    ...(own ? [[graph('Cold starts', coldStarts, { stacked: true })]] : []),
  ];
};

const store = ({ metrics, tables }: DashboardParts): readonly Row[] => {
  const perTable = (metric: string): readonly IMetric[] =>
    Object.values(tables.environment).map((name) => metrics.ofTable(name, metric, sum));
  return [
    heading('Store'),
    [
      graph('Write units', perTable('ConsumedWriteCapacityUnits'), { stacked: true }),
      graph('Read units', perTable('ConsumedReadCapacityUnits'), { stacked: true }),
      graph('Rejected writes', perTable('WriteThrottleEvents')),
    ],
  ];
};

/** The other drivers are requests, bytes and write units, which are above. */
const costs = ({ metrics, config, logGroupNames }: DashboardParts): readonly Row[] => {
  const gigabyteSeconds = lambdaNames.map((name) =>
    math(name, `${name} / 1000 * ${lambdas[name].memoryMiB / 1024}`, {
      [name]: metrics.ofLambda(name, 'Duration', sum),
    }),
  );
  const logs = logGroupNames.map((name, index) =>
    metrics.ofLogGroup(name, 'IncomingBytes', sum).with({ label: lambdaNames[index] ?? '' }),
  );
  const paid = providerHosts(config).flatMap(({ provider, host }) => (provider === 'x_api' ? [host] : []));
  const calls = labelled(paid, (address) => metrics.of('provider', 'duration_ms', { address }, samples));
  return [
    heading('Cost drivers'),
    [
      graph('GB-seconds of the functions', gigabyteSeconds, { stacked: true }),
      graph('Bytes of logs', logs, { stacked: true }),
      ...(metrics.hasOwn && calls.length > 0 ? [graph('Calls of the paid provider', calls)] : []),
    ],
  ];
};

const queries = ({ logGroupNames }: DashboardParts): readonly Row[] => [
  heading('Logs'),
  ...Object.values(logQueries).map(({ title, query }) => [
    new LogQueryWidget({
      title,
      logGroupNames: [...logGroupNames],
      queryString: queryText(query),
      view: LogQueryVisualizationType.TABLE,
      width: COLUMNS,
      height: HEIGHT,
    }),
  ]),
];

/** The rows from top to bottom. */
export const causeRows: readonly ((parts: DashboardParts) => readonly Row[])[] = [
  providers,
  surfaces,
  store,
  costs,
  queries,
];
