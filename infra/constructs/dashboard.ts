// Creates the dashboard of the service in CloudWatch, and saves the queries of its logs. It begins with what users feel:
// whether and how fast they get answers, and which.
import { Stack } from 'aws-cdk-lib';
import { AlarmStatusWidget, Dashboard, type IAlarm, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { causeRows } from './dashboard-causes.ts';
import {
  average,
  COLUMNS,
  type DashboardParts,
  everyValue,
  graph,
  heading,
  logQueries,
  math,
  p50,
  p99,
  queryText,
  type Row,
  samples,
  sum,
} from './dashboard-widgets.ts';

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
  const times = metrics.hasOwn
    ? [
        metrics.ofService('service', 'duration_ms', p50).with({ label: 'half of the requests' }),
        metrics.ofService('service', 'duration_ms', p99).with({ label: '99 % of the requests' }),
      ]
    : [
        metrics.ofApi('Latency', p50).with({ label: 'half of the requests' }),
        metrics.ofApi('Latency', p99).with({ label: '99 % of the requests' }),
      ];
  const status = (title: string, shown: readonly IAlarm[], height: number) =>
    new AlarmStatusWidget({ title, alarms: [...shown], width: COLUMNS, height });
  const parts = alarms.withUrgency('part');
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
      graph('Degraded answers, and answers of the read cache', [count('degraded'), count('cache_hits')]),
      graph('Events that the operator must know of', [everyValue(metrics.namespace, 'event', 'events', 'Sum')]),
    ],
  ];
};

const serviceLabels = {
  refusals: 'over the allowance (429)',
  keyed: 'with an API key',
  unverified: 'with an API key that the store could not verify',
  degraded: 'degraded',
  cache_hits: 'from the read cache of the instance',
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

/** The rows from top to bottom. */
export const answerRows: readonly ((parts: DashboardParts) => readonly Row[])[] = [answers, edge, tools, access];

/** Creates one dashboard with the name of the stack, and a saved query per query of its logs. It needs no permissions. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, parts: DashboardParts) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    new Dashboard(this, 'Dashboard', {
      dashboardName: stackName,
      // From what users feel to its causes. A widget exists only if the configuration writes its metrics.
      widgets: [...answerRows, ...causeRows].flatMap((rows) => rows(parts)).map((row) => [...row]),
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
