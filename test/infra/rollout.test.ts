// Tests the gradual rollout: aliases, their permissions, and the alarms that move requests back.
import { describe, expect, test } from 'vitest';
import { lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import { metricSets } from '../../shared/contract/metrics.ts';
import { faultsOf, functionArn, functionPolicy, gatewayCall, urlCalls } from './evaluation/judge.ts';
import { evaluate } from './evaluation/policy.ts';
import { type Fields, fieldsOf, listOf, readTemplate, textOf } from './evaluation/template.ts';
import { templateOf } from './synthesized.ts';

const CANARY = { alarmEmail: 'ops@example.org', rollout: 'canary' };
const json: Fields = templateOf(CANARY).toJSON();
const template = readTemplate(json);

const FUNCTIONS = lambdaNames.map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Function`);
const aliasArn = (id: string): string => `${functionArn(id)}:live`;
const apiId = template.resources('AWS::ApiGatewayV2::Api')[0]?.id ?? '';

const resourcesOf = (template: Fields): Fields => fieldsOf(template['Resources']);

const STATEFUL = [
  'AWS::DynamoDB::Table',
  'AWS::SecretsManager::Secret',
  'AWS::CloudFront::Distribution',
  'AWS::ApiGatewayV2::Api',
];

const idsOf = (of: Fields, type: string): readonly string[] =>
  readTemplate(of)
    .resources(type)
    .map(({ id }) => id);

describe('rollout: all-at-once', () => {
  test('is the default and creates neither versions nor aliases', () => {
    const { rollout: _, ...rest } = CANARY;
    const plain = templateOf(rest).toJSON();
    expect(templateOf({ ...rest, rollout: 'all-at-once' }).toJSON()).toEqual(plain);
    expect(JSON.stringify(plain)).not.toMatch(/AWS::Lambda::(?:Alias|Version)|AWS::CodeDeploy/);
  });

  test.each(STATEFUL)('a change to canary keeps every %s', (type) => {
    const before = idsOf(templateOf({ alarmEmail: 'ops@example.org' }).toJSON(), type);
    expect(before.length).toBeGreaterThan(0);
    expect(idsOf(json, type)).toEqual(before);
  });
});

describe('rollout: canary', () => {
  test('[platform 5] every route and the function URL may call their alias', () => {
    expect(faultsOf(json)).toEqual([]);
    const targets = template
      .resources('AWS::ApiGatewayV2::Integration')
      .map(({ properties }) => properties['IntegrationUri']);
    expect([...targets].sort()).toEqual(
      FUNCTIONS.filter((id) => id !== 'McpFunction')
        .map(aliasArn)
        .sort(),
    );
    expect(template.resources('AWS::Lambda::Url').map(({ properties }) => properties['Qualifier'])).toEqual(['live']);
  });

  test.each(FUNCTIONS)('[platform 5] %s can be called by no one without its alias', (id) => {
    const call = gatewayCall(functionArn(id), apiId, '$default/GET/api/v1/posts');
    expect(evaluate(functionPolicy(template, functionArn(id)), call)).toBe('implicit');
    for (const url of urlCalls(functionArn(id))) {
      expect(evaluate(functionPolicy(template, functionArn(id)), url)).toBe('implicit');
    }
  });

  test('a permission of the function in place of the alias is found', () => {
    const wrong = structuredClone(json);
    for (const resource of Object.values(resourcesOf(wrong)).map(fieldsOf)) {
      if (resource['Type'] !== 'AWS::Lambda::Permission') continue;
      Object.assign(fieldsOf(resource['Properties']), { FunctionName: { 'Fn::GetAtt': ['SearchFunction', 'Arn'] } });
    }
    expect(faultsOf(wrong).length).toBeGreaterThan(40);
  });

  test.each([
    ['canary', 'CodeDeployDefault.LambdaCanary10Percent5Minutes'],
    ['linear', 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute'],
  ])('%s shifts by %s and back on an alarm', (rollout, config) => {
    const groups = readTemplate(templateOf({ rollout }).toJSON()).resources('AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(FUNCTIONS.length);
    for (const { properties } of groups) {
      expect(properties['DeploymentConfigName']).toBe(config);
      expect(fieldsOf(properties['AutoRollbackConfiguration'])['Events']).toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
  });

  test.each(Object.keys(lambdas))('the alarms of %s watch the new version and the answers of the function', (name) => {
    const group = template
      .resources('AWS::CodeDeploy::DeploymentGroup')
      .find(({ id }) => id.startsWith(`${name}Rollout`));
    const watched = listOf(fieldsOf(group?.properties['AlarmConfiguration'])['Alarms']).map((alarm) =>
      textOf(fieldsOf(alarm)['Name']),
    );
    const metrics = watched.map((id) =>
      listOf(template.resource(id).properties['Metrics']).flatMap((metric) => {
        const { MetricStat } = fieldsOf(metric);
        return MetricStat === undefined ? [] : [fieldsOf(fieldsOf(MetricStat)['Metric'])];
      }),
    );
    const [crashes = [], failures = []] = metrics;
    expect(crashes.map(({ MetricName }) => MetricName)).toEqual(['Errors', 'Invocations']);
    for (const { Dimensions } of crashes) {
      expect(listOf(Dimensions).map((dimension) => fieldsOf(dimension)['Name'])).toEqual([
        'ExecutedVersion',
        'FunctionName',
        'Resource',
      ]);
    }
    expect(failures.map(({ MetricName }) => MetricName)).toEqual(['failures', 'duration_ms']);
    for (const { MetricName, Namespace, Dimensions } of failures) {
      expect(Object.keys(metricSets.surface.metrics)).toContain(MetricName);
      expect([Namespace, Dimensions]).toEqual(['Postern', [{ Name: 'surface', Value: name }]]);
    }
  });

  test('with metrics none, only crashes move requests back', () => {
    const groups = readTemplate(templateOf({ rollout: 'canary', metrics: 'none' }).toJSON()).resources(
      'AWS::CodeDeploy::DeploymentGroup',
    );
    for (const { properties } of groups)
      expect(listOf(fieldsOf(properties['AlarmConfiguration'])['Alarms'])).toHaveLength(1);
  });

  test('CloudFront sends a new secret only after every alias has moved', () => {
    const [distribution = ''] = idsOf(json, 'AWS::CloudFront::Distribution');
    const waits = listOf(fieldsOf(resourcesOf(json)[distribution])['DependsOn']).map(textOf);
    expect(waits).toEqual(expect.arrayContaining(template.resources('AWS::Lambda::Alias').map(({ id }) => id)));
    expect(template.resources('AWS::Lambda::Alias')).toHaveLength(FUNCTIONS.length);
  });

  test('an old version is deleted with the update', () => {
    const versions = template.resources('AWS::Lambda::Version').map(({ id }) => fieldsOf(resourcesOf(json)[id]));
    expect(versions).toHaveLength(FUNCTIONS.length);
    expect(versions.filter((version) => version['DeletionPolicy'] === 'Retain')).toEqual([]);
  });
});
