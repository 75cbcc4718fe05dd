// Tests the settings that protect a deployment from load and cost.
import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../infra/config/read-config.ts';
import { SHIELD_REGIONS } from '../../infra/config/regions.ts';
import { SetupError } from '../../infra/config/setting.ts';
import { WEB_ACL_RULES } from '../../infra/config/settings.ts';
import { managedRuleGroupRows } from '../../infra/constructs/web-acl.ts';
import { isProblem } from '../support/problem-schema.ts';
import { createStack, templateOf } from './synthesized.ts';

const WEB_ACL_ARN = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/own/11111111-2222-3333-4444-555555555555';

const only = (template: Template, type: string) => {
  const rows = Object.entries(template.findResources(type));
  expect(rows).toHaveLength(1);
  const [[id, { Properties }] = ['', { Properties: {} }]] = rows;
  return { id, ...Properties };
};

const distributionOf = (template: Template) => only(template, 'AWS::CloudFront::Distribution').DistributionConfig;

const refusal = (settings: Readonly<Record<string, unknown>>): string => {
  try {
    createStack(settings);
  } catch (error) {
    if (error instanceof SetupError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('without a setting', () => {
  const template = templateOf();

  test('there is no guard, so that AWS answers and bills as little as possible', () => {
    for (const type of ['AWS::WAFv2::WebACL', 'AWS::Budgets::Budget']) template.resourceCountIs(type, 0);
    expect(distributionOf(template)).not.toHaveProperty('WebACLId');
    for (const origin of distributionOf(template).Origins) expect(origin).not.toHaveProperty('OriginShield');
  });

  test('every setting of the table of guards exists', () => {
    const page = readFileSync(new URL('../../docs/operators/self-hosting.md', import.meta.url), 'utf8');
    const section = page.slice(page.indexOf('\n## Guards'));
    const known = readConfig({ webAclArn: WEB_ACL_ARN });
    const named = [...section.slice(0, section.indexOf('\n- ')).matchAll(/^\| `(\w+)` \|/gm)].map(
      ([, name = '']) => name,
    );
    expect(named).toEqual(['wafRateLimit', 'webAclArn', 'originShield', 'monthlyBudget']);
    for (const name of named) expect(known).toHaveProperty(name);
  });
});

interface WafRule {
  readonly Name: string;
  readonly Priority: number;
  // biome-ignore lint/suspicious/noExplicitAny: a rule of a template
  readonly [member: string]: any;
}

describe('the web ACL', () => {
  const both = templateOf({ wafRateLimit: 2000, baseUrl: 'https://posts.example.org' });
  const acl = only(both, 'AWS::WAFv2::WebACL');
  const rules: readonly WafRule[] = acl.Rules;
  const ruleOf = (name: string): WafRule => {
    const found = rules.find(({ Name }) => Name === name);
    if (found === undefined) throw new Error(`there is no rule ${name}`);
    return found;
  };

  test('has the scope of CloudFront, allows by default, and belongs to the distribution', () => {
    expect(acl).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } });
    expect(distributionOf(both).WebACLId).toEqual({ 'Fn::GetAtt': [acl.id, 'Arn'] });
    // For CloudFront, the distribution names the web ACL; an association exists only for regional resources
    // (AWS::WAFv2::WebACLAssociation).
    both.resourceCountIs('AWS::WAFv2::WebACLAssociation', 0);
  });

  test('stores no sample, which would contain the address and the query of a caller', () => {
    for (const { VisibilityConfig } of [acl, ...rules]) expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  });

  test('evaluates the rate first and blocks by label last', () => {
    expect(rules.map(({ Name, Priority }) => [Priority, Name])).toEqual([
      [0, 'RateLimit'],
      [1, 'AWSManagedRulesAmazonIpReputationList'],
      [2, 'AWSManagedRulesKnownBadInputsRuleSet'],
      [3, 'AWSManagedRulesCommonRuleSet'],
      [4, 'BlockLabelled'],
    ]);
  });

  const bodyOf = ({ Action }: WafRule) => {
    const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = Action.Block.CustomResponse;
    const { ContentType, Content } = acl.CustomResponseBodies[CustomResponseBodyKey];
    const headers = new Map<string, string>(
      ResponseHeaders.map(({ Name, Value }: Readonly<Record<string, string>>) => [Name, Value]),
    );
    return { status: ResponseCode, type: ContentType, problem: JSON.parse(Content), headers };
  };

  test('[platform 1] above the rate, a caller gets 429 as a problem document with Retry-After', () => {
    const { status, type, problem, headers } = bodyOf(ruleOf('RateLimit'));
    expect(ruleOf('RateLimit').Statement.RateBasedStatement).toEqual({
      AggregateKeyType: 'IP',
      EvaluationWindowSec: 300,
      Limit: 2000,
    });
    expect([status, type]).toEqual([429, 'APPLICATION_JSON']);
    expect(problem).toEqual({
      type: 'https://posts.example.org/docs/errors#rate_limited',
      title: 'Rate limit exceeded',
      status: 429,
      code: 'rate_limited',
      detail: 'This IP address has sent too many requests in the last 5 minutes.',
      resolution: 'Wait the number of seconds in Retry-After, then send the request again.',
      instance: '',
      retry_after: 300,
    });
    expect(isProblem(problem), JSON.stringify(isProblem.errors)).toBe(true);
    expect(headers.get('Retry-After')).toBe('300');
  });

  test('[platform 1] a blocked request gets 403 as a problem document', () => {
    const { status, type, problem, headers } = bodyOf(ruleOf('BlockLabelled'));
    expect([status, type]).toEqual([403, 'APPLICATION_JSON']);
    expect(problem).toMatchObject({
      type: 'https://posts.example.org/docs/errors#request_blocked',
      status: 403,
      code: 'request_blocked',
    });
    expect(isProblem(problem), JSON.stringify(isProblem.errors)).toBe(true);
    expect(headers.has('Retry-After')).toBe(false);
  });

  test.each(['RateLimit', 'BlockLabelled'])(
    '%s: pages of other origins can read the answer, no cache stores it',
    (name) => {
      const { headers } = bodyOf(ruleOf(name));
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    },
  );

  test('without a base URL, a problem has no type of its own', () => {
    const { CustomResponseBodies } = only(templateOf({ wafRateLimit: 10 }), 'AWS::WAFv2::WebACL');
    expect(JSON.parse(CustomResponseBodies.rateLimited.Content)).toMatchObject({
      type: 'about:blank',
      code: 'rate_limited',
    });
  });

  // AWS WAF Developer Guide, "AWS WAF quotas" and "Custom responses for Block actions".
  test('is within the limits that only a deployment checks', () => {
    const contents = Object.values<{ readonly Content: string }>(acl.CustomResponseBodies);
    for (const { Content } of contents) expect(Buffer.byteLength(Content)).toBeLessThanOrEqual(4096);
    for (const name of ['RateLimit', 'BlockLabelled']) {
      const { headers, status } = bodyOf(ruleOf(name));
      expect(headers.size).toBeLessThanOrEqual(10);
      const bytes = [...headers].reduce((sum, [field, value]) => sum + field.length + value.length, 0);
      expect(bytes).toBeLessThanOrEqual(4096);
      expect([...headers.keys()].map((field) => field.toLowerCase())).not.toContain('content-type');
      // The list of supported status codes has both.
      expect([403, 429]).toContain(status);
    }
    for (const { VisibilityConfig } of [acl, ...rules]) expect(VisibilityConfig.MetricName).toMatch(/^[\w-]{1,128}$/);
    // A web ACL with more than 1,500 units costs extra. A rate rule has 2 units, a label match 1.
    const labels = ruleOf('BlockLabelled').Statement.OrStatement.Statements.length;
    const groups = managedRuleGroupRows.reduce((sum, [, { capacity }]) => sum + capacity, 0);
    expect(groups + labels + 2).toBeLessThanOrEqual(1500);
  });

  test('rules of AWS only label, so that every blocked caller gets our answer', () => {
    for (const [name] of managedRuleGroupRows) {
      expect(ruleOf(name)).toMatchObject({ OverrideAction: { Count: {} } });
      expect(ruleOf(name)).not.toHaveProperty('Action');
    }
    const labelled = ruleOf('BlockLabelled').Statement.OrStatement.Statements.map(
      ({ LabelMatchStatement }: WafRule) => LabelMatchStatement.Key,
    );
    expect(labelled).toContain('awswaf:managed:aws:core-rule-set:GenericLFI_URIPath');
    expect(labelled).toContain('awswaf:managed:aws:known-bad-inputs:Log4JRCE_Header');
    expect(labelled).toContain('awswaf:managed:aws:amazon-ip-list:AWSManagedIPReputationList');
    expect(labelled).toHaveLength(18);
  });

  test('no rule blocks by what a search, a link in a query or a message to /mcp contains, or by the absence of User-Agent', () => {
    const labels: readonly string[] = ruleOf('BlockLabelled').Statement.OrStatement.Statements.map(
      ({ LabelMatchStatement }: WafRule) => LabelMatchStatement.Key,
    );
    for (const label of labels)
      expect(label).not.toMatch(/Query|Body|NoUserAgent|SizeRestrictions_URIPath|SQLi|Anonymous|Hosting/i);
    // The rules that inspect them must not end the evaluation of their group.
    const counted = (name: string): readonly string[] =>
      ruleOf(name).Statement.ManagedRuleGroupStatement.RuleActionOverrides.map(
        ({ Name, ActionToUse }: WafRule) => `${Name} ${Object.keys(ActionToUse)}`,
      );
    expect(counted('AWSManagedRulesCommonRuleSet')).toEqual(
      [
        'NoUserAgent_HEADER SizeRestrictions_QUERYSTRING SizeRestrictions_BODY SizeRestrictions_URIPATH',
        'EC2MetaDataSSRF_BODY EC2MetaDataSSRF_QUERYARGUMENTS GenericLFI_QUERYARGUMENTS GenericLFI_BODY',
        'RestrictedExtensions_QUERYARGUMENTS GenericRFI_QUERYARGUMENTS GenericRFI_BODY',
        'CrossSiteScripting_QUERYARGUMENTS CrossSiteScripting_BODY',
      ]
        .flatMap((names) => names.split(' '))
        .map((name) => `${name} Count`),
    );
  });

  test('has as many rules and groups as the tables of prices bill', () => {
    expect(rules).toHaveLength(WEB_ACL_RULES);
  });

  test('can be the operator’s, also in another region', () => {
    const own = templateOf({ webAclArn: WEB_ACL_ARN, region: 'eu-west-1' });
    own.resourceCountIs('AWS::WAFv2::WebACL', 0);
    expect(distributionOf(own).WebACLId).toBe(WEB_ACL_ARN);
  });

  test('settings that cannot work are refused in a sentence', () => {
    expect(refusal({ webAclArn: WEB_ACL_ARN, wafRateLimit: 10 })).toBe(
      'webAclArn replaces the web ACL of wafRateLimit: set one of them',
    );
    // AWS WAF does not accept a lower limit.
    expect(() => readConfig({ wafRateLimit: 9 })).toThrow(/^wafRateLimit must be a whole number from 10/);
  });
});

describe('Origin Shield', () => {
  test.each([
    ['us-east-1', 'us-east-1'],
    ['eu-central-1', 'eu-central-1'],
    // Regions without Origin Shield have the region that AWS recommends.
    ['us-west-1', 'us-west-2'],
    ['eu-north-1', 'eu-west-2'],
    ['ca-central-1', 'us-east-1'],
    ['me-south-1', 'ap-south-1'],
  ])('of a stack in %s is in %s, for both origins', (region, shield) => {
    const { Origins } = distributionOf(templateOf({ originShield: true, region }));
    expect(Origins).toHaveLength(2);
    for (const { OriginShield } of Origins) {
      expect(OriginShield).toEqual({ Enabled: true, OriginShieldRegion: shield });
    }
    expect(SHIELD_REGIONS).toContain(shield);
  });

  test('is refused where AWS names no region', () => {
    expect(refusal({ originShield: true, region: 'il-central-1' })).toMatch(
      /^originShield: AWS names no region of Origin Shield for il-central-1; set originShield to false, or deploy to one of us-east-1, /,
    );
  });
});

describe('the budget', () => {
  const notifications = (settings: Readonly<Record<string, unknown>>): readonly string[] =>
    only(templateOf({ monthlyBudget: 30, ...settings }), 'AWS::Budgets::Budget').NotificationsWithSubscribers.map(
      ({ Notification, Subscribers }: WafRule) => {
        const { NotificationType, ComparisonOperator, Threshold, ThresholdType } = Notification;
        const addresses = Subscribers.map(({ SubscriptionType, Address }: WafRule) => `${SubscriptionType} ${Address}`);
        return `${NotificationType} ${ComparisonOperator} ${Threshold} ${ThresholdType}: ${addresses}`;
      },
    );

  test('mails the operator before, at and above the limit', () => {
    expect(notifications({ alarmEmail: 'ops@example.org' })).toEqual([
      'ACTUAL GREATER_THAN 50 PERCENTAGE: EMAIL ops@example.org',
      'ACTUAL GREATER_THAN 80 PERCENTAGE: EMAIL ops@example.org',
      'ACTUAL GREATER_THAN 100 PERCENTAGE: EMAIL ops@example.org',
      'FORECASTED GREATER_THAN 100 PERCENTAGE: EMAIL ops@example.org',
    ]);
  });

  test('is a monthly amount of the account, without a filter that would hide costs until a tag is activated', () => {
    const { Budget } = only(templateOf({ monthlyBudget: 30, alarmEmail: 'ops@example.org' }), 'AWS::Budgets::Budget');
    expect(Budget).toEqual({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 30, Unit: 'USD' },
    });
  });

  test('is refused without an address', () => {
    expect(refusal({ monthlyBudget: 30 })).toBe(
      'monthlyBudget needs alarmEmail, the address that AWS sends the email to',
    );
  });
});
