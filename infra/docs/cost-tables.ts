// Builds the tables of costs and of the guards, with their prices.
import {
  type GuardPrice,
  type GuardRow,
  guards,
  type PriceRow,
  priceOf,
  priceSources,
  prices,
} from '../../shared/contract/prices.ts';
import { keysOf } from '../../shared/model/json.ts';
import { codeList, table } from '../../shared/publish/pages/markdown-blocks.ts';
import {
  bill,
  CANARY_REQUESTS,
  coldStart,
  KEYED_SHARE,
  LOG_COMPRESSION,
  LOG_DAYS,
  logBytes,
  type ReadKind,
  readKinds,
  totalOf,
  volumeOf,
} from './bill.ts';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** US dollars: with cents below 100. */
export const dollars = (usd: number): string =>
  usd > 0 && usd < 0.005 ? 'below $0.01' : `$${usd < 100 ? usd.toFixed(2) : whole.format(usd)}`;

/** A price, with as many digits as it has. */
const unitPrice = (usd: number): string => `$${usd.toFixed(10).replace(/(\.\d\d\d*?)0+$/, '$1')}`;

const SCALES = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
] as const;

/** A large number in words: 8.6 million. */
export const large = (count: number): string => {
  const [size, word] = SCALES.find(([scale]) => count >= scale) ?? [1, ''];
  if (word === '') return whole.format(count);
  return `${(count / size).toFixed(count / size < 100 ? 1 : 0).replace(/\.0$/, '')} ${word}`;
};

export const number = (count: number): string => whole.format(count);

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

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
      ['requests of a run of the canary', `about ${CANARY_REQUESTS}`],
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

const MILLION = 1e6;

const monthlyText = ({ monthly = {} }: GuardPrice): readonly string[] => {
  const usd = keysOf(monthly).reduce((sum, name) => sum + priceOf(name, monthly[name] ?? 0), 0);
  return usd === 0 ? [] : [`${dollars(usd)} a month`];
};

const requestsText = ({ perRequest, counted = 'requests' }: GuardPrice): readonly string[] =>
  perRequest === undefined ? [] : [`${dollars(priceOf(perRequest, MILLION))} per million ${counted}`];

/** The price with a link to its source. */
const priceText = (price: GuardPrice): string => {
  const [name] = [...keysOf(price.monthly ?? {}), ...(price.perRequest === undefined ? [] : [price.perRequest])];
  if (name === undefined) return 'free';
  const text = [...monthlyText(price), ...requestsText(price)].join(', and ');
  return `[${text}](${priceSources[prices[name].source]})`;
};

const guardsTable = (): string =>
  table(
    ['Setting', 'Effect', 'Rejected callers get', 'Price'],
    Object.values<GuardRow>(guards).map(({ settings, effect, rejection = '', price }) => [
      codeList(settings),
      effect,
      rejection,
      priceText(price),
    ]),
  );

/** A page of a timeline on a phone, and a call of the function of pictures. No deployment was measured. */
const page = { pictures: 12, kilobytes: 40 } as const;
const call = { seconds: 0.3, gigabytes: 0.25, logBytes: 450 } as const;

const pictureHitRatios = [0, 0.5, 0.9] as const;

/** US dollars for the pictures of a million pages. */
const pictureCost = (hitRatio: number): number => {
  const requests = page.pictures * MILLION;
  const calls = requests * (1 - hitRatio);
  return (
    priceOf('cdnRequests', requests) +
    priceOf('cdnData', (requests * page.kilobytes) / MILLION) +
    priceOf('lambdaRequests', calls) +
    priceOf('lambdaDuration', calls * call.seconds * call.gigabytes) +
    priceOf('logIngestion', (calls * call.logBytes) / 1e9)
  );
};

const pictureCosts = (): string =>
  table(
    ['Pictures that the caches of CloudFront have', 'Per million pages'],
    pictureHitRatios.map((ratio) => [percent(ratio), dollars(pictureCost(ratio))]),
  ) +
  `\n\nThat is for ${page.pictures} pictures of ${page.kilobytes} kB a page, and ${call.seconds} s of a function with ${call.gigabytes * 1000} MB for each picture that no cache has: assumptions, not measured. Browsers keep a picture for a day.`;

export const costTables = {
  costAssumptions: assumptions,
  costComponents: components,
  costKinds: kinds,
  costPrices: priceTable,
  costTotals: totals,
  guards: guardsTable,
  pictureCosts,
} as const;
