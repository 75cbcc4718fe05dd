// Builds the tables of costs. The page and `npm run costs` show the same tables.
import { type PriceRow, priceOf, priceSources, prices } from '../../contract/prices.ts';
import { standingResources } from '../../contract/standing-resources.ts';
import { paidRowsSetting, X_API_PRICES } from '../../contract/x-api-costs.ts';
import {
  ACCESS_LOG_BYTES,
  coldStart,
  defaults,
  LOG_COMPRESSION,
  logBytes,
  type Mix,
  type MixName,
  mixes,
  type ReadKind,
  type ReadKindName,
  readKinds,
  SECONDS_PER_MONTH,
} from '../costs/assumptions.ts';
import { billOf, pricedSettings, settingPrice, totalOf } from '../costs/bill.ts';
import { dollars, large, number, percent, unitPrice } from '../costs/formats.ts';
import { countMetricSeries } from '../costs/metric-series.ts';
import { createWorkload, volumeOf, type Workload } from '../costs/workload.ts';
import { inlineCode, table } from './markdown-blocks.ts';

/** Requests per month. */
export const levels: readonly number[] = [1e6, 1e7, 1e8, 1e9, 1e10];

export const hitRatios: readonly number[] = [0, 0.1, 0.2, 0.4, 0.6];

/** The hit ratio of the tables that show only one: what a service with many subjects has, not a few popular ones. */
export const SHOWN_HIT_RATIO = 0.2;

const shown = (requests: number): Workload => createWorkload({ requests, hitRatio: SHOWN_HIT_RATIO });

const totals = (): string =>
  table(
    ['Requests per month', ...hitRatios.map((ratio) => `${percent(ratio)} hits`)],
    levels.map((requests) => [
      large(requests),
      ...hitRatios.map((hitRatio) => dollars(totalOf(createWorkload({ requests, hitRatio })))),
    ]),
  );

/** @returns one row per component and their sum */
export const billTable = (workloads: readonly Workload[]): string => {
  const bills = workloads.map((workload) => billOf(workload));
  const rows = (bills[0] ?? []).map(({ name }, index) => [
    name,
    ...bills.map((bill) => dollars(bill[index]?.usd ?? 0)),
  ]);
  return table(
    ['Component', ...workloads.map(({ requests }) => large(requests))],
    [
      ...rows,
      ['**Sum**', ...workloads.map((workload) => dollars(totalOf(workload)))],
      ['Sum after the free quantities', ...workloads.map((workload) => dollars(totalOf(workload, true)))],
    ],
  );
};

const components = (): string => billTable(levels.map(shown));

const isMixName = (name: string): name is MixName => Object.hasOwn(mixes, name);

export const mixNames: readonly MixName[] = Object.keys(mixes).filter(isMixName);

const ofMixes = (): string =>
  table(
    ['Mix', ...levels.map((requests) => large(requests))],
    mixNames.map((mix) => [
      inlineCode(mix),
      ...levels.map((requests) => dollars(totalOf(createWorkload({ requests, hitRatio: SHOWN_HIT_RATIO, mix })))),
    ]),
  );

const isKindName = (name: string): name is ReadKindName => Object.hasOwn(readKinds, name);

const kinds = (): string =>
  table(
    ['Request', ...mixNames.map((name) => `Share in \`${name}\``), 'Billed time', 'Provider calls', 'Writes', 'Answer'],
    Object.keys(readKinds)
      .filter(isKindName)
      .map((name) => {
        const { what, milliseconds, providerCalls, writes, kilobytes }: ReadKind = readKinds[name];
        return [
          what,
          ...mixNames.map((mix) => percent((mixes[mix] satisfies Mix)[name])),
          `${milliseconds} ms`,
          String(providerCalls),
          String(writes),
          `${kilobytes} kB`,
        ];
      }),
  );

const assumptions = (): string =>
  table(
    ['Assumption', 'Value'],
    [
      ['requests with an API key, of those that can have one', percent(defaults.keyedShare)],
      ['rate of the busiest minute', `${defaults.peakFactor} times the average rate`],
      ['calls that start an instance', `${percent(coldStart.share)}, ${coldStart.milliseconds} ms each`],
      [
        'log lines of a request',
        `${logBytes.platform} bytes of the platform, ${logBytes.request.service} bytes of the request, ${logBytes.providerCall.service} bytes for each provider call`,
      ],
      ['stored logs', `${defaults.logRetentionDays} days, compressed to ${percent(LOG_COMPRESSION)}`],
      ['a line of the access log', `${ACCESS_LOG_BYTES} bytes, compressed`],
      ['a month', `${number(SECONDS_PER_MONTH / 3600)} hours; a GB is 10^9 bytes`],
    ],
  );

const fixed = (): string => {
  const rows = [
    ['alarms', 'alarmMetrics', standingResources.alarmMetrics],
    ['composite alarms', 'compositeAlarms', standingResources.compositeAlarms],
    ['dashboards', 'dashboards', standingResources.dashboards],
    ['generated secrets; one more for each that was rotated', 'secrets', standingResources.secrets],
  ] as const;
  const sum = (free: boolean): number =>
    rows.reduce((total, [, price, count]) => total + priceOf(price, count, free), 0);
  return table(
    ['Without any request', 'Number', 'List price per month', 'After the free quantities'],
    [
      ...rows.map(([what, price, count]) => [
        what,
        number(count),
        dollars(priceOf(price, count)),
        dollars(priceOf(price, count, true)),
      ]),
      ['**Sum**', '', dollars(sum(false)), dollars(sum(true))],
    ],
  );
};

const metricTable = (): string =>
  table(
    ['`metrics`', 'Metrics, at most', 'List price per month'],
    (['none', 'service'] as const).map((detail) => {
      const count = detail === 'none' ? 0 : countMetricSeries(defaults.addresses);
      return [inlineCode(detail), number(count), dollars(priceOf('metrics', count))];
    }),
  );

const settingLevels = [0, ...levels.slice(0, 3)];

const settingTable = (): string =>
  table(
    ['Setting', 'Adds', ...settingLevels.map((requests) => (requests === 0 ? 'Without requests' : large(requests)))],
    pricedSettings.map((row) => [
      inlineCode(row.setting),
      row.what,
      ...settingLevels.map((requests) => dollars(settingPrice(row, shown(requests)))),
    ]),
  );

const DAYS_PER_MONTH = SECONDS_PER_MONTH / 86_400;

const ROWS_PER_PAGE = 20;

const paidRows = (): string => {
  const preset = Number(paidRowsSetting.preset);
  return table(
    [`\`${paidRowsSetting.setting}\``, 'Pages of 20 per day', 'Most per month, posts', 'Most per month, accounts'],
    [preset, preset * 10, preset * 100].map((rows) => [
      number(rows),
      number(rows / ROWS_PER_PAGE),
      dollars(rows * X_API_PRICES.post * DAYS_PER_MONTH),
      dollars(rows * X_API_PRICES.user * DAYS_PER_MONTH),
    ]),
  );
};

const OVERFLOW_SHARE = 0.01;
const OVERFLOW_REQUESTS = 1e8;

/** The price of 1 % of the provider calls of 100 million requests, if the official API answered them. */
export const overflowCost = dollars(
  volumeOf(shown(OVERFLOW_REQUESTS)).providerCalls * OVERFLOW_SHARE * ROWS_PER_PAGE * X_API_PRICES.post,
);

const tierText = ({ tiers, per }: PriceRow): string => {
  const [first, ...more] = tiers;
  const rest = more.map(([, usd], index) => `, ${unitPrice(usd)} above ${large(tiers[index]?.[0] ?? 0)}`);
  return `${unitPrice(first?.[1] ?? 0)} per ${per}${rest.join('')}`;
};

const priceTable = (): string =>
  table(
    ['Billed', 'Price', 'Free per month', 'Confirmed', 'Page'],
    Object.values<PriceRow>(prices).map((row) => [
      row.what,
      tierText(row),
      row.free === undefined ? 'none' : large(row.free),
      row.confirmed ?? 'no',
      `[${new URL(priceSources[row.source]).pathname.split('/')[1] ?? ''}](${priceSources[row.source]})`,
    ]),
  );

export const costTables = {
  costAssumptions: assumptions,
  costComponents: components,
  costFixed: fixed,
  costGuards: settingTable,
  costKinds: kinds,
  costMetrics: metricTable,
  costMixes: ofMixes,
  costPaidRows: paidRows,
  costPrices: priceTable,
  costTotals: totals,
} as const;
