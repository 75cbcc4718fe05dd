// Lists the prices of AWS that a deployment pays: list prices of us-east-1 in US dollars without taxes. A price changes here
// and nowhere else.

/** When the prices were read. */
export const PRICES_DATE = '2026-11-25';

/** Up to this quantity per month, a unit costs this much. The last tier has no end. */
export type PriceTier = readonly [upTo: number, usd: number];

export interface PriceRow {
  /** The billed quantity, with the unit of the price. */
  readonly what: string;
  /** Units of the quantity per unit of the price: 10,000 requests have one price. */
  readonly units: number;
  /** The bounds count units of the quantity. */
  readonly tiers: readonly PriceTier[];
  /** The quantity that every account has without charge each month, as long as AWS offers it. */
  readonly free?: number;
}

const MILLION = 1e6;
const TB = 1000;
const END = Number.POSITIVE_INFINITY;

const row = (what: string, units: number, price: number | readonly PriceTier[], free = 0): PriceRow => ({
  what,
  units,
  tiers: typeof price === 'number' ? [[END, price]] : price,
  free,
});

/** Data is in GB of 10^9 bytes, and a month has 730 hours. */
export const prices = {
  cdnRequests: row('10,000 HTTPS requests from North America and Europe', 10_000, 0.01, 10 * MILLION),
  cdnData: row(
    'GB to North America and Europe',
    1,
    [
      [10 * TB, 0.085],
      [50 * TB, 0.08],
      [150 * TB, 0.06],
      [500 * TB, 0.04],
      [1024 * TB, 0.03],
      [5024 * TB, 0.025],
      [END, 0.02],
    ],
    TB,
  ),
  edgeFunction: row('million calls', MILLION, 0.1, 2 * MILLION),
  originShield: row('10,000 requests in North America', 10_000, 0.0075),
  httpApi: row('million requests of up to 512 KB', MILLION, [
    [300 * MILLION, 1],
    [END, 0.9],
  ]),
  lambdaRequests: row('million calls', MILLION, 0.2, MILLION),
  lambdaDuration: row(
    'GB-second on arm64',
    1,
    [
      [7.5e9, 0.0000133334],
      [18.75e9, 0.0000120001],
      [END, 0.0000106667],
    ],
    400_000,
  ),
  tableWrites: row('million writes of up to 1 KB on demand', MILLION, 0.625),
  tableReads: row('million consistent reads of up to 4 KB on demand', MILLION, 0.125),
  logIngestion: row(
    'GB of logs of Lambda',
    1,
    [
      [10 * TB, 0.5],
      [30 * TB, 0.25],
      [50 * TB, 0.1],
      [END, 0.05],
    ],
    5,
  ),
  logStorage: row('GB and month, compressed', 1, 0.03),
  metrics: row(
    'metric with data in every hour',
    1,
    [
      [10_000, 0.3],
      [250_000, 0.1],
      [END, 0.05],
    ],
    10,
  ),
  alarmMetrics: row('metric that an alarm reads', 1, 0.1, 10),
  compositeAlarms: row('composite alarm', 1, 0.5),
  dashboards: row('dashboard', 1, 3, 3),
  webAcls: row('web ACL', 1, 5),
  webAclRules: row('rule of a web ACL', 1, 1),
  webAclRequests: row('million requests', MILLION, 0.6),
  secrets: row('secret', 1, 0.4),
  objectStorage: row('GB and month', 1, 0.023),
} as const;

export type PriceName = keyof typeof prices;

/** @param quantity per month @returns US dollars; the free quantity is subtracted only with `free` */
export const priceOf = (name: PriceName, quantity: number, free = false): number => {
  const { tiers, units, free: gift = 0 } = prices[name];
  const billed = Math.max(0, quantity - (free ? gift : 0));
  let usd = 0;
  let from = 0;
  for (const [upTo, price] of tiers) {
    if (billed <= from) break;
    usd += ((Math.min(billed, upTo) - from) / units) * price;
    from = upTo;
  }
  return usd;
};
