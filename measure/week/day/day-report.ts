// Makes the bars and the tables of the page Reliability from the simulation of a day, and compares them with the figures of
// the page Costs and scaling.
import { bill, coldStart, dollars, readKinds, totalOf, type Volume, volumeOf } from '../../../infra/docs/bill.ts';
import type { Bar, MeasuredTable } from '../../../infra/docs/measurement.ts';
import type { CacheClass } from '../../../shared/contract/caching.ts';
import { keysOf } from '../../../shared/model/json.ts';
import { seededRandom } from '../../../test/support/random.ts';
import { noneOf } from '../../write-measurement.ts';
import {
  assumptionRows,
  callerKinds,
  DAYS_PER_MONTH,
  OWN_MILLISECONDS,
  outage,
  peakRate,
  REQUESTS_PER_MONTH,
  THREAD_EVERY,
} from './day-assumptions.ts';
import type { CachedKind } from './edge.ts';
import type { HitRatio } from './hit-ratio.ts';
import { latency } from './servers.ts';
import type { DayFigures } from './simulate-day.ts';

export interface HitRatioRow extends HitRatio {
  readonly setting: string;
  readonly post: CacheClass;
}

export interface DayReport {
  readonly figures: DayFigures;
  readonly servers: number;
  readonly addresses: number;
  readonly hitRatios: readonly HitRatioRow[];
}

const kindNames = keysOf(callerKinds);

const victims = kindNames.filter((kind) => !callerKinds[kind].isGreedy);

const victimShare = (counts: DayFigures['outside']): number => {
  const requests = victims.reduce((sum, kind) => sum + counts[kind].requests, 0);
  return (100 * victims.reduce((sum, kind) => sum + counts[kind].served, 0)) / requests;
};

export const dayBars = ({ figures }: DayReport): readonly Bar[] => [
  noneOf('day: requests with an API key that were refused within their allowance', figures.wronglyRefused),
  {
    name: 'day: requests of other callers that were served outside of the outage',
    value: victimShare(figures.outside),
    unit: '%',
    bar: 95,
    direction: 'atLeast',
  },
];

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

const number = (count: number): string => whole.format(count);

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** A large number in words: 8.6 million. */
const large = (count: number): string => {
  const [size, word] = count >= 1e9 ? [1e9, ' billion'] : count >= 1e6 ? [1e6, ' million'] : [1, ''];
  return word === ''
    ? number(count)
    : `${(count / size).toFixed(count / size < 100 ? 1 : 0).replace(/\.0$/, '')}${word}`;
};

const hitRatioIn = ({ cacheable }: DayFigures): number => 1 - cacheable.origin / cacheable.requests;

const paperOf = ({ figures }: DayReport): Volume => volumeOf(REQUESTS_PER_MONTH, hitRatioIn(figures));

/** Scales a count of the sample to the whole service and to a month. */
const monthly = ({ sample }: DayFigures, count: number): number => count * sample * DAYS_PER_MONTH;

const simulatedVolume = (report: DayReport): Volume => {
  const { figures } = report;
  const month = (count: number): number => monthly(figures, count);
  const misses = month(figures.fleet.calls + figures.documentCalls);
  const documentSeconds = month(figures.documentCalls) * (readKinds.document.milliseconds / 1000);
  const seconds = Object.entries(figures.fleet.seconds).map(([, value]) => month(value));
  const functionSeconds = seconds.reduce((sum, value) => sum + value, 0);
  return {
    ...paperOf(report),
    requests: month(figures.requests),
    misses,
    apiRequests: misses - month(figures.byKind.tool.origin),
    gigabyteSeconds:
      functionSeconds * (readKinds.post.memoryMiB / 1024) + documentSeconds * (readKinds.document.memoryMiB / 1024),
    seconds: functionSeconds + documentSeconds,
    writes: month(figures.writes),
    reads: month(figures.reads),
    providerCalls: month(figures.provider.calls),
  };
};

const comparison = (report: DayReport): MeasuredTable => {
  const { figures, servers, addresses } = report;
  const paper = paperOf(report);
  const simulated = simulatedVolume(report);
  const paperBill = bill(paper);
  const simulatedBill = bill(simulated);
  const peakCalls = Math.max(...figures.provider.callsByMinute) * figures.sample;
  const paperExecutions = Math.ceil(peakRate(paper.seconds));
  return {
    caption: `The simulation beside the paper figures of the page Costs and scaling for the same hit ratio, per month:`,
    columns: ['Figure', 'Simulated', 'On paper'],
    rows: [
      ['requests', large(simulated.requests), large(paper.requests)],
      ['requests that an origin receives', large(simulated.misses), large(paper.misses)],
      ['provider calls', large(simulated.providerCalls), large(paper.providerCalls)],
      ['provider calls in the busiest minute', number(peakCalls), number(peakRate(paper.providerCalls) * 60)],
      ['servers of the provider', `${number(servers)} behind ${addresses} base URLs`, number(servers)],
      [
        'use of the servers behind a base URL in the busiest minute',
        percent((figures.provider.busiestMinute * figures.sample * addresses) / (servers * 1000)),
        '',
      ],
      ['seconds of execution', large(simulated.seconds), large(paper.seconds)],
      [
        'most concurrent executions outside of the outage',
        number(figures.fleet.busiest.outside * figures.sample),
        number(paperExecutions),
      ],
      ['most concurrent executions in the outage', number(figures.fleet.busiest.during * figures.sample), ''],
      ['instances', `at most ${number(figures.fleet.mostInstances * figures.sample)}`, ''],
      ['cold starts', percentDigits(figures.fleet.starts / figures.fleet.calls), percentDigits(coldStart.share)],
      ['writes of the tables', large(simulated.writes), large(paper.writes)],
      ['reads of the tables', large(simulated.reads), large(paper.reads)],
      ...simulatedBill.map(({ name, usd }, index) => [name, dollars(usd), dollars(paperBill[index]?.usd ?? 0)]),
      ['**Cost**', dollars(totalOf(simulatedBill)), dollars(totalOf(paperBill))],
    ],
  };
};

const percentDigits = (share: number): string => `${(share * 100).toFixed(2)} %`;

const shareText = ({ requests, served }: { readonly requests: number; readonly served: number }): string =>
  requests === 0 ? '' : `${((100 * served) / requests).toFixed(2)} %`;

const callers = ({ outside, during }: DayFigures): MeasuredTable => ({
  caption: 'Served requests. An answer from a cache while the provider fails is served:',
  columns: ['Callers', 'Requests', 'Served', 'Requests in the outage', 'Served in the outage'],
  rows: kindNames.map((kind) => [
    callerKinds[kind].name,
    number(outside[kind].requests),
    shareText(outside[kind]),
    number(during[kind].requests),
    shareText(during[kind]),
  ]),
});

const refusals = ({ results }: DayFigures): MeasuredTable => ({
  caption: 'Refused and failed requests by code:',
  columns: ['Code, callers', 'Requests'],
  rows: [...results]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([result, count]) => {
      const [code = '', kind = '', when] = result.split(', ');
      const name = kindNames.find((caller) => caller === kind);
      return [
        `\`${code}\`, ${name === undefined ? kind : callerKinds[name].name}${when === undefined ? '' : ', in the outage'}`,
        number(count),
      ];
    }),
});

const useNames = [
  ['hit', 'from the cache, fresh'],
  ['revalidated', 'from the cache, while the origin is asked again'],
  ['stale', 'from the cache, because the origin failed'],
  ['joined', 'with the origin request of another caller'],
  ['miss', 'from the origin'],
] as const;

const cacheUse = (report: DayReport): MeasuredTable => {
  const { figures } = report;
  const kinds = ['post', 'list', 'search', 'tool', 'document'] as const;
  const total = (kind: (typeof kinds)[number]): number => figures.byKind[kind].requests;
  return {
    caption: `How requests are answered. The hit ratio of the requests that CloudFront may keep is ${percent(hitRatioIn(figures))}:`,
    columns: ['Answered', ...kinds],
    rows: useNames.map(([use, name]) => [
      name,
      ...kinds.map((kind) => {
        const count = figures.uses.get(`${kind} ${use}`) ?? 0;
        return count === 0 ? '' : percentDigits(count / total(kind));
      }),
    ]),
  };
};

const secondsText = ({ calls, seconds }: { readonly calls: number; readonly seconds: number }): string =>
  calls === 0 ? '' : `${(seconds / calls).toFixed(2)} s`;

const outageTable = ({ figures }: DayReport): MeasuredTable => {
  const minute = (milliseconds: number): number => milliseconds / 60_000;
  const callsBetween = (from: number, until: number): number =>
    figures.provider.callsByMinute.slice(minute(from), minute(until)).reduce((sum, calls) => sum + calls, 0);
  const length = outage.until - outage.from;
  return {
    caption: 'The outage of 20 minutes, of the sample:',
    columns: ['Figure', 'Value'],
    rows: [
      ['mean time of a call of a function outside of the outage', secondsText(figures.fleet.ended.outside)],
      ['mean time of a call of a function in the outage', secondsText(figures.fleet.ended.during)],
      ['provider calls in the 20 minutes before', number(callsBetween(outage.from - length, outage.from))],
      ['provider calls in the outage', number(callsBetween(outage.from, outage.until))],
      ['provider calls in the 20 minutes after', number(callsBetween(outage.until, outage.until + length))],
      ['provider calls rejected with 429 by a server, in the day', number(figures.provider.throttled)],
      ['provider calls failed, in the day', number(figures.provider.failed)],
    ],
  };
};

const waitTable = ({ hitRatios }: DayReport): MeasuredTable => {
  const waits = (setting: string, post: CacheClass, kind: CachedKind): string =>
    percent(hitRatios.find((row) => row.setting === setting && row.post === post)?.waits.get(kind) ?? Number.NaN);
  const settings = hitRatios.filter(({ post }) => post === 'monthOldPost').map(({ setting }) => setting);
  return {
    caption:
      'Requests that wait for a provider, by age of post and by kind of read. CloudFront answers the others, also while it asks again for an answer that is no longer fresh:',
    columns: ['Settings', 'post of the last day', 'post of the last 30 days', 'older post', 'list', 'search'],
    rows: settings.map((setting) => [
      setting,
      waits(setting, 'post', 'post'),
      waits(setting, 'dayOldPost', 'post'),
      waits(setting, 'monthOldPost', 'post'),
      waits(setting, 'post', 'list'),
      waits(setting, 'post', 'search'),
    ]),
  };
};

const DRAWS = 200_000;

/** The time of an answer from the origin, by the latencies that the simulation assumes. */
const latencyTable = (): MeasuredTable => {
  const random = seededRandom(1);
  const call = () => latency(random);
  const post = () => OWN_MILLISECONDS + call() + (random() < 1 / THREAD_EVERY ? call() : 0);
  const list = () => OWN_MILLISECONDS + call();
  const cold = (read: () => number) => () => coldStart.milliseconds + read();
  const row = (name: string, read: () => number): string[] => {
    const sorted = Array.from({ length: DRAWS }, read).toSorted((a, b) => a - b);
    return [name, ...[0.5, 0.95, 0.99].map((share) => `${((sorted[share * DRAWS] ?? 0) / 1000).toFixed(2)} s`)];
  };
  return {
    caption: 'The wait of those requests, before the network of the caller:',
    columns: ['Read, function', 'p50', 'p95', 'p99'],
    rows: [
      row('post with its thread, warm', post),
      row('post with its thread, cold', cold(post)),
      row('list or search, warm', list),
      row('list or search, cold', cold(list)),
    ],
  };
};

export const dayTables = (report: DayReport): readonly MeasuredTable[] => [
  comparison(report),
  cacheUse(report),
  callers(report.figures),
  refusals(report.figures),
  outageTable(report),
  {
    caption: 'The hit ratio by popularity and by settings, for the same traffic:',
    columns: ['Popularity and settings', 'Hit ratio'],
    rows: report.hitRatios.filter(({ post }) => post === 'post').map(({ setting, ratio }) => [setting, percent(ratio)]),
  },
  waitTable(report),
  latencyTable(),
  {
    caption: `Assumptions of the simulation, which has one of ${report.figures.sample} callers, subjects, instances and servers:`,
    columns: ['Assumption', 'Value'],
    rows: assumptionRows(report.servers, report.addresses),
  },
];
