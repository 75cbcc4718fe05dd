// Lists the settings that protect a deployment from load and cost, with their price. The construct of each is in
// infra/constructs.
import type { PriceName } from './prices.ts';

/** Without members, a guard costs nothing. */
export interface GuardPrice {
  /** Quantities per month that do not depend on the requests. */
  readonly monthly?: Partial<Readonly<Record<PriceName, number>>>;
  readonly perRequest?: PriceName;
  /** The requests that are billed. @default all */
  readonly counted?: string;
}

export interface GuardRow {
  /** Names of settings in infra/config. */
  readonly settings: readonly string[];
  readonly effect: string;
  /** The answer to a caller that the guard rejects. */
  readonly rejection?: string;
  readonly price: GuardPrice;
}

export const guards = {
  webAcl: {
    settings: ['wafRateLimit'],
    effect:
      'A web ACL counts the requests of each IP address in 5 minutes, also those that the cache answers, and blocks the address above the limit. Callers behind one address share the limit. It also blocks addresses with a bad reputation, and paths, headers and cookies of known attacks. It only counts what looks like an attack in a query or a body, because a search may contain any text.',
    rejection: '429 with `Retry-After: 300`, or 403',
    price: { monthly: { webAcls: 1, webAclRules: 5 }, perRequest: 'webAclRequests' },
  },
  ownWebAcl: {
    settings: ['webAclArn'],
    effect: 'CloudFront uses a web ACL of yours. It decides what callers see.',
    price: {},
  },
  originShield: {
    settings: ['originShield'],
    effect:
      'One more cache of CloudFront in front of the functions, in the nearest region that has one. The functions answer fewer equal requests.',
    price: { perRequest: 'originShield', counted: 'requests that the other caches do not answer' },
  },
  budget: {
    settings: ['monthlyBudget'],
    effect:
      'AWS sends an email when the costs of the account reach 50, 80 and 100 % of this amount, or are forecast to reach it. Nothing is turned off. Requires `alarmEmail`.',
    price: {},
  },
} as const satisfies Readonly<Record<string, GuardRow>>;
