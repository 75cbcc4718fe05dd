// Lists the prices of AWS that a deployment pays, for the tables of costs. They are list prices of us-east-1 in US
// dollars without taxes. A price changes here and nowhere else.

// Lists the settings that protect a deployment from load and cost, with their price. The construct of each is in
// infra/constructs.

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

/** Up to this quantity per month, a unit costs this much. The last tier has no end. */
export type PriceTier = readonly [upTo: number, usd: number];

export interface PriceRow {
  /** The billed quantity. */
  readonly what: string;
  /** The unit of the price. */
  readonly per: string;
  /** Units of the quantity per unit of the price: 10,000 requests have one price. */
  readonly units: number;
  /** The bounds count units of the quantity. */
  readonly tiers: readonly PriceTier[];
  /** The quantity that every account has without charge each month, as long as AWS offers it. */
  readonly free?: number;
  /** The page that publishes the price. */
  readonly source: keyof typeof priceSources;
}

export const priceSources = {
  apiGateway: 'https://aws.amazon.com/api-gateway/pricing/',
  cloudFront: 'https://aws.amazon.com/cloudfront/pricing/',
  cloudWatch: 'https://aws.amazon.com/cloudwatch/pricing/',
  dynamoDb: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  lambda: 'https://aws.amazon.com/lambda/pricing/',
  s3: 'https://aws.amazon.com/s3/pricing/',
  secretsManager: 'https://aws.amazon.com/secrets-manager/pricing/',
  waf: 'https://aws.amazon.com/waf/pricing/',
} as const;

const MILLION = 1e6;
const TB = 1000;

type Price = Pick<PriceRow, 'per' | 'units' | 'tiers'>;

/** @param price of any quantity, or the tiers */
const priced = (per: string, units: number, price: number | readonly PriceTier[]): Price => ({
  per,
  units,
  tiers: typeof price === 'number' ? [[Number.POSITIVE_INFINITY, price]] : price,
});

const perTenThousand = (usd: number): Price => priced('10,000', 10_000, usd);
const perMillion = (price: number | readonly PriceTier[]): Price => priced('million', MILLION, price);

/** Data is in GB of 10^9 bytes, and a month has 730 hours. */
export const prices = {
  cdnRequests: {
    what: 'CloudFront, HTTPS requests from North America and Europe',
    ...perTenThousand(0.01),
    free: 10 * MILLION,
    source: 'cloudFront',
  },
  cdnData: {
    what: 'CloudFront, data to North America and Europe',
    ...priced('GB', 1, [
      [10 * TB, 0.085],
      [50 * TB, 0.08],
      [150 * TB, 0.06],
      [500 * TB, 0.04],
      [1024 * TB, 0.03],
      [5024 * TB, 0.025],
      [Number.POSITIVE_INFINITY, 0.02],
    ]),
    free: TB,
    source: 'cloudFront',
  },
  edgeFunction: { what: 'CloudFront Functions, calls', ...perMillion(0.1), free: 2 * MILLION, source: 'cloudFront' },
  originShield: {
    what: 'CloudFront origin shield, requests in North America',
    ...perTenThousand(0.0075),
    source: 'cloudFront',
  },
  httpApi: {
    what: 'HTTP API, requests of up to 512 KB',
    ...perMillion([
      [300 * MILLION, 1],
      [Number.POSITIVE_INFINITY, 0.9],
    ]),
    source: 'apiGateway',
  },
  lambdaRequests: { what: 'Lambda, calls', ...perMillion(0.2), free: MILLION, source: 'lambda' },
  lambdaDuration: {
    what: 'Lambda on arm64, duration',
    ...priced('GB-second', 1, [
      [7.5e9, 0.0000133334],
      [18.75e9, 0.0000120001],
      [Number.POSITIVE_INFINITY, 0.0000106667],
    ]),
    free: 400_000,
    source: 'lambda',
  },
  tableWrites: { what: 'DynamoDB on demand, writes of up to 1 KB', ...perMillion(0.625), source: 'dynamoDb' },
  tableReads: { what: 'DynamoDB on demand, consistent reads of up to 4 KB', ...perMillion(0.125), source: 'dynamoDb' },
  logIngestion: {
    what: 'CloudWatch Logs, ingestion of logs of Lambda',
    ...priced('GB', 1, [
      [10 * TB, 0.5],
      [30 * TB, 0.25],
      [50 * TB, 0.1],
      [Number.POSITIVE_INFINITY, 0.05],
    ]),
    free: 5,
    source: 'cloudWatch',
  },
  logStorage: {
    what: 'CloudWatch Logs, storage of compressed logs',
    ...priced('GB and month', 1, 0.03),
    source: 'cloudWatch',
  },
  metrics: {
    what: 'CloudWatch, custom metrics with data in every hour',
    ...priced('metric and month', 1, [
      [10_000, 0.3],
      [250_000, 0.1],
      [Number.POSITIVE_INFINITY, 0.05],
    ]),
    free: 10,
    source: 'cloudWatch',
  },
  alarmMetrics: {
    what: 'CloudWatch, metrics in alarms',
    ...priced('metric and month', 1, 0.1),
    free: 10,
    source: 'cloudWatch',
  },
  compositeAlarms: { what: 'CloudWatch, composite alarms', ...priced('alarm and month', 1, 0.5), source: 'cloudWatch' },
  dashboards: { what: 'CloudWatch, dashboards', ...priced('dashboard and month', 1, 3), free: 3, source: 'cloudWatch' },
  webAcls: { what: 'WAF, web ACLs', ...priced('web ACL and month', 1, 5), source: 'waf' },
  webAclRules: { what: 'WAF, rules and rule groups', ...priced('rule and month', 1, 1), source: 'waf' },
  webAclRequests: { what: 'WAF, requests', ...perMillion(0.6), source: 'waf' },
  secrets: { what: 'Secrets Manager, secrets', ...priced('secret and month', 1, 0.4), source: 'secretsManager' },
  objectStorage: { what: 'S3 Standard, storage', ...priced('GB and month', 1, 0.023), source: 's3' },
} as const satisfies Readonly<Record<string, PriceRow>>;

export type PriceName = keyof typeof prices;

export const priceRow = (name: PriceName): PriceRow => prices[name];

/** @param quantity per month @returns US dollars; the free quantity is subtracted only with `free` */
export const priceOf = (name: PriceName, quantity: number, free = false): number => {
  const row = priceRow(name);
  const billed = Math.max(0, quantity - (free ? (row.free ?? 0) : 0));
  let usd = 0;
  let from = 0;
  for (const [upTo, price] of row.tiers) {
    if (billed <= from) break;
    usd += ((Math.min(billed, upTo) - from) / row.units) * price;
    from = upTo;
  }
  return usd;
};
