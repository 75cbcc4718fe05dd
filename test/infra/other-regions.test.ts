// Judges the stacks in us-east-1 beside a service in another region, which have what CloudFront needs there, and the domain in
// a hosted zone.
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { isFullForm } from '../support/full-form.ts';
import { templatesOf } from './synthesized.ts';

const ZONE = { domainName: 'posts.example.org', hostedZoneId: 'Z0123456789ABCDEFGHIJ' };
const EVERYTHING = { ...ZONE, wafRateLimit: 1000, accessLogDays: 30, alarmEmail: 'ops@example.org' };

const all = templatesOf({ region: 'eu-west-1', ...EVERYTHING }, { isValidated: isFullForm });
const named = (name: string, templates = all): Template => {
  const found = templates.get(name);
  if (found === undefined) throw new Error(`there is no stack ${name}`);
  return found;
};
const output = (stackName: string, outputName: string, region: string) => ({
  'Fn::GetStackOutput': Match.objectLike({ StackName: stackName, OutputName: outputName, Region: region }),
});

describe('[platform 9] a service in another region', () => {
  test('has an alarm about 5xx of CloudFront in us-east-1, which mails', () => {
    const watch = named('Postern-watch');
    watch.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'Postern-watch-edge-failing',
      AlarmActions: [{ Ref: Match.stringLikeRegexp('^Alarms') }],
      Metrics: Match.arrayWith([
        Match.objectLike({
          MetricStat: Match.objectLike({
            Metric: Match.objectLike({
              MetricName: '5xxErrorRate',
              Dimensions: Match.arrayWith([
                { Name: 'DistributionId', Value: output('Postern', 'DistributionId', 'eu-west-1') },
              ]),
            }),
          }),
        }),
      ]),
    });
    watch.hasResourceProperties('AWS::SNS::Subscription', { Endpoint: 'ops@example.org' });
    // An alarm reads only the metrics of its own region.
    const namespaces = [...JSON.stringify(watch.toJSON()).matchAll(/"Namespace":"([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(namespaces)).toEqual(new Set(['AWS/CloudFront']));
  });

  test('has its access log delivered in us-east-1', () => {
    const source = named('Postern-watch').findResources('AWS::Logs::DeliverySource');
    expect(JSON.stringify(source)).toMatch(/:cloudfront::.*distribution\/.*Fn::GetStackOutput/);
    named('Postern').resourceCountIs('AWS::Logs::DeliverySource', 0);
  });

  test('takes its web ACL and its certificate from us-east-1', () => {
    const edge = named('Postern-edge');
    edge.resourceCountIs('AWS::WAFv2::WebACL', 1);
    edge.hasResourceProperties('AWS::CertificateManager::Certificate', {
      DomainName: ZONE.domainName,
      DomainValidationOptions: [{ DomainName: ZONE.domainName, HostedZoneId: ZONE.hostedZoneId }],
    });
    expect(Object.keys(edge.findOutputs('*'))).toEqual(['CertificateArn', 'WebAclArn']);
    named('Postern').hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        WebACLId: output('Postern-edge', 'WebAclArn', 'us-east-1'),
        ViewerCertificate: { AcmCertificateArn: output('Postern-edge', 'CertificateArn', 'us-east-1') },
      },
    });
  });

  test('has no stack for what the settings do not ask for', () => {
    const plain = templatesOf({ region: 'eu-west-1' });
    expect([...plain.keys()]).toEqual(['Postern', 'Postern-watch']);
    named('Postern-watch', plain).resourceCountIs('AWS::S3::Bucket', 0);
  });
});

describe('[platform 9] a service in us-east-1', () => {
  const templates = templatesOf(EVERYTHING);
  const stack = named('Postern', templates);

  test('is one stack with the same parts', () => {
    expect([...templates.keys()]).toEqual(['Postern']);
    for (const type of ['AWS::WAFv2::WebACL', 'AWS::CertificateManager::Certificate', 'AWS::Logs::DeliverySource'])
      stack.resourceCountIs(type, 1);
    stack.hasResourceProperties('AWS::CloudWatch::Alarm', { AlarmName: 'Postern-edge-failing' });
  });

  test.each(['A', 'AAAA'])('has a record %s of its domain in the hosted zone', (Type) => {
    stack.hasResourceProperties('AWS::Route53::RecordSet', {
      Type,
      Name: ZONE.domainName,
      HostedZoneId: ZONE.hostedZoneId,
      AliasTarget: {
        DNSName: { 'Fn::GetAtt': [Match.stringLikeRegexp('^CdnDistribution'), 'DomainName'] },
        HostedZoneId: 'Z2FDTNDATAQYW2',
      },
    });
  });

  test('keeps the certificate of the operator, if there is one', () => {
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';
    const own = named('Postern', templatesOf({ ...ZONE, certificateArn }));
    own.resourceCountIs('AWS::CertificateManager::Certificate', 0);
    own.resourceCountIs('AWS::Route53::RecordSet', 2);
    own.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { ViewerCertificate: { AcmCertificateArn: certificateArn } },
    });
  });
});
