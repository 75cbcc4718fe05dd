// Creates the dashboard of the service in CloudWatch, and saves the queries of its logs. It begins with what users feel:
// if and how fast they get answers. Where faults and costs come from follows: providers, functions, the store and the logs.
import { Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  type IAlarm,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import {
  average,
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
  p50,
  p99,
  queryText,
  type Row,
  samples,
  sum,
} from './dashboard-widgets.ts';
import { providerHosts, type Reading } from './service-metrics.ts';

/** Shows if users get answers, and how fast. */
const answers = ({ alarms, metrics }: DashboardParts): readonly Row[] => {
  const availability = metrics.hasCloudFront
    ? math('answers without 5xx', '100 - rate', {
        rate: metrics.ofCloudFront('5xxErrorRate', average),
      })
    : math('answers without 5xx', '100 * (1 - failed / requests)', {
        failed: metrics.ofApi('5xx', sum),
        requests: metrics.ofApi('Count', samples),
      });
  const times = [
    metrics.ofApi('Latency', p50).with({ label: 'half of the requests' }),
    metrics.ofApi('Latency', p99).with({ label: '99 % of the requests' }),
  ];
  const status = (title: string, shown: readonly IAlarm[], height: number) =>
    new AlarmStatusWidget({ title, alarms: [...shown], width: COLUMNS, height });
  const parts = [...alarms.withUrgency('part'), ...alarms.withUrgency('half')];
  return [
    [status('Are users hurt?', [alarms.hurt, ...parts], 3)],
    [
      graph('Share of answers without 5xx', [availability], { percent: true }),
      graph('Milliseconds to answer without the cache', times),
      graph('Requests that reach the functions', [
        metrics.ofApi('Count', samples).with({ label: 'REST and pages' }),
        metrics.ofLambda('mcp', 'UrlRequestCount', sum).with({ label: 'MCP' }),
      ]),
    ],
    [status('Tickets', alarms.withUrgency('ticket'), 8)],
  ];
};

/** The cache of CloudFront, from the requests before and behind it: its own hit rate is a metric that costs extra. */
const edge = ({ metrics }: DashboardParts): readonly Row[] => {
  if (!metrics.hasCloudFront) return [];
  const viewers = metrics.ofCloudFront('Requests', sum);
  return [
    heading('CloudFront'),
    [
      graph('Requests of viewers', [viewers.with({ label: 'requests' })]),
      graph(
        'Share that the cache answers',
        [
          math('cached', '100 * (1 - (api + FILL(mcp, 0)) / viewers)', {
            viewers,
            api: metrics.ofApi('Count', samples),
            mcp: metrics.ofLambda('mcp', 'UrlRequestCount', sum),
          }),
        ],
        { percent: true },
      ),
      graph('Bytes sent to viewers', [metrics.ofCloudFront('BytesDownloaded', sum).with({ label: 'bytes' })]),
    ],
  ];
};

const access = ({ metrics }: DashboardParts): readonly Row[] => {
  if (!metrics.hasOwn) return [];
  const count = (name: keyof typeof serviceLabels): IMetric =>
    metrics.ofService('service', name, sum).with({ label: serviceLabels[name] });
  return [
    heading('Allowances, API keys and quality'),
    [
      graph('Requests over the allowance, and with API keys', [count('refusals'), count('keyed'), count('unverified')]),
      graph('Degraded answers', [count('degraded')]),
      graph('Events that the operator must know of', [everyValue(metrics.namespace, 'event', 'events', 'Sum')]),
    ],
  ];
};

const serviceLabels = {
  refusals: 'over the allowance (429)',
  keyed: 'with an API key',
  unverified: 'with an API key that the store could not verify',
  degraded: 'degraded',
} as const;

const tools = ({ metrics }: DashboardParts): readonly Row[] => {
  if (!metrics.hasOwn) return [];
  const { namespace } = metrics;
  return [
    heading('MCP'),
    [
      graph('Calls of tools', [everyValue(namespace, 'service', 'tool_duration_ms', 'SampleCount')], { stacked: true }),
      graph('Failures of tools', [everyValue(namespace, 'service', 'tool_failures', 'Sum')]),
      graph('Milliseconds of 99 % of the calls', [everyValue(namespace, 'service', 'tool_duration_ms', 'p99')]),
    ],
  ];
};

const providers = ({ metrics, config }: DashboardParts): readonly Row[] => {
  if (!metrics.hasOwn) return [];
  const { namespace } = metrics;
  const hosts = providerHosts(config).map(({ host }) => host);
  const failures = hosts.map((host, index) =>
    math(host, `100 * f${index} / n${index}`, {
      [`f${index}`]: metrics.of('provider', 'call_failures', host, sum),
      [`n${index}`]: metrics.of('provider', 'call_ms', host, samples),
    }),
  );
  const opened = labelled(hosts, (address) => metrics.of('circuit', 'circuits_opened', address, sum));
  const throttled = labelled(hosts, (address) => metrics.of('provider', 'call_throttled', address, sum));
  const times = labelled(hosts, (address) => metrics.of('provider', 'call_ms', address, p99));
  return [
    heading('Providers'),
    [
      graph('Share of calls that fail, by host', failures, { percent: true }),
      graph('Circuit breakers that open, by host', opened),
      graph('Milliseconds of 99 % of the calls, by host', times),
    ],
    [
      graph('Calls, by host', [everyValue(namespace, 'address', 'call_ms', 'SampleCount')]),
      graph('Failures, by host', [everyValue(namespace, 'address', 'call_failures', 'Sum')]),
      graph('Calls that providers answer with 429', throttled),
    ],
  ];
};

const surfaces = ({ metrics }: DashboardParts): readonly Row[] => {
  const own = metrics.hasOwn;
  const lambda = (name: string, reading: Reading = sum): readonly IMetric[] =>
    labelled(lambdaNames, (surface) => metrics.ofLambda(surface, name, reading));
  const failures = labelled(lambdaNames, (surface) => metrics.of('surface', 'failures', surface, sum));
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
  ];
};

const store = ({ metrics, tables }: DashboardParts): readonly Row[] => {
  const perTable = (metric: string): readonly IMetric[] =>
    Object.values(tables.names).map((name) => metrics.ofTable(name, metric, sum));
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
  const calls = labelled(paid, (address) => metrics.of('provider', 'call_ms', address, samples));
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

/** The rows from top to bottom: from what users feel to its causes and costs. */
const sections = [answers, edge, tools, access, providers, surfaces, store, costs, queries];

/** Creates one dashboard with the name of the stack, and a saved query per query of its logs. It needs no permissions. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, parts: DashboardParts) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    new Dashboard(this, 'Dashboard', {
      dashboardName: stackName,
      // A widget exists only if the configuration writes its metrics.
      widgets: sections.flatMap((rows) => rows(parts)).map((row) => [...row]),
    });
    for (const [name, { title, query }] of Object.entries(logQueries)) {
      new CfnQueryDefinition(this, name, {
        name: `${stackName}/${title}`,
        queryString: queryText(query),
        logGroupNames: [...parts.logGroupNames],
      });
    }
  }
}
