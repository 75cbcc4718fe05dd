// Lists the settings that protect a deployment from load and cost, with their price. The construct of each is in
// infra/constructs.

/** US dollars in us-east-1. A missing part costs nothing. */
export interface GuardPrice {
  readonly monthly?: number;
  /** Per million requests that `counted` names. */
  readonly perMillion?: number;
  readonly counted?: string;
}

export interface GuardRow {
  /** Names of settings in infra/config.ts. */
  readonly settings: readonly string[];
  readonly effect: string;
  /** The answer to a caller that the guard rejects. */
  readonly rejection?: string;
  readonly price: GuardPrice;
  /** The page with the price. */
  readonly source: string;
}

/** The day on which the prices were compared with their pages. */
export const GUARD_PRICES_DATE = '2026-11-22';

const WAF_PRICES = 'https://aws.amazon.com/waf/pricing/';

/** The rule groups of AWS in the web ACL, and the rule that blocks what they found, cost $1 each. */
export const guards = {
  rateLimit: {
    settings: ['wafRateLimit'],
    effect:
      'A web ACL counts the requests of each IP address in 5 minutes, also those that the cache answers, and blocks the address above the limit. Callers behind one address share the limit.',
    rejection: '429 with `Retry-After: 300`',
    price: { monthly: 6, perMillion: 0.6, counted: 'requests' },
    source: WAF_PRICES,
  },
  managedRules: {
    settings: ['wafManagedRules'],
    effect:
      'A web ACL blocks addresses with a bad reputation and paths, headers and cookies of known attacks. It only counts what looks like an attack in a query or a body, because a search may contain any text.',
    rejection: '403',
    price: { monthly: 9, perMillion: 0.6, counted: 'requests' },
    source: WAF_PRICES,
  },
  ownWebAcl: {
    settings: ['webAclArn'],
    effect: 'CloudFront uses a web ACL of yours. It decides what callers see.',
    price: {},
    source: WAF_PRICES,
  },
  throttle: {
    settings: ['apiThrottleRate', 'apiThrottleBurst'],
    effect:
      'API Gateway admits this number of requests per second, and this number at once, for all callers together. Answers of the cache and `/mcp` do not count.',
    rejection: '429 without `Retry-After`, not a problem document',
    price: {},
    source: 'https://aws.amazon.com/api-gateway/pricing/',
  },
  reservedConcurrency: {
    settings: ['reservedConcurrency'],
    effect:
      'A function runs at most this number of times at once. No other function of the account can use this share of the limit of the account.',
    rejection: '429, 500 or 503, not a problem document',
    price: {},
    source: 'https://aws.amazon.com/lambda/pricing/',
  },
  originShield: {
    settings: ['originShield'],
    effect:
      'One more cache of CloudFront in front of the functions, in the nearest region that has one. The functions answer fewer equal requests.',
    price: { perMillion: 0.75, counted: 'requests that the other caches do not answer' },
    source: 'https://aws.amazon.com/cloudfront/pricing/',
  },
  budget: {
    settings: ['monthlyBudget'],
    effect:
      'AWS sends an email when the costs of the account reach 50, 80 and 100 % of this amount, or are forecast to reach it. Nothing is turned off. Requires `alarmEmail` or `ticketEmail`.',
    price: {},
    source: 'https://aws.amazon.com/aws-cost-management/aws-budgets/pricing/',
  },
} as const satisfies Readonly<Record<string, GuardRow>>;

/** The first web ACL costs this amount per month; `rateLimit` and `managedRules` contain it and share it. */
export const WEB_ACL_MONTHLY = 5;
