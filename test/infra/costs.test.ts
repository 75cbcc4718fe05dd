// Checks the numbers of billed resources in the template, which the page Costs and scaling names.
import { describe, expect, test } from 'vitest';
import { standingResources } from '../../shared/contract/billed-resources.ts';
import { templateOf } from './synthesized.ts';

describe('the template', () => {
  const resources = Object.values(templateOf({ canaryMinutes: 0 }).toJSON()['Resources']).filter(
    (row): row is { Type: string; Properties: Record<string, unknown> } =>
      typeof row === 'object' && row !== null && 'Type' in row,
  );
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);

  /** Expressions are free, but each metric that they use is billed. */
  const billedMetrics = ({ Metrics }: Record<string, unknown>): number =>
    Array.isArray(Metrics) ? Metrics.filter((row: object) => 'MetricStat' in row).length : 1;

  test('has the numbers of billed resources that the page names', () => {
    expect(standingResources).toEqual({
      alarmMetrics: ofType('AWS::CloudWatch::Alarm').reduce((sum, row) => sum + billedMetrics(row.Properties), 0),
      compositeAlarms: ofType('AWS::CloudWatch::CompositeAlarm').length,
      dashboards: ofType('AWS::CloudWatch::Dashboard').length,
      secrets: ofType('AWS::SecretsManager::Secret').length,
    });
  });

  test('has no other resource with a price per month', () => {
    const known = new Set(
      [
        'AWS::ApiGatewayV2::Api AWS::ApiGatewayV2::Integration AWS::ApiGatewayV2::Route AWS::ApiGatewayV2::Stage',
        'AWS::CloudFront::CachePolicy AWS::CloudFront::Distribution AWS::CloudFront::Function',
        'AWS::CloudFront::OriginRequestPolicy AWS::CloudFront::ResponseHeadersPolicy AWS::CloudWatch::Alarm',
        'AWS::CloudWatch::CompositeAlarm AWS::CloudWatch::Dashboard AWS::DynamoDB::Table AWS::IAM::Policy',
        'AWS::IAM::Role AWS::Lambda::Function AWS::Lambda::Permission AWS::Lambda::Url AWS::Logs::LogGroup',
        'AWS::Logs::MetricFilter AWS::Logs::QueryDefinition AWS::SecretsManager::Secret',
      ].flatMap((names) => names.split(' ')),
    );
    expect([...new Set(resources.map(({ Type }) => Type))].filter((type) => !known.has(type))).toEqual([]);
  });
});
