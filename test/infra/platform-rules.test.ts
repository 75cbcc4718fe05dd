// Checks the rules of AWS that only a deployment checks, with and without guards. The source of each rule is beside it.
import { describe, expect, test } from 'vitest';
import { SHIELD_REGIONS } from '../../infra/config/regions.ts';
import { LAMBDA_TIMEOUT_SECONDS } from '../../shared/contract/lambdas.ts';
import { type Context, configurations } from './configurations.ts';
import { templateOf } from './synthesized.ts';

const { default: plain, domain, everything, 'everything, another region': elsewhere } = configurations;

// CloudFront API Reference, CustomErrorResponse: 401 and 429 are not in the list.
const ERROR_CODES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

// biome-ignore lint/suspicious/noExplicitAny: a part of a template
type Part = any;

const partsOf = (settings: Context) => {
  const template = templateOf(settings);
  const all = (type: string): readonly (readonly [string, Part])[] =>
    Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties]);
  const [[, { DistributionConfig: distribution }] = ['', { DistributionConfig: {} }]] = all(
    'AWS::CloudFront::Distribution',
  );
  const behaviors: readonly Part[] = [...distribution.CacheBehaviors, distribution.DefaultCacheBehavior];
  const cachePolicies = all('AWS::CloudFront::CachePolicy').map(([, row]) => row.CachePolicyConfig);
  return { all, distribution, behaviors, cachePolicies };
};

describe.each(Object.entries<Context>({ plain, domain, everything, elsewhere }))('%s', (_, settings) => {
  const { all, distribution, behaviors, cachePolicies } = partsOf(settings);

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
    // "General quotas on distributions": 75 behaviors and 25 origins. "Quotas on custom headers": 10 for an origin.
    expect(behaviors.length).toBeLessThanOrEqual(75);
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
});
