import { describe, expect, test } from 'vitest';
import { type AlarmRow, alarmEntries, alarms, hurtAlarm, runbookAnchors } from '../../shared/contract/alarms.ts';
import { lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import { EVENT_METRIC, type MetricSet, metricSets } from '../../shared/contract/metrics.ts';
import { canaryAlarm } from '../../shared/contract/other-functions.ts';
import { readAlarms, readComposites } from './cloudwatch/read-alarms.ts';
import { readTemplate } from './evaluation/template.ts';
import { templateOf } from './synthesized.ts';

const MAIL = { alarmEmail: 'ops@example.org' };

const templateWith = (context: Readonly<Record<string, unknown>> = {}) => readTemplate(templateOf(context).toJSON());
/** The alarms of the contract; canary.test.ts has the one of the canary. */
const alarmsWith = (context?: Readonly<Record<string, unknown>>) =>
  readAlarms(templateWith(context)).filter(({ name }) => !name.endsWith(canaryAlarm.name));

const all = alarmsWith(MAIL);
const rowOf = (alarmName: string): readonly [string, AlarmRow] => {
  const found = alarmEntries.find(([name]) => alarmName.startsWith(`Postern-${name}`));
  if (found === undefined) throw new Error(`${alarmName} is not in the contract`);
  return found;
};

describe('the text of an alarm', () => {
  test('has the name of its runbook paragraph, who is affected, and the link', () => {
    for (const { name, description } of all) {
      const [anchor, { meaning, per }] = rowOf(name);
      expect(runbookAnchors).toContain(anchor);
      expect(description).toContain(meaning);
      expect(description).toMatch(new RegExp(` Runbook: docs/runbook\\.md#${anchor}$`));
      const suffix = name.slice(`Postern-${anchor}-`.length);
      if (per === 'baseUrl') expect(description).toContain(suffix);
      if (per === 'function' && anchor !== 'slow')
        expect(lambdaNames.filter((lambda) => description.startsWith(lambdas[lambda].impact))).toContain(suffix);
    }
  });

  test('is within the limits of CloudWatch: 255 ASCII characters of a name, 1,024 of a description', () => {
    for (const { name, description } of [...all, ...readComposites(templateWith())]) {
      expect(name).toMatch(/^[ -~]{1,255}$/);
      expect(description.length).toBeLessThanOrEqual(1024);
    }
  });

  test('names its threshold in the condition', () => {
    for (const [name, { condition, threshold }] of alarmEntries)
      if (threshold > 1) expect(condition, name).toMatch(new RegExp(`\\b${threshold}\\b`));
  });
});

describe('an alarm of the template', () => {
  test('exists for the service, each function and each address', () => {
    const expected = alarmEntries.flatMap(([name, { per }]) => {
      if (name === 'paid-ceiling') return []; // needs x_api
      if (per === 'service') return [`Postern-${name}`];
      const parts = per === 'function' ? lambdaNames : ['api.fxtwitter.com', 'cdn.syndication.twimg.com'];
      return parts.map((part) => `Postern-${name}-${part}`);
    });
    expect(all.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
  });

  test('reads at most 10 metrics, of one period, within a day', () => {
    for (const { name, metrics, evaluationPeriods, datapointsToAlarm } of all) {
      expect(metrics.length, name).toBeLessThanOrEqual(10);
      const periods = new Set(metrics.map(({ period }) => period));
      expect([...periods], name).toEqual([rowOf(name)[1].minutes * 60]);
      expect(evaluationPeriods * [...periods].reduce((sum, period) => sum + period, 0)).toBeLessThanOrEqual(86_400);
      expect(datapointsToAlarm).toBeLessThanOrEqual(evaluationPeriods);
    }
  });

  test('about functions that are not reached has room for one more function', () => {
    const [unreached] = all.filter(({ name }) => name === 'Postern-functions-unreached');
    expect(unreached?.metrics.filter(({ metricName }) => metricName === 'Invocations')).toHaveLength(
      lambdaNames.filter((name) => name !== 'mcp').length,
    );
    expect(unreached?.metrics.length).toBeLessThan(10);
  });

  /** @returns true if the functions write the metric by these dimensions */
  const isWritten = (metricName: string, dimensions: Readonly<Record<string, string>>): boolean => {
    const names = Object.keys(dimensions).join();
    if (metricName === EVENT_METRIC) return names === 'event';
    return Object.values<MetricSet>(metricSets).some(
      ({ metrics, dimension }) => Object.hasOwn(metrics, metricName) && dimension === names,
    );
  };

  test('reads metrics that the functions write, that AWS writes, or that a filter extracts', () => {
    const filters = templateOf().findResources('AWS::Logs::MetricFilter');
    const extracted = Object.values(filters).map(({ Properties }) => Properties.MetricTransformations[0].MetricName);
    expect(extracted).toEqual(['not-implemented']);
    for (const { namespace, metricName, dimensions } of all.flatMap(({ metrics }) => metrics)) {
      expect(namespace).toMatch(/^(?:AWS\/\w+|Postern)$/);
      if (namespace.startsWith('AWS/')) expect(Object.keys(dimensions)).not.toEqual([]);
      else if (Object.keys(dimensions).length === 0) expect(extracted).toContain(metricName);
      else expect(isWritten(metricName, dimensions), metricName).toBe(true);
    }
  });

  test('exists with metrics: none if it reads only metrics of AWS', () => {
    const isOfAws = ({ metrics }: ReturnType<typeof alarmsWith>[number]): boolean =>
      metrics.every(({ namespace, metricName }) => namespace.startsWith('AWS/') || metricName === 'not-implemented');
    const names = alarmsWith({ metrics: 'none' }).map(({ name }) => name);
    expect(names).toEqual(
      alarmsWith({})
        .filter(isOfAws)
        .map(({ name }) => name),
    );
    expect(names).toContain('Postern-slow-posts');
    expect(names).not.toContain('Postern-degraded');
  });

  test('about the paid ceiling exists if a paid provider has one', () => {
    const paid = { providers: 'fxtwitter,x_api', xApiTokenSecret: 'x-token' };
    const names = (context: object) => alarmsWith({ ...context }).map(({ name }) => name);
    expect(names(paid)).toContain('Postern-paid-ceiling');
    expect(names(paid)).toContain('Postern-circuit-open-api.x.com');
    expect(names({ ...paid, xApiDailyRows: 0 })).not.toContain('Postern-paid-ceiling');
    expect(names({})).not.toContain('Postern-paid-ceiling');
  });
});

describe('the actions', () => {
  const template = templateWith(MAIL);
  const endpointOf = (topic: string | undefined): unknown =>
    template.resources('AWS::SNS::Subscription').find(({ properties }) => properties['TopicArn'] === topic)?.properties[
      'Endpoint'
    ];

  test('of the composite alarm and of tickets mail the operator, and those of parts do not exist', () => {
    const [hurt, ...others] = readComposites(template);
    expect(others).toEqual([]);
    expect(hurt?.name).toBe(`Postern-${hurtAlarm.name}`);
    expect(hurt?.alarmActions.map(endpointOf)).toEqual([MAIL.alarmEmail]);
    expect(hurt?.okActions).toEqual(hurt?.alarmActions);
    for (const { name, alarmActions, okActions } of alarmsWith(MAIL)) {
      const isPart = ['part', 'half'].includes(rowOf(name)[1].urgency);
      expect(alarmActions.map(endpointOf), name).toEqual(isPart ? [] : [MAIL.alarmEmail]);
      expect(okActions).toEqual(alarmActions);
    }
  });

  test('do not exist without an address', () => {
    expect(templateWith().resources('AWS::SNS::Subscription')).toEqual([]);
    expect(alarmsWith().flatMap(({ alarmActions }) => alarmActions)).toEqual([]);
  });

  test('the topic of 0.8.0 keeps its logical id', () => {
    expect(Object.keys(templateOf(MAIL).findResources('AWS::SNS::Topic'))).toContain('Alarms04B5A0BF');
  });
});

test('the composite alarm is within the limits of CloudWatch, also with the longest stack name', () => {
  const [hurt] = readComposites(templateWith(MAIL));
  // Each reference is an ARN with the name of an alarm; an ARN has at most 1,600 characters and a rule 10,240.
  const longest = (hurt?.rule ?? '').replaceAll(/alarm:ServiceAlarms/g, `alarm:${'x'.repeat(100)}`);
  expect(longest.length).toBeLessThanOrEqual(10_240);
  expect(new Set(hurt?.rule.match(/"[^"]+"/g)).size).toBeLessThanOrEqual(100);
});

test('without the region of CloudFront, the alarms of the stack read no metric of CloudFront', () => {
  const elsewhere = alarmsWith({ region: 'eu-west-1' });
  expect(elsewhere).toHaveLength(all.length - 1);
  expect(JSON.stringify(elsewhere)).not.toContain('AWS/CloudFront');
});

test('[keys 11] the operator has an alarm about repeated invalid keys', () => {
  const [alarm] = all.filter(({ name }) => name === 'Postern-repeated-invalid-keys');
  expect(alarm?.metrics).toMatchObject([{ metricName: 'events', dimensions: { event: 'repeated_invalid_key' } }]);
  expect(alarm?.threshold).toBe(alarms['repeated-invalid-keys'].threshold);
});
