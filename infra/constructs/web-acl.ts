// Creates the web ACL of the distribution. Its answers are problem documents, but of the media type application/json:
// AWS WAF does not allow another one.
//
// A search, a link in `url=` and a message to /mcp may contain any text, so no rule of AWS blocks that looks into a query or a
// body. Rules that AWS adds later do not block. Source: AWS WAF Developer Guide, "Baseline rule groups" and "IP reputation
// rule groups".
import { Fn, Stack } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { PUBLIC_HEADERS } from '../../shared/contract/headers.ts';
import { ERRORS_PATH } from '../../shared/contract/paths.ts';
import { platformProblems } from '../../shared/contract/platform-problems.ts';
import { problems } from '../../shared/contract/problem-rows.ts';
import { keysOf, tableOf } from '../../shared/model/json.ts';
import { CLOUDFRONT_REGION } from '../config/regions.ts';
import { SetupError } from '../config/setting.ts';
import type { Config } from '../config/settings.ts';
import { EDGE_OUTPUTS, edgeStackName } from '../edge-outputs.ts';

interface ManagedRuleGroup {
  /** In web ACL capacity units. */
  readonly capacity: number;
  readonly labelNamespace: string;
  /** The labels of the rules that block, without the namespace. */
  readonly blocking: readonly string[];
  /** The names of the rules that only count. Such a rule must not end the evaluation of its group. */
  readonly counting: Readonly<Record<string, string>>;
}

const QUERY = 'A search or a link in a query may contain any text.';
const BODY = 'A message to /mcp or the admin API may contain any text.';
const BODY_SIZE = 'A message to /mcp may have 256 KiB.';
const LENGTH = 'The functions answer 414 to a target that is too long.';

/** In the order of evaluation: the cheapest group first. */
const managedRuleGroups = {
  // Neither AWSManagedRulesAnonymousIpList, which blocks data centers, where most programs run, nor
  // AWSManagedRulesSQLiRuleSet: the service has no SQL, and searches have words of SQL.
  AWSManagedRulesAmazonIpReputationList: {
    capacity: 25,
    labelNamespace: 'awswaf:managed:aws:amazon-ip-list:',
    blocking: ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'],
    counting: { AWSManagedIPDDoSList: 'AWS itself only counts it; wafRateLimit answers load.' },
  },
  AWSManagedRulesKnownBadInputsRuleSet: {
    capacity: 200,
    labelNamespace: 'awswaf:managed:aws:known-bad-inputs:',
    blocking: [
      'JavaDeserializationRCE_Header',
      'JavaDeserializationRCE_URIPath',
      'Host_Localhost_Header',
      'Propfind_Method',
      'ExploitablePaths_URIPath',
      'Log4JRCE_Header',
      'Log4JRCE_URIPath',
    ],
    counting: {
      JavaDeserializationRCE_BODY: BODY,
      JavaDeserializationRCE_QUERYSTRING: QUERY,
      Log4JRCE_QUERYSTRING: QUERY,
      Log4JRCE_BODY: BODY,
    },
  },
  AWSManagedRulesCommonRuleSet: {
    capacity: 700,
    labelNamespace: 'awswaf:managed:aws:core-rule-set:',
    blocking: [
      'BadBots_Header',
      'SizeRestrictions_Cookie_Header',
      'EC2MetaDataSSRF_Cookie',
      'EC2MetaDataSSRF_URIPath',
      'GenericLFI_URIPath',
      'RestrictedExtensions_URIPath',
      'GenericRFI_URIPath',
      'CrossSiteScripting_Cookie',
      'CrossSiteScripting_URIPath',
    ],
    counting: {
      NoUserAgent_HEADER: 'Programs need no User-Agent.',
      SizeRestrictions_QUERYSTRING: LENGTH,
      SizeRestrictions_BODY: BODY_SIZE,
      SizeRestrictions_URIPATH: LENGTH,
      EC2MetaDataSSRF_BODY: BODY,
      EC2MetaDataSSRF_QUERYARGUMENTS: QUERY,
      GenericLFI_QUERYARGUMENTS: QUERY,
      GenericLFI_BODY: BODY,
      RestrictedExtensions_QUERYARGUMENTS: QUERY,
      GenericRFI_QUERYARGUMENTS: QUERY,
      GenericRFI_BODY: BODY,
      CrossSiteScripting_QUERYARGUMENTS: QUERY,
      CrossSiteScripting_BODY: BODY,
    },
  },
} as const satisfies Readonly<Record<string, ManagedRuleGroup>>;

export const managedRuleGroupRows: readonly (readonly [string, ManagedRuleGroup])[] = Object.entries(managedRuleGroups);

/** The labels of all rules that block. */
const blockingLabels: readonly string[] = managedRuleGroupRows.flatMap(([, { labelNamespace, blocking }]) =>
  blocking.map((label) => `${labelNamespace}${label}`),
);

/** The shortest time after which a blocked address is admitted again, and the time of Retry-After. */
const WINDOW_SECONDS = 300;

interface Rejection {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly resolution: string;
  readonly retryAfter?: number;
}

const rejections = {
  rateLimited: {
    code: 'rate_limited',
    ...problems.rate_limited,
    detail: 'This IP address has sent too many requests in the last 5 minutes.',
    retryAfter: WINDOW_SECONDS,
  },
  blocked: {
    code: 'request_blocked',
    ...platformProblems.request_blocked,
    detail: 'The firewall of this deployment blocks the address or the form of this request.',
  },
} as const satisfies Readonly<Record<string, Rejection>>;

/**
 * The web ACL does not know the requested path. An empty `instance` is a reference to the requested URL itself (RFC 3986
 * section 4.4). The domain name of the distribution, which needs the web ACL, is not known either.
 */
const bodyOf = (rejection: Rejection, baseUrl: string | undefined): string => {
  const { code, title, status, detail, resolution, retryAfter } = rejection;
  const type = baseUrl === undefined ? 'about:blank' : `${baseUrl}${ERRORS_PATH}#${code}`;
  const wait = retryAfter === undefined ? {} : { retry_after: retryAfter };
  return `${JSON.stringify({ type, title, status, code, detail, resolution, instance: '', ...wait })}\n`;
};

const blockWith = (key: keyof typeof rejections, { status, retryAfter }: Rejection): CfnWebACL.RuleActionProperty => ({
  block: {
    customResponse: {
      responseCode: status,
      customResponseBodyKey: key,
      responseHeaders: Object.entries({
        ...PUBLIC_HEADERS,
        'Cache-Control': 'no-store',
        ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      }).map(([name, value]) => ({ name, value })),
    },
  },
});

/** The rules without their priorities, which follow from the order. */
type Rule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>;

const rateRule = (limit: number): Rule => ({
  name: 'RateLimit',
  statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit, evaluationWindowSec: WINDOW_SECONDS } },
  action: blockWith('rateLimited', rejections.rateLimited),
});

/** The groups only label requests. The last rule blocks by label, because a rule of AWS cannot have our answer. */
const managedRules = (): readonly Rule[] => [
  ...managedRuleGroupRows.map(([name, { counting }]) => ({
    name,
    overrideAction: { count: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: Object.keys(counting).map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
  })),
  {
    name: 'BlockLabelled',
    action: blockWith('blocked', rejections.blocked),
    statement: {
      orStatement: { statements: blockingLabels.map((key) => ({ labelMatchStatement: { scope: 'LABEL', key } })) },
    },
  },
];

/** Creates a web ACL which allows every request that no rule blocks. AWS keeps no samples of requests. */
export const createWebAcl = (scope: Construct, { wafRateLimit, baseUrl }: Config): CfnWebACL => {
  const visibility = (name: string): CfnWebACL.VisibilityConfigProperty => ({
    cloudWatchMetricsEnabled: true,
    metricName: name,
    // A sample contains the address and the query of a request, which the service does not store.
    sampledRequestsEnabled: false,
  });
  const rules = [rateRule(wafRateLimit), ...managedRules()];
  const bodies = tableOf(keysOf(rejections), (name) => ({
    contentType: 'APPLICATION_JSON',
    content: bodyOf(rejections[name], baseUrl),
  }));
  return new CfnWebACL(scope, 'WebAcl', {
    scope: 'CLOUDFRONT',
    description: 'Postern: blocks by request rate and by the rules of AWS',
    defaultAction: { allow: {} },
    // CloudWatch has the metrics of a rule below this name.
    visibilityConfig: visibility(Stack.of(scope).stackName),
    customResponseBodies: bodies,
    rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visibility(rule.name) })),
  });
};

/**
 * @returns the ARN of the web ACL of the distribution: the operator's, a new one if the settings ask for it, or none. Outside us-east-1 another
 * stack creates it
 * @throws SetupError
 */
export const webAclOf = (scope: Construct, config: Config): string | undefined => {
  const { region, wafRateLimit, webAclArn } = config;
  if (wafRateLimit === 0) return webAclArn;
  if (webAclArn !== undefined) throw new SetupError('webAclArn replaces the web ACL of wafRateLimit: set one of them');
  return region === CLOUDFRONT_REGION
    ? createWebAcl(new Construct(scope, 'Firewall'), config).attrArn
    : Fn.getStackOutput(edgeStackName(config), EDGE_OUTPUTS.webAcl, CLOUDFRONT_REGION);
};
