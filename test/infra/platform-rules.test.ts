// Checks the statements about the edge, and the rules of AWS that only a deployment checks, over every configuration of
// the guards. The source of each rule is beside it.
import { Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { matchesPattern } from '../../infra/cache-behaviors.ts';
import { readConfig } from '../../infra/config.ts';
import { SHIELD_REGIONS } from '../../infra/origin-shield.ts';
import { PosternStack } from '../../infra/stack.ts';
import { LAMBDA_TIMEOUT_SECONDS } from '../../shared/contract/lambdas.ts';
import { operationRows, pathsOf } from '../../shared/contract/operations.ts';
import { routeKey } from '../../shared/contract/path-template.ts';
import { isHeaderOfCloudFront } from './edge-runtime.ts';
import { faultsOf } from './evaluation/judge.ts';
import { createStack, dist, synthesize, templateOf, unvalidatedApp } from './synthesized.ts';

const DOMAIN = {
  domainName: 'posts.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
};
const WEB_ACL = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/own/11111111-2222-3333-4444-555555555555';
const ALARMS = { alarmEmail: 'ops@example.org' };

const configurations: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  default: {},
  'web ACL, domain': { wafRateLimit: 1000, ...DOMAIN },
  'own web ACL, shield, another region': { webAclArn: WEB_ACL, originShield: true, region: 'ap-east-1' },
  'rotated secrets': { originSecretVersion: 2, cursorSecretVersion: 2 },
  'budget, base URL': { monthlyBudget: 20, ...ALARMS, baseUrl: 'https://posts.example.org' },
  everything: {
    ...DOMAIN,
    ...ALARMS,
    wafRateLimit: 1000,
    originShield: true,
    monthlyBudget: 20,
    originSecretVersion: 2,
  },
};

// CloudFront API Reference, CustomErrorResponse: 401 and 429 are not in the list.
const ERROR_CODES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

// biome-ignore lint/suspicious/noExplicitAny: a part of a template
type Part = any;

const partsOf = (settings: Readonly<Record<string, unknown>>) => {
  const template = templateOf(settings);
  const all = (type: string): readonly (readonly [string, Part])[] =>
    Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties]);
  const [[, { DistributionConfig: distribution }] = ['', { DistributionConfig: {} }]] = all(
    'AWS::CloudFront::Distribution',
  );
  const behaviors: readonly Part[] = [...distribution.CacheBehaviors, distribution.DefaultCacheBehavior];
  const cachePolicies = all('AWS::CloudFront::CachePolicy').map(([, row]) => row.CachePolicyConfig);
  return { template, all, distribution, behaviors, cachePolicies };
};

describe.each(Object.entries(configurations))('%s', (_, settings) => {
  const { template, all, distribution, behaviors, cachePolicies } = partsOf(settings);

  test('[methods 2] [methods 4] every method reaches the function of its path', () => {
    const routes = all('AWS::ApiGatewayV2::Route').map(([, { RouteKey }]) => RouteKey);
    for (const path of operationRows.flatMap(([, row]) => pathsOf(row))) expect(routes).toContain(routeKey(path));
    for (const { AllowedMethods } of behaviors) expect(AllowedMethods).toHaveLength(7);
  });

  test('[caching 3] [caching 9] no error is cached beyond its Cache-Control, and no page replaces it', () => {
    expect(distribution.CustomErrorResponses).toEqual(
      ERROR_CODES.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });

  test('[caching 7] [caching 8] the edge function normalizes parameters and Accept in every behavior', () => {
    const [[edge] = ['']] = all('AWS::CloudFront::Function');
    for (const { FunctionAssociations } of behaviors) {
      expect(FunctionAssociations).toEqual([
        { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [edge, 'FunctionARN'] } },
      ]);
    }
    for (const { ParametersInCacheKeyAndForwardedToOrigin: key } of cachePolicies) {
      expect(key.HeadersConfig.Headers).toContain('Accept');
      expect(key.QueryStringsConfig).toEqual({ QueryStringBehavior: 'all' });
    }
  });

  test('[platform 1] the functions answer before API Gateway and CloudFront give up', () => {
    for (const { CustomOriginConfig } of distribution.Origins) {
      expect(CustomOriginConfig.OriginReadTimeout).toBeGreaterThan(LAMBDA_TIMEOUT_SECONDS);
    }
    // HTTP API: at most 30 s, which is the default.
    for (const [, integration] of all('AWS::ApiGatewayV2::Integration')) {
      expect((integration.TimeoutInMillis ?? 30_000) / 1000).toBeGreaterThan(LAMBDA_TIMEOUT_SECONDS);
      expect(integration).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
    }
  });

  test('[platform 2] policies never override a header of a function, and Link is in at most one line', () => {
    for (const [, { ResponseHeadersPolicyConfig: policy }] of all('AWS::CloudFront::ResponseHeadersPolicy')) {
      expect(JSON.stringify(policy)).not.toMatch(/"(Origin)?Override":true/);
      const names = (policy.CustomHeadersConfig?.Items ?? []).map(({ Header }: Part) => Header);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('[platform 3] discovery answers unknown paths, and API Gateway no preflight', () => {
    const [, route] = all('AWS::ApiGatewayV2::Route').find(([, { RouteKey }]) => RouteKey === '$default') ?? [];
    const integration = template.toJSON().Resources[route?.Target['Fn::Join'][1][1].Ref];
    expect(integration.Properties.IntegrationUri).toEqual({ 'Fn::GetAtt': ['DiscoveryFunction', 'Arn'] });
    for (const [, api] of all('AWS::ApiGatewayV2::Api')) expect(api).not.toHaveProperty('CorsConfiguration');
  });

  test('programs that use HTTP are rejected, people are redirected, and every answer has HSTS', () => {
    const policies = new Map(all('AWS::CloudFront::ResponseHeadersPolicy'));
    for (const { PathPattern = '*', ViewerProtocolPolicy, ResponseHeadersPolicyId } of behaviors) {
      const isProgram = /^\/(mcp$|admin|api\/)/.test(PathPattern);
      expect(ViewerProtocolPolicy, PathPattern).toBe(isProgram ? 'https-only' : 'redirect-to-https');
      const { SecurityHeadersConfig } = policies.get(ResponseHeadersPolicyId.Ref).ResponseHeadersPolicyConfig;
      expect(SecurityHeadersConfig.StrictTransportSecurity.AccessControlMaxAgeSec).toBe(31_536_000);
    }
    const first = (path: string) =>
      distribution.CacheBehaviors.find(({ PathPattern }: Part) => matchesPattern(PathPattern, path));
    expect(first('/api/v1/anything/status/1').ViewerProtocolPolicy).toBe('https-only');
  });

  test('every required call is allowed', () => {
    // The evaluator judges a deployment in us-east-1.
    const region = String(settings['region'] ?? 'us-east-1');
    const json = JSON.stringify(template.toJSON()).replaceAll(region, 'us-east-1');
    expect(faultsOf(JSON.parse(json))).toEqual([]);
  });

  test('CloudFront accepts the policies', () => {
    // "Quotas on policies": 10 headers. A policy without a maximum TTL may not have headers ("Control the cache key").
    for (const { MaxTTL, ParametersInCacheKeyAndForwardedToOrigin: key } of cachePolicies) {
      expect(key.HeadersConfig.Headers.length).toBeLessThanOrEqual(10);
      expect(MaxTTL).toBeGreaterThan(0);
    }
    const requestPolicies = all('AWS::CloudFront::OriginRequestPolicy').map(([, row]) => row.OriginRequestPolicyConfig);
    for (const { HeadersConfig } of requestPolicies) {
      expect(HeadersConfig.Headers.length).toBeLessThanOrEqual(10);
      // CloudFront rejects both names in an origin request policy.
      expect(HeadersConfig.Headers.join()).not.toMatch(/authorization|accept-encoding/i);
      // The edge function sets all of them.
      expect(HeadersConfig.Headers.filter(isHeaderOfCloudFront)).toEqual([]);
    }
    // "Quotas on policies": 20 of a kind in an account, and 10 custom headers in a policy.
    for (const kind of ['CachePolicy', 'OriginRequestPolicy', 'ResponseHeadersPolicy']) {
      expect(all(`AWS::CloudFront::${kind}`).length).toBeLessThanOrEqual(20 / 4);
    }
    for (const [, { ResponseHeadersPolicyConfig }] of all('AWS::CloudFront::ResponseHeadersPolicy')) {
      expect(ResponseHeadersPolicyConfig.CustomHeadersConfig?.Items.length ?? 0).toBeLessThanOrEqual(10);
    }
  });

  test('CloudFront accepts the distribution', () => {
    // "General quotas on distributions": 25 behaviors and 25 origins. "Quotas on custom headers": 10 for an origin.
    expect(behaviors.length).toBeLessThanOrEqual(25);
    expect(distribution.Origins.length).toBeLessThanOrEqual(25);
    for (const { OriginCustomHeaders, OriginShield } of distribution.Origins) {
      expect(OriginCustomHeaders.length).toBeLessThanOrEqual(10);
      // "Choosing the AWS Region for Origin Shield".
      if (OriginShield !== undefined) expect(SHIELD_REGIONS).toContain(OriginShield.OriginShieldRegion);
    }
    for (const { ErrorCode } of distribution.CustomErrorResponses) expect(ERROR_CODES).toContain(ErrorCode);
    const patterns = distribution.CacheBehaviors.map(({ PathPattern }: Part) => PathPattern);
    expect(new Set(patterns).size).toBe(patterns.length);
    // CloudFront Developer Guide, "Path pattern": at most 255 characters of this list.
    for (const pattern of patterns) expect(pattern).toMatch(/^[A-Za-z0-9_\-.*$/~"'@:+&]{1,255}$/);
  });

  test('the web ACL is global, in the region of CloudFront, and named by the distribution', () => {
    const own = all('AWS::WAFv2::WebACL');
    if (settings['webAclArn'] !== undefined) expect(distribution.WebACLId).toBe(WEB_ACL);
    for (const [id, { Scope, Rules }] of own) {
      expect(Scope).toBe('CLOUDFRONT');
      expect(settings['region'] ?? 'us-east-1').toBe('us-east-1');
      expect(distribution.WebACLId).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
      // AWS WAF API Reference, RateBasedStatement: at least 10.
      for (const { Statement } of Rules) expect(Statement.RateBasedStatement?.Limit ?? 10).toBeGreaterThanOrEqual(10);
    }
  });
});

describe('names of policies', () => {
  const namesOf = (stackName: string, region: string): readonly string[] => {
    const config = readConfig({ region });
    const stack = new PosternStack(unvalidatedApp(), stackName, { config, dist });
    const { Resources } = Template.fromStack(stack).toJSON();
    synthesize(stack);
    const kinds = ['CachePolicyConfig', 'OriginRequestPolicyConfig', 'ResponseHeadersPolicyConfig'];
    const names = Object.values<Part>(Resources).flatMap(({ Properties }) =>
      kinds.map((kind) => Properties?.[kind]?.Name).filter(Boolean),
    );
    expect(names).toHaveLength(7);
    return names;
  };

  // An account has one namespace for all regions.
  test('differ between stacks and regions', () => {
    const all = [
      ['Postern', 'us-east-1'],
      ['Postern', 'eu-west-1'],
      ['Staging', 'us-east-1'],
      [`${'S'.repeat(99)}1`, 'us-east-1'],
      [`${'S'.repeat(99)}2`, 'us-east-1'],
      [`${'S'.repeat(99)}1`, 'ap-northeast-1'],
    ].flatMap(([stackName = '', region = '']) => namesOf(stackName, region));
    expect(new Set(all).size).toBe(42);
    for (const name of all) expect(name).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
  });

  test('are those of the releases before', () => {
    expect(namesOf('Postern', 'us-east-1')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^PosternCdn[0-9A-F]{8}-Viewer-us-east-1$/)]),
    );
  });
});

describe('AwsSolutions', () => {
  test('a web ACL needs no acknowledgement', () => {
    const stack = createStack(configurations['everything']);
    Validations.of(stack).addPlugins(new AwsSolutionsChecks(stack));
    const others = ['APIG4', 'APIG1', 'CFR1', 'CFR3', 'SMG4'];
    for (const id of others) {
      Validations.of(stack).acknowledge({ id: `AwsSolutions::AwsSolutions-${id}`, reason: 'as without a web ACL' });
    }
    expect(() => synthesize(stack)).not.toThrow();
  });
});
