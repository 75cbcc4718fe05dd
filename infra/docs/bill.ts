// Computes what a deployment with default settings costs per month, for the table of docs/operators/scaling.md: list prices
// times what it holds and what its requests make. test/infra/bill.test.ts counts what it holds in the template, and what
// requests and the canary make in runs of the functions. Durations, sizes and shares are assumptions; calls and writes are
// the most that the use cases need.
import { lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import { type MetricSet, metricSets, operatorEvents } from '../../shared/contract/metrics.ts';
import {
  CANARY_TIMEOUT_SECONDS,
  canaryMetrics,
  DEFAULT_CANARY_MINUTES,
} from '../../shared/contract/other-functions.ts';
import { PRICES_DATE, type PriceName, priceOf, prices } from '../../shared/contract/prices.ts';
import { defaultProviders } from '../../shared/contract/providers.ts';
import { table } from '../../shared/publish/pages/markdown-blocks.ts';

/** A month of AWS price lists has 730 hours. */
export const SECONDS_PER_MONTH = 730 * 3600;

/** What a deployment holds. */
export const idle = { alarmMetrics: 129, compositeAlarms: 1, dashboards: 1, secrets: 2 } as const;

/** What a run of the canary makes: requests to CloudFront, to functions, and those of them to the function URL. */
export const canaryRun = { requests: 76, calls: 76, toolCalls: 4, logBytes: 25_000, series: 1 } as const;

/** The most bytes of log lines of a request, on average of the kinds below. Lambda writes lines only about faults. */
export const LOG_BYTES = 400;

const LOG_DAYS = 30;
/** Stored logs relative to ingested logs. */
const LOG_COMPRESSION = 0.15;

/** The number of values of each dimension. */
const dimensionSizes: Readonly<Record<string, number>> = {
  service: 1,
  surface: lambdaNames.length,
  address: defaultProviders.length,
};

/** Every metric with every value of its dimension, and the one of 501: no caller can make more. */
export const MOST_SERIES = [...Object.values<MetricSet>(metricSets), canaryMetrics].reduce(
  (sum, { dimension, metrics }) => sum + Object.keys(metrics).length * (dimensionSizes[dimension] ?? Number.NaN),
  operatorEvents.length + 1,
);

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
const KEYED_SHARE = 0.1;

/** Calls that start an instance, and the billed time of a start. */
export const coldStart = { share: 0.01, milliseconds: 600 } as const;

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

type Quantities = Readonly<Partial<Record<PriceName, number>>>;

const CANARY_RUNS = SECONDS_PER_MONTH / (DEFAULT_CANARY_MINUTES * 60);
const CANARY_GIGABYTES = 0.25;
const CANARY_CALL_GIGABYTE_SECONDS = 0.3 * 0.5;

/** Logs are ingested once, and stored for LOG_DAYS. */
const logsOf = (bytes: number): Quantities => ({
  logIngestion: bytes / 1e9,
  logStorage: ((bytes / 1e9) * LOG_COMPRESSION * LOG_DAYS * 86_400) / SECONDS_PER_MONTH,
});

/** @param counts what a deployment holds and makes */
const quantitiesOf = (
  volume: Volume,
  { idle: held, canaryRun: run, logBytes }: BillCounts,
): Readonly<Record<string, Quantities>> => ({
  'CloudFront requests': { cdnRequests: volume.requests },
  'CloudFront data': { cdnData: volume.gigabytesOut },
  'Edge function': { edgeFunction: volume.requests },
  'HTTP API': { httpApi: volume.apiRequests },
  'Lambda calls': { lambdaRequests: volume.misses },
  'Lambda duration': { lambdaDuration: volume.gigabyteSeconds },
  'DynamoDB writes and reads': { tableWrites: volume.writes, tableReads: volume.reads },
  Logs: logsOf(volume.misses * logBytes),
  Metrics: { metrics: volume.requests === 0 ? run.series : MOST_SERIES },
  'Alarms, by the metrics that they read': { alarmMetrics: held.alarmMetrics },
  'Composite alarm, dashboard, secrets': {
    compositeAlarms: held.compositeAlarms,
    dashboards: held.dashboards,
    secrets: held.secrets,
  },
  Canary: {
    cdnRequests: CANARY_RUNS * run.requests,
    edgeFunction: CANARY_RUNS * run.requests,
    httpApi: CANARY_RUNS * (run.calls - run.toolCalls),
    lambdaRequests: CANARY_RUNS * (run.calls + 1),
    lambdaDuration:
      CANARY_RUNS * (CANARY_TIMEOUT_SECONDS * CANARY_GIGABYTES + run.calls * CANARY_CALL_GIGABYTE_SECONDS),
    ...logsOf(CANARY_RUNS * run.logBytes),
  },
});

export interface BillCounts {
  readonly idle: Readonly<Record<keyof typeof idle, number>>;
  readonly canaryRun: Readonly<Record<keyof typeof canaryRun, number>>;
  /** Bytes of log lines of a request. */
  readonly logBytes: number;
}

export const published: BillCounts = { idle, canaryRun, logBytes: LOG_BYTES };

const isPriceName = (name: string): name is PriceName => Object.hasOwn(prices, name);

const sumOf = (quantities: Quantities, free: boolean): number =>
  Object.keys(quantities)
    .filter(isPriceName)
    .reduce((sum, name) => sum + priceOf(name, quantities[name] ?? 0, free), 0);

export interface BillLine {
  readonly name: string;
  readonly usd: number;
}

/**
 * @param free subtracts from each line what every account has without charge
 * @returns one line per component in US dollars, without guards and without rows of the official API
 */
export const bill = (volume: Volume, free = false, counts = published): readonly BillLine[] =>
  Object.entries(quantitiesOf(volume, counts)).map(([name, quantities]) => ({ name, usd: sumOf(quantities, free) }));

export const totalOf = (lines: readonly BillLine[]): number => lines.reduce((total, { usd }) => total + usd, 0);

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** US dollars: with cents below 100. */
export const dollars = (usd: number): string =>
  usd > 0 && usd < 0.005 ? 'below $0.01' : `$${usd < 100 ? usd.toFixed(2) : whole.format(usd)}`;

/** Requests per month that the table shows, and the share of them that CloudFront answers. */
export const SHOWN_REQUESTS = [0, 10_000, 1e6, 1e8, 1e9] as const;
export const SHOWN_HIT_RATIO = 0.2;

/** A price of the first tier, with its unit. */
const priceText = (name: PriceName): string => {
  const { what, tiers } = prices[name];
  return `$${(tiers[0]?.[1] ?? 0).toFixed(10).replace(/(\.\d\d\d*?)0+$/, '$1')} per ${what}`;
};

/** The table of the page, with the date of its prices. */
export const billTable = (): string => {
  const volumes = SHOWN_REQUESTS.map((requests) => volumeOf(requests, SHOWN_HIT_RATIO));
  const bills = volumes.map((volume) => bill(volume));
  const names = Object.entries(quantitiesOf(volumeOf(1, 0), published));
  const sums = (name: string, free: boolean) => [
    name,
    '',
    ...volumes.map((volume) => dollars(totalOf(bill(volume, free)))),
  ];
  return table(
    [
      `US dollars per month, prices of ${PRICES_DATE}`,
      'Price',
      ...SHOWN_REQUESTS.map((count) => (count === 0 ? 'No request' : whole.format(count))),
    ],
    [
      ...names.map(([name, quantities], index) => [
        name,
        name === 'Canary' ? '' : Object.keys(quantities).filter(isPriceName).map(priceText).join('; '),
        ...bills.map((lines) => dollars(lines[index]?.usd ?? 0)),
      ]),
      sums('**Sum**', false),
      sums('Sum after the free quantities of an account', true),
    ],
  );
};
