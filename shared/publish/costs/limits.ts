// Compares the busiest minute of a workload with the limits of the platform and of the first provider.
import { peakRate, type Volume, volumeOf, type Workload } from './workload.ts';

/** Requests per minute and address, as FxTwitter documents it. */
const PROVIDER_CALLS_PER_MINUTE = 1000;

/** Concurrent executions of a new account, which AWS increases on request. */
export const NEW_ACCOUNT_CONCURRENCY = 10;

/** Requests per second of one execution, at most. */
const RATE_PER_EXECUTION = 10;

export interface Limit {
  readonly name: string;
  readonly unit: string;
  readonly limit: (workload: Workload) => number;
  /** In the busiest minute, in the unit of the limit. */
  readonly demand: (volume: Volume, workload: Workload) => number;
  /** Raises the limit or lowers the demand; Markdown. */
  readonly remedy: string;
  readonly source: string;
}

const concurrency: Limit = {
  name: 'Lambda concurrency',
  unit: 'executions',
  limit: ({ concurrency: executions }) => executions,
  demand: ({ seconds }, workload) => peakRate(seconds, workload),
  remedy: 'an increase of the quota "Concurrent executions"',
  source: 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
};

/** No row of `limits`: it is the same limit in an hour in which the provider is slow. */
export const slowConcurrency: Limit = {
  ...concurrency,
  name: 'The same while a provider call takes 3 s',
  demand: ({ slowSeconds }, workload) => peakRate(slowSeconds, workload),
};

export const limits: readonly Limit[] = [
  {
    name: 'FxTwitter',
    unit: 'calls per minute',
    limit: ({ addresses }) => addresses * PROVIDER_CALLS_PER_MINUTE,
    demand: ({ providerCalls }, workload) => peakRate(providerCalls, workload) * 60,
    remedy: 'up to 10 base URLs in `fxTwitterBaseUrl`, a longer `cacheTtlSeconds`, `originShield`',
    source: 'https://github.com/FxEmbed/FxEmbed',
  },
  concurrency,
  {
    name: 'Lambda calls',
    unit: 'calls per second',
    limit: ({ concurrency: executions }) => executions * RATE_PER_EXECUTION,
    demand: ({ misses }, workload) => peakRate(misses, workload),
    remedy: 'the same quota: Lambda admits ten calls per second for each execution, also by the function URL',
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html',
  },
  {
    name: 'HTTP API',
    unit: 'requests per second',
    limit: () => 10_000,
    demand: ({ apiRequests }, workload) => peakRate(apiRequests, workload),
    remedy: 'an increase of the quota "Throttle rate"',
    source: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
  },
  {
    name: 'CloudFront',
    unit: 'requests per second',
    limit: () => 250_000,
    demand: ({ requests }, workload) => peakRate(requests, workload),
    remedy: 'an increase of the quota "Requests per second per distribution"',
    source: 'https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html',
  },
  {
    name: 'CloudFront data',
    unit: 'Gbit/s',
    limit: () => 150,
    demand: ({ gigabytesOut }, workload) => peakRate(gigabytesOut, workload) * 8,
    remedy: 'an increase of the quota "Data transfer rate per distribution"',
    source: 'https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html',
  },
  {
    name: 'DynamoDB table',
    unit: 'writes per second',
    limit: () => 40_000,
    demand: ({ writes }, workload) => peakRate(writes, workload),
    remedy: 'an increase of the quota "Table-level write throughput limit"',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html',
  },
  {
    name: 'Allowance pool',
    unit: 'writes per second of one item',
    limit: () => 1000,
    demand: ({ poolWrites }, workload) => peakRate(poolWrites, workload),
    remedy:
      'no `allowanceSearchPool`: with it, every anonymous search writes one item, and DynamoDB has no quota to raise',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html',
  },
];

export interface LimitUse {
  readonly limit: Limit;
  /** Demand by limit: above 1, requests fail in the busiest minute. */
  readonly use: number;
}

/** @returns all limits, the most used first */
export const limitUses = (workload: Workload): readonly LimitUse[] => {
  const volume = volumeOf(workload);
  return limits
    .map((limit) => ({ limit, use: limit.demand(volume, workload) / limit.limit(workload) }))
    .toSorted((a, b) => b.use - a.use);
};

/** @returns the requests per month at which the limit is reached; Infinity if the workload does not need it */
export const requestsAtLimit = (limit: Limit, workload: Workload): number => {
  const use = limit.demand(volumeOf(workload), workload) / limit.limit(workload);
  return use === 0 ? Number.POSITIVE_INFINITY : workload.requests / use;
};

/** @returns the servers of the first provider, each with an address of its own, that the busiest minute needs */
export const addressesNeeded = (workload: Workload): number =>
  Math.max(1, Math.ceil((peakRate(volumeOf(workload).providerCalls, workload) * 60) / PROVIDER_CALLS_PER_MINUTE));

/** @returns the concurrent executions of the busiest minute */
export const concurrencyNeeded = (workload: Workload): number =>
  Math.ceil(peakRate(volumeOf(workload).seconds, workload));
