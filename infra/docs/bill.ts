// Computes what a deployment with default settings costs per month: list prices times the work that its requests make.
// Durations, sizes and shares are assumptions; calls and writes are the most that the use cases need.
import { countMetricSeries, standingResources } from '../../shared/contract/billed-resources.ts';
import { lambdas } from '../../shared/contract/lambdas.ts';
import { DEFAULT_CANARY_MINUTES } from '../../shared/contract/other-functions.ts';
import { type PriceName, priceOf } from '../../shared/contract/prices.ts';
import { defaultProviders } from '../../shared/contract/providers.ts';

/** A month of AWS price lists has 730 hours. */
export const SECONDS_PER_MONTH = 730 * 3600;

export interface ReadKind {
  readonly what: string;
  /** The share of all requests. */
  readonly share: number;
  /** CloudFront may keep the answer, unless the request has an API key. */
  readonly isCacheable: boolean;
  /** Accepts API keys, whose answers are private. */
  readonly hasKeys: boolean;
  readonly memoryMiB: number;
  /** The billed time of a warm call. Most of it is waiting for the provider. */
  readonly milliseconds: number;
  readonly providerCalls: number;
  /** Charges of an allowance, each a write of one item. */
  readonly writes: number;
  /** As sent by CloudFront, compressed. */
  readonly kilobytes: number;
}

export const readKinds = {
  post: {
    what: 'a post with its conversation',
    share: 0.7,
    isCacheable: true,
    hasKeys: false,
    memoryMiB: lambdas.posts.memoryMiB,
    milliseconds: 300,
    providerCalls: 2,
    writes: 0,
    kilobytes: 4,
  },
  list: {
    what: 'a profile or a list',
    share: 0.2,
    isCacheable: true,
    hasKeys: true,
    memoryMiB: lambdas.profiles.memoryMiB,
    milliseconds: 300,
    providerCalls: 1.5,
    writes: 1,
    kilobytes: 10,
  },
  search: {
    what: 'a search',
    share: 0.05,
    isCacheable: true,
    hasKeys: true,
    memoryMiB: lambdas.search.memoryMiB,
    milliseconds: 400,
    providerCalls: 1,
    writes: 1,
    kilobytes: 10,
  },
  /** The only kind that goes through the function URL. */
  tool: {
    what: 'a call of an MCP tool',
    share: 0.03,
    isCacheable: false,
    hasKeys: true,
    memoryMiB: lambdas.mcp.memoryMiB,
    milliseconds: 350,
    providerCalls: 1.5,
    writes: 1,
    kilobytes: 8,
  },
  document: {
    what: 'a page of the documentation or another document',
    share: 0.02,
    isCacheable: true,
    hasKeys: false,
    memoryMiB: lambdas.discovery.memoryMiB,
    milliseconds: 5,
    providerCalls: 0,
    writes: 0,
    kilobytes: 12,
  },
} as const satisfies Readonly<Record<string, ReadKind>>;

/** The share of requests with an API key, of those that can have one. */
export const KEYED_SHARE = 0.1;

/** Calls that start an instance, and the billed time of a start. */
export const coldStart = { share: 0.01, milliseconds: 600 } as const;

/** Bytes of log lines. The platform writes the start and the report of each call. */
export const logBytes = { platform: 500, request: 1200, providerCall: 800 } as const;

export const LOG_DAYS = 30;
/** Stored logs relative to ingested logs. */
export const LOG_COMPRESSION = 0.15;

export type Volume = ReturnType<typeof volumeOf>;

/**
 * @param hitRatio the share that CloudFront answers by itself, of the requests that it may cache: 0 to 1
 * @returns quantities per month
 */
export const volumeOf = (requests: number, hitRatio: number) => {
  const rows = Object.values<ReadKind>(readKinds).map((kind) => {
    const cacheable = kind.isCacheable ? (kind.hasKeys ? 1 - KEYED_SHARE : 1) : 0;
    const seconds = (kind.milliseconds + coldStart.share * coldStart.milliseconds) / 1000;
    return {
      kind,
      seconds,
      requests: requests * kind.share,
      misses: requests * kind.share * (1 - cacheable * hitRatio),
    };
  });
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return {
    requests,
    /** Requests that an origin receives. */
    misses: sum((row) => row.misses),
    apiRequests: sum((row) => (row.kind === readKinds.tool ? 0 : row.misses)),
    gigabytesOut: sum((row) => row.requests * row.kind.kilobytes) / 1e6,
    gigabyteSeconds: sum((row) => (row.misses * row.seconds * row.kind.memoryMiB) / 1024),
    /** Seconds of execution. */
    seconds: sum((row) => row.misses * row.seconds),
    writes: sum((row) => row.misses * row.kind.writes),
    reads: sum((row) => (row.kind.hasKeys ? row.requests * KEYED_SHARE : 0)),
    providerCalls: sum((row) => row.misses * row.kind.providerCalls),
  };
};

/** About as many as a run sends, which `test/infra/alarm-rehearsal.test.ts` checks. */
export const CANARY_REQUESTS = 70;
/** A run lasts at most a minute, with a quarter of a GB. */
const CANARY_GIGABYTE_SECONDS = 60 * 0.25;

type Quantities = Readonly<Partial<Record<PriceName, number>>>;

/** With the default interval. The alarm reads two metrics, of which the canary writes one; it writes another one. */
const canaryQuantities = (): Quantities => {
  const runs = SECONDS_PER_MONTH / (DEFAULT_CANARY_MINUTES * 60);
  const requests = runs * CANARY_REQUESTS;
  return {
    lambdaRequests: runs + requests,
    lambdaDuration: runs * CANARY_GIGABYTE_SECONDS + requests * 0.3 * 0.5,
    httpApi: requests,
    cdnRequests: requests,
    alarmMetrics: 2,
    metrics: 2,
  };
};

const quantitiesOf = (volume: Volume): Readonly<Record<string, Quantities>> => {
  const logGigabytes =
    (volume.misses * (logBytes.platform + logBytes.request) + volume.providerCalls * logBytes.providerCall) / 1e9;
  const { alarmMetrics, compositeAlarms, dashboards, secrets } = standingResources;
  const series = countMetricSeries(defaultProviders.map((name) => ({ name, baseUrls: 1 })));
  return {
    'CloudFront requests': { cdnRequests: volume.requests },
    'CloudFront data': { cdnData: volume.gigabytesOut },
    'Edge function': { edgeFunction: volume.requests },
    'HTTP API': { httpApi: volume.apiRequests },
    'Lambda calls': { lambdaRequests: volume.misses },
    'Lambda duration': { lambdaDuration: volume.gigabyteSeconds },
    DynamoDB: { tableWrites: volume.writes, tableReads: volume.reads },
    Logs: {
      logIngestion: logGigabytes,
      logStorage: (logGigabytes * LOG_COMPRESSION * LOG_DAYS * 86_400) / SECONDS_PER_MONTH,
    },
    // A metric is billed for the hours with data, so an idle deployment pays for none.
    Metrics: { metrics: volume.requests === 0 ? 0 : series },
    'Alarms and dashboard': { alarmMetrics, compositeAlarms, dashboards },
    Canary: canaryQuantities(),
    Secrets: { secrets },
  };
};

const isPriceName = (quantities: Quantities, name: string): name is PriceName => Object.hasOwn(quantities, name);

export interface BillLine {
  readonly name: string;
  readonly usd: number;
}

/**
 * @param free subtracts what every account has without charge
 * @returns one line per component in US dollars, without guards and without rows of the official API
 */
export const bill = (volume: Volume, free = false): readonly BillLine[] =>
  Object.entries(quantitiesOf(volume)).map(([name, quantities]) => ({
    name,
    usd: Object.keys(quantities)
      .filter((price) => isPriceName(quantities, price))
      .reduce((sum, price) => sum + priceOf(price, quantities[price] ?? 0, free), 0),
  }));

export const totalOf = (lines: readonly BillLine[]): number => lines.reduce((total, { usd }) => total + usd, 0);
