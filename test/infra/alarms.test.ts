// Tests the alarms: metrics, thresholds, and metric filters over log lines as the functions write them.
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { lambdas } from '../../shared/contract/lambdas.ts';
import type { LogFields } from '../../shared/ports/system.ts';
import { createTestApp, upstreamReturning } from '../support/test-app.ts';
import { createStack, synthesize, templateOf } from './synthesized.ts';

const template = templateOf();
const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);
const filters = Object.values(template.findResources('AWS::Logs::MetricFilter')).map(({ Properties }) => Properties);

const isMath = ({ Metrics }: { readonly Metrics?: unknown }): boolean => Metrics !== undefined;

/** The alarming log events, beside the alarms of crashes, throttles and 5xx answers. */
const eventsOf = (tables: string): readonly string[] => {
  if (tables === 'read-and-count') return ['repeated_invalid_key', 'store_failed', 'store_misused'];
  if (tables === 'count') return ['store_failed', 'store_misused'];
  return tables === 'admin' ? ['operator_refused', 'store_failed', 'store_misused'] : [];
};

describe('each function', () => {
  test('[spec 5.7 #45] has an alarm with its impact for each metric of Lambda and for each alarming log event', () => {
    let expected = 0;
    for (const [name, { impact, tables }] of Object.entries(lambdas)) {
      const lambdaAlarms = alarms.filter(
        ({ AlarmDescription }) => AlarmDescription.startsWith(impact) || AlarmDescription.startsWith(`${name}: `),
      );
      const names = ['failed-requests', ...eventsOf(tables)].map((event) => `Postern ${name}-${event}`);
      expect(lambdaAlarms.map(({ Namespace, MetricName }) => `${Namespace} ${MetricName}`).sort()).toEqual([
        'AWS/Lambda Errors',
        'AWS/Lambda Throttles',
        ...names.sort(),
      ]);
      expected += lambdaAlarms.length;
    }
    expect(alarms.filter((alarm) => !isMath(alarm))).toHaveLength(expected);
  });

  test('has an alarm for five throttles in five minutes', () => {
    const throttles = alarms.filter(({ MetricName }) => MetricName === 'Throttles');
    expect(throttles).toHaveLength(Object.keys(lambdas).length);
    for (const { Threshold, Period, Statistic } of throttles)
      expect({ Threshold, Period, Statistic }).toEqual({ Threshold: 5, Period: 300, Statistic: 'Sum' });
  });
});

describe('the metric filters', () => {
  const IS_REQUEST = '($.event = "request")';

  test('count the lines of each log', () => {
    const seen = filters.map(({ LogGroupName, MetricTransformations: [metric], FilterPattern }) => {
      expect(metric).toEqual({
        DefaultValue: 0,
        MetricName: expect.any(String),
        MetricNamespace: 'Postern',
        MetricValue: '1',
      });
      return `${/^([a-z]+)Logs/.exec(LogGroupName.Ref)?.[1]}: ${metric.MetricName} ${FilterPattern}`;
    });
    const expected = Object.entries(lambdas).flatMap(([name, { tables }]) => [
      `${name}: ${name}-failed-requests { ${IS_REQUEST} && ($.status >= 500) && ($.status != 501) }`,
      `${name}: requests { $.event = "request" }`,
      `${name}: forbidden-origin { ${IS_REQUEST} && ($.code = "forbidden_origin") }`,
      `${name}: not-implemented { ${IS_REQUEST} && ($.status = 501) }`,
      ...eventsOf(tables).map((event) => `${name}: ${name}-${event} { $.event = "${event}" }`),
    ]);
    expect(seen.toSorted()).toEqual(expected.toSorted());
  });

  const comparisons: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
    '=': (a, b) => a === b,
    '!=': (a, b) => a !== b,
    '>=': (a, b) => Number(a) >= Number(b),
  };

  /** Implements the part of CloudWatch's filter syntax that the filters use. */
  const matches = (pattern: string, line: LogFields): boolean =>
    pattern
      .replace(/^\{(.*)\}$/, '$1')
      .split('&&')
      .every((term) => {
        const [, name = '', operator = '', value = ''] = /^\(?\$\.(\w+) (\S+) (.+?)\)?$/.exec(term.trim()) ?? [];
        const compare = comparisons[operator];
        if (compare === undefined) throw new Error(`${term} is not implemented`);
        return compare(Reflect.get(line, name), JSON.parse(value));
      });

  /** The metrics that the log lines of one request count. */
  const countedFor = async (target: string, options?: object, upstream?: object): Promise<readonly string[]> => {
    const { get, log } = createTestApp({ ...(upstream && { upstream }) });
    await get(target, options);
    const lambdaFilters = filters.filter(({ LogGroupName }) => LogGroupName.Ref.startsWith('oembedLogs'));
    return lambdaFilters
      .filter(({ FilterPattern }) => log.some((line) => matches(FilterPattern, line)))
      .map(({ MetricTransformations: [metric] }) => String(metric.MetricName))
      .toSorted();
  };

  const EMBED = '/oembed?url=x.com/jack/status/20';
  const broken = {
    readPost: () => {
      throw new Error('an internal error');
    },
  };

  test.each([
    ['an answer', EMBED, {}, undefined, ['requests']],
    [
      'a format that is not available, which is not a failure',
      `${EMBED}&format=xml`,
      {},
      undefined,
      ['not-implemented', 'requests'],
    ],
    ['an invalid request', '/oembed', {}, undefined, ['requests']],
    [
      'an outage of the provider',
      EMBED,
      {},
      upstreamReturning({ kind: 'down', why: 'refused' }),
      ['oembed-failed-requests', 'requests'],
    ],
    [
      'an unusable answer of the provider',
      EMBED,
      {},
      upstreamReturning({ kind: 'failed', why: 'html' }),
      ['oembed-failed-requests', 'requests'],
    ],
    ['an internal error', EMBED, {}, broken, ['oembed-failed-requests', 'requests']],
    ['a wrong origin secret', EMBED, { secret: 'another' }, undefined, ['forbidden-origin', 'requests']],
  ])('count %s', async (_, target, options, upstream, expected) => {
    expect(await countedFor(target, options, upstream)).toEqual(expected);
  });
});

describe('the whole service', () => {
  interface Query {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: {
      readonly Metric: {
        readonly Namespace: string;
        readonly MetricName: string;
        readonly Dimensions?: readonly object[];
      };
      readonly Period: number;
      readonly Stat: string;
    };
  }

  const shown = ({ Metrics, Threshold }: { readonly Metrics: readonly Query[]; readonly Threshold: number }) => ({
    threshold: Threshold,
    expression: Metrics.find(({ Expression }) => Expression !== undefined)?.Expression,
    metrics: Object.fromEntries(
      Metrics.flatMap(({ Id, MetricStat }) =>
        MetricStat === undefined
          ? []
          : [
              [
                Id,
                `${MetricStat.Metric.Namespace} ${MetricStat.Metric.MetricName} ${MetricStat.Stat} ${MetricStat.Period}`,
              ],
            ],
      ),
    ),
  });

  test('has alarms for a wrong origin secret and for 5xx answers of API Gateway and CloudFront', () => {
    expect(alarms.filter(isMath).map(shown)).toEqual([
      {
        threshold: 5,
        // Half of all requests: a scanner causes fewer.
        expression: 'IF(refused * 2 >= requests, refused, 0)',
        metrics: { refused: 'Postern forbidden-origin Sum 900', requests: 'Postern requests Sum 900' },
      },
      {
        threshold: 5,
        expression: 'failed - FILL(declined, 0)',
        metrics: { failed: 'AWS/ApiGateway 5xx Sum 300', declined: 'Postern not-implemented Sum 300' },
      },
      {
        threshold: 5,
        expression: 'IF(rate >= 5, rate * requests / 100, 0)',
        metrics: { rate: 'AWS/CloudFront 5xxErrorRate Average 300', requests: 'AWS/CloudFront Requests Sum 300' },
      },
    ]);
  });

  test('has alarms on its own API and distribution', () => {
    const dimensions = JSON.stringify(alarms.filter(isMath));
    const [apiId] = Object.keys(template.findResources('AWS::ApiGatewayV2::Api'));
    const [distributionId] = Object.keys(template.findResources('AWS::CloudFront::Distribution'));
    expect(dimensions).toContain(`{"Name":"ApiId","Value":{"Ref":"${apiId}"}}`);
    expect(dimensions).toContain(`{"Name":"DistributionId","Value":{"Ref":"${distributionId}"}}`);
    expect(dimensions).toContain('{"Name":"Region","Value":"Global"}');
  });

  test('warns outside us-east-1 that there is no CloudFront alarm', () => {
    const stack = createStack({ region: 'eu-west-1' });
    const warnings = Annotations.fromStack(stack).findWarning(
      '*',
      Match.stringLikeRegexp('CloudFront writes its metrics only in us-east-1'),
    );
    expect(warnings).toHaveLength(1);
    synthesize(stack);
    const elsewhere = Object.values(templateOf({ region: 'eu-west-1' }).findResources('AWS::CloudWatch::Alarm'));
    expect(elsewhere).toHaveLength(alarms.length - 1);
    expect(JSON.stringify(elsewhere)).not.toContain('AWS/CloudFront');
    expect(Annotations.fromStack(createStack()).findWarning('*', Match.stringLikeRegexp('CloudFront'))).toEqual([]);
  });
});

test('alarms are mailed when an address is configured, and otherwise visible only in the console', () => {
  template.resourceCountIs('AWS::SNS::Topic', 0);
  const withMail = templateOf({ alarmEmail: 'ops@example.org' });
  withMail.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.org' });
  withMail.allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: [Match.anyValue()] });
});
