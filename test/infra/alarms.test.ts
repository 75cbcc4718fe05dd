// What raises an alarm: metrics, thresholds, and the lines of the log that are counted, as functions write them.
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

/** Beside crashes, throttles and answers of 500 and above. */
const eventsOf = (tables: string): readonly string[] => {
  if (tables === 'read-and-count') return ['repeated_invalid_key', 'store_failed', 'store_misused'];
  return tables === 'admin' ? ['operator_refused', 'store_failed', 'store_misused'] : [];
};

describe('each function', () => {
  test('[spec 5.7 #45] has alarms that say who is hurt: for what Lambda counts, and for what it logs', () => {
    let expected = 0;
    for (const [name, { impact, tables }] of Object.entries(lambdas)) {
      const own = alarms.filter(
        ({ AlarmDescription }) => AlarmDescription.startsWith(impact) || AlarmDescription.startsWith(`${name}: `),
      );
      const names = ['failed-requests', ...eventsOf(tables)].map((event) => `Postern ${name}-${event}`);
      expect(own.map(({ Namespace, MetricName }) => `${Namespace} ${MetricName}`).sort()).toEqual([
        'AWS/Lambda Errors',
        'AWS/Lambda Throttles',
        ...names.sort(),
      ]);
      expected += own.length;
    }
    expect(alarms.filter((alarm) => !isMath(alarm))).toHaveLength(expected);
  });

  test('is told of when it is throttled five times in five minutes', () => {
    const throttles = alarms.filter(({ MetricName }) => MetricName === 'Throttles');
    expect(throttles).toHaveLength(Object.keys(lambdas).length);
    for (const { Threshold, Period, Statistic } of throttles)
      expect({ Threshold, Period, Statistic }).toEqual({ Threshold: 5, Period: 300, Statistic: 'Sum' });
  });
});

describe('what is counted', () => {
  const IS_REQUEST = '($.event = "request")';

  test('by the lines of each log', () => {
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

  /** Whether a line matches: the part of CloudWatch's filter syntax that the filters use. */
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

  /** The metrics to which the lines of one request add. */
  const countedFor = async (target: string, options?: object, upstream?: object): Promise<readonly string[]> => {
    const { get, log } = createTestApp({ ...(upstream && { upstream }) });
    await get(target, options);
    const own = filters.filter(({ LogGroupName }) => LogGroupName.Ref.startsWith('oembedLogs'));
    return own
      .filter(({ FilterPattern }) => log.some((line) => matches(FilterPattern, line)))
      .map(({ MetricTransformations: [metric] }) => String(metric.MetricName))
      .toSorted();
  };

  const EMBED = '/oembed?url=x.com/jack/status/20';
  const broken = {
    readPost: () => {
      throw new Error('a fault of ours');
    },
  };

  test.each([
    ['an answer', EMBED, {}, undefined, ['requests']],
    [
      'a format that is not on offer, which is no failure',
      `${EMBED}&format=xml`,
      {},
      undefined,
      ['not-implemented', 'requests'],
    ],
    ['a fault of the caller', '/oembed', {}, undefined, ['requests']],
    [
      'an outage of the source',
      EMBED,
      {},
      upstreamReturning({ kind: 'down', why: 'refused' }),
      ['oembed-failed-requests', 'requests'],
    ],
    [
      'an answer of the source that is none',
      EMBED,
      {},
      upstreamReturning({ kind: 'failed', why: 'html' }),
      ['oembed-failed-requests', 'requests'],
    ],
    ['a fault of ours', EMBED, {}, broken, ['oembed-failed-requests', 'requests']],
    ['a wrong origin secret', EMBED, { secret: 'another' }, undefined, ['forbidden-origin', 'requests']],
  ])('%s', async (_, target, options, upstream, expected) => {
    expect(await countedFor(target, options, upstream)).toEqual(expected);
  });
});

describe('the stack as a whole', () => {
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

  test('has alarms for a wrong origin secret, and for 5xx of API Gateway and of CloudFront', () => {
    expect(alarms.filter(isMath).map(shown)).toEqual([
      {
        threshold: 5,
        // Everyone is refused, and not a scanner alone.
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

  test('watches its own API and distribution', () => {
    const dimensions = JSON.stringify(alarms.filter(isMath));
    const [apiId] = Object.keys(template.findResources('AWS::ApiGatewayV2::Api'));
    const [distributionId] = Object.keys(template.findResources('AWS::CloudFront::Distribution'));
    expect(dimensions).toContain(`{"Name":"ApiId","Value":{"Ref":"${apiId}"}}`);
    expect(dimensions).toContain(`{"Name":"DistributionId","Value":{"Ref":"${distributionId}"}}`);
    expect(dimensions).toContain('{"Name":"Region","Value":"Global"}');
  });

  test('says in another region that it has no alarm for CloudFront, whose metrics are in us-east-1', () => {
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

test('alarms are mailed to an operator who left an address, and to the console alone without one', () => {
  template.resourceCountIs('AWS::SNS::Topic', 0);
  const withMail = templateOf({ alarmEmail: 'ops@example.org' });
  withMail.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.org' });
  withMail.allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: [Match.anyValue()] });
});
