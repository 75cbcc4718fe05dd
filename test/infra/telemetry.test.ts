// Tests what the settings of metrics and traces change in the template.
import { describe, expect, test } from 'vitest';
import { lambdaNames } from '../../shared/contract/lambdas.ts';
import { templateOf } from './synthesized.ts';

const functionsOf = (context: Readonly<Record<string, unknown>>) => {
  const template = templateOf({ ...context, canaryMinutes: 0 });
  const functions = Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties }) => Properties);
  const policies = JSON.stringify(template.findResources('AWS::IAM::Policy'));
  return { functions: functions.filter(({ Description }) => Description?.startsWith('Postern: ')), policies };
};

describe('the settings of telemetry', () => {
  test.each([
    [{}, 'Postern'],
    [{ metrics: 'none' }, ''],
  ])('with %j every function writes metrics to the namespace %j', (context, namespace) => {
    const { functions } = functionsOf(context);
    expect(functions).toHaveLength(lambdaNames.length);
    for (const { Environment } of functions) {
      expect(Environment.Variables).toMatchObject({ METRICS_NAMESPACE: namespace });
    }
  });

  test('no function is traced, and none may write traces', () => {
    const { functions, policies } = functionsOf({});
    expect(functions.filter(({ TracingConfig }) => TracingConfig !== undefined)).toEqual([]);
    expect(policies).not.toContain('xray:');
  });
});
