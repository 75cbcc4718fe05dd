// Tests the functions of pictures in the synthesized stack: their way, their bound and their alarms.
import { describe, expect, test } from 'vitest';
import { templateOf } from './synthesized.ts';

const of = (settings: Readonly<Record<string, unknown>> = {}) =>
  templateOf({ pictures: 'proxied', alarmEmail: 'ops@example.org', ...settings });

const functionsOf = (
  template: ReturnType<typeof of>,
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] =>
  Object.entries(template.findResources('AWS::Lambda::Function')).map(([id, { Properties }]) => [id, Properties]);

const MEDIA = /^Media/;

describe('[pictures 8] the functions of pictures', () => {
  test('have a bound of their own, and no other function takes from it', () => {
    const bounds = new Map(
      functionsOf(of()).map(([id, { ReservedConcurrentExecutions: bound }]) => [id, bound] as const),
    );
    const media = [...bounds].filter(([id]) => MEDIA.test(id)).map(([, bound]) => Number(bound));
    expect(media).toHaveLength(2);
    expect(media.reduce((sum, bound) => sum + bound, 0)).toBe(100);
    expect(Math.min(...media)).toBeGreaterThan(0);
    expect([...bounds].filter(([id, bound]) => !MEDIA.test(id) && bound !== undefined)).toEqual([]);
  });

  test('reserve no execution if the setting is 0, as an account of 10 needs', () => {
    const bounds = functionsOf(of({ mediaConcurrency: 0 })).map(([, row]) => row['ReservedConcurrentExecutions']);
    expect(bounds.filter((bound) => bound !== undefined)).toEqual([]);
  });

  test.each(['Errors', 'Throttles', 'Url4xxCount', 'Url5xxCount'])(
    'have an alarm for %s, which is mailed',
    (metric) => {
      const alarms = Object.values(of().findResources('AWS::CloudWatch::Alarm')).filter(({ Properties }) =>
        JSON.stringify(Properties.Metrics ?? []).includes('"Ref":"Media'),
      );
      const [alarm, ...more] = alarms.filter(({ Properties }) =>
        JSON.stringify(Properties.Metrics).includes(`"MetricName":"${metric}"`),
      );
      expect(more).toEqual([]);
      expect(alarm?.['Properties'].AlarmActions).toHaveLength(1);
      expect(JSON.stringify(alarm).match(/"Ref":"Media/g)).toHaveLength(2);
    },
  );
});

test('[pictures 7] parts come from a function URL that keeps their length, and only whole files from a stream', () => {
  const template = of();
  const urls = Object.values(template.findResources('AWS::Lambda::Url')).map(({ Properties }) => Properties);
  const modeOf = (id: string): unknown =>
    urls.find(({ TargetFunctionArn }) => JSON.stringify(TargetFunctionArn).includes(`"${id}"`))?.['InvokeMode'];
  const modes = functionsOf(template)
    .filter(([id]) => MEDIA.test(id))
    .map(([id, { Handler }]) => [Handler, modeOf(id)]);
  expect(new Map(modes.map(([handler, mode]) => [handler, mode]))).toEqual(
    new Map([
      ['index.handler', 'RESPONSE_STREAM'],
      ['index.parts', 'BUFFERED'],
    ]),
  );
  const [distribution] = Object.values(template.findResources('AWS::CloudFront::Distribution'));
  const { CacheBehaviors } = distribution?.['Properties'].DistributionConfig ?? {};
  const patterns: readonly string[] = CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern);
  expect(patterns.filter((pattern) => /^\/assets\/.*\//.test(pattern))).toEqual(['/assets/whole/*', '/assets/*/*']);
});
