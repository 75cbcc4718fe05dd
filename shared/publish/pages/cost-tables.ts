// Builds the tables of costs.
import { type PriceRow, priceSources, prices } from '../../contract/prices.ts';
import {
  bill,
  coldStart,
  KEYED_SHARE,
  LOG_COMPRESSION,
  LOG_DAYS,
  logBytes,
  type ReadKind,
  readKinds,
  totalOf,
  volumeOf,
} from '../costs/bill.ts';
import { dollars, large, percent, unitPrice } from '../costs/formats.ts';
import { table } from './markdown-blocks.ts';

/** Requests per month. */
const levels = [1e6, 1e7, 1e8, 1e9] as const;

const hitRatios = [0, 0.2, 0.4, 0.6] as const;

/** The hit ratio of the tables that show only one: what a service with many subjects has, not a few popular ones. */
const SHOWN_HIT_RATIO = 0.2;

const totals = (): string =>
  table(
    ['Requests per month', ...hitRatios.map((ratio) => `${percent(ratio)} hits`)],
    levels.map((requests) => [
      large(requests),
      ...hitRatios.map((hitRatio) => dollars(totalOf(bill(volumeOf(requests, hitRatio))))),
    ]),
  );

const shownLevels = [0, ...levels] as const;

const components = (): string => {
  const bills = shownLevels.map((requests) => bill(volumeOf(requests, SHOWN_HIT_RATIO)));
  const free = shownLevels.map((requests) => bill(volumeOf(requests, SHOWN_HIT_RATIO), true));
  return table(
    ['Component', ...shownLevels.map((requests) => (requests === 0 ? 'No request' : large(requests)))],
    [
      ...(bills[0] ?? []).map(({ name }, index) => [name, ...bills.map((lines) => dollars(lines[index]?.usd ?? 0))]),
      ['**Sum**', ...bills.map((lines) => dollars(totalOf(lines)))],
      ['Sum after the free quantities', ...free.map((lines) => dollars(totalOf(lines)))],
    ],
  );
};

const kinds = (): string =>
  table(
    ['Request', 'Share', 'Billed time', 'Provider calls', 'Writes', 'Answer'],
    Object.values<ReadKind>(readKinds).map(({ what, share, milliseconds, providerCalls, writes, kilobytes }) => [
      what,
      percent(share),
      `${milliseconds} ms`,
      String(providerCalls),
      String(writes),
      `${kilobytes} kB`,
    ]),
  );

const assumptions = (): string =>
  table(
    ['Assumption', 'Value'],
    [
      ['requests with an API key, of those that can have one', percent(KEYED_SHARE)],
      ['calls that start an instance', `${percent(coldStart.share)}, ${coldStart.milliseconds} ms each`],
      [
        'log lines of a request',
        `${logBytes.platform} bytes of the platform, ${logBytes.request} bytes of the request, ${logBytes.providerCall} bytes for each provider call`,
      ],
      ['stored logs', `${LOG_DAYS} days, compressed to ${percent(LOG_COMPRESSION)}`],
      ['a month', '730 hours; a GB is 10^9 bytes'],
    ],
  );

const tierText = ({ tiers, per }: PriceRow): string => {
  const [first, ...more] = tiers;
  const rest = more.map(([, usd], index) => `, ${unitPrice(usd)} above ${large(tiers[index]?.[0] ?? 0)}`);
  return `${unitPrice(first?.[1] ?? 0)} per ${per}${rest.join('')}`;
};

const priceTable = (): string =>
  table(
    ['Billed', 'Price', 'Free per month', 'Page'],
    Object.values<PriceRow>(prices).map((row) => [
      row.what,
      tierText(row),
      row.free === undefined ? 'none' : large(row.free),
      `[${new URL(priceSources[row.source]).pathname.split('/')[1] ?? ''}](${priceSources[row.source]})`,
    ]),
  );

export const costTables = {
  costAssumptions: assumptions,
  costComponents: components,
  costKinds: kinds,
  costPrices: priceTable,
  costTotals: totals,
} as const;
