// Lists what the simulation of a day assumes. What the service does is not assumed: it is its own code.

import { readKinds, SECONDS_PER_MONTH } from '../../../infra/docs/bill.ts';
import { FAIR_USE } from '../../../shared/contract/allowances.ts';

export const REQUESTS_PER_MONTH = 1e9;
export const DAYS_PER_MONTH = 730 / 24;
export const DAY_MILLISECONDS = 86_400_000;
export const DAY_START = Date.parse('2026-11-21T00:00:00Z');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The rate per second in the busiest minute, which has five times the average rate of the month. */
export const peakRate = (perMonth: number): number => (5 * perMonth) / SECONDS_PER_MONTH;

/** Shares of all requests. `greedy` callers send as fast as they can; the others have pauses. */
export const callerKinds = {
  people: {
    name: 'people',
    share: 0.94,
    sessionLength: 8,
    pauseMilliseconds: 12_000,
    population: 2_000_000,
    isKeyed: false,
    isGreedy: false,
  },
  keyed: {
    name: 'callers with API keys',
    share: 0.028,
    sessionLength: 40,
    pauseMilliseconds: 2500,
    population: 1000,
    isKeyed: true,
    isGreedy: false,
  },
  greedy: {
    name: 'callers without pauses',
    share: 0.027,
    sessionLength: 1000,
    pauseMilliseconds: 100,
    population: 300,
    isKeyed: false,
    isGreedy: true,
  },
  greedyKeyed: {
    name: 'callers without pauses, with API keys',
    share: 0.005,
    sessionLength: 500,
    pauseMilliseconds: 250,
    population: 50,
    isKeyed: true,
    isGreedy: true,
  },
} as const;

export type CallerKind = keyof typeof callerKinds;

/** Distinct subjects in a day, and the exponent of their Zipf popularity. */
export const SUBJECTS = { post: 10_000_000, list: 1_000_000, search: 500_000, tool: 2_000_000, document: 30 } as const;
/** Breslau and others (INFOCOM 1999) measured 0.64 to 0.83 for web pages; views of posts are more concentrated. */
export const ZIPF_EXPONENT = 1;

/** The regional caches of CloudFront, which ask the origin. With `originShield` there is one. */
export const LOCATIONS = 13;

/** The rate of requests relative to the average of the day. */
export const diurnalFactor = (millisecondOfDay: number): number =>
  1 + 0.6 * Math.cos((2 * Math.PI * (millisecondOfDay - 20 * HOUR)) / DAY_MILLISECONDS);

/** News: more requests, most of them for one post. */
export const spike = { from: 20 * HOUR, until: 20 * HOUR + 10 * MINUTE, factor: 3, shareOfOnePost: 0.6 } as const;

/** All servers of the provider fail. */
export const outage = { from: 16 * HOUR, until: 16 * HOUR + 20 * MINUTE } as const;
/** One base URL of the provider does not answer. */
export const deadBaseUrl = { index: 3, from: 9 * HOUR, until: 11 * HOUR } as const;

interface Period {
  /** Milliseconds from the start of the day. */
  readonly from: number;
  readonly until: number;
}

export const isIn = ({ from, until }: Period, now: number): boolean =>
  now - DAY_START >= from && now - DAY_START < until;

/** Calls per minute that one server of the provider admits, as FxTwitter documents it. */
export const SERVER_CALLS_PER_MINUTE = 1000;
/** Median of the latency of a provider call, and the standard deviation of its logarithm. */
export const PROVIDER_LATENCY = { milliseconds: 250, deviation: 0.5 } as const;
/** The time of a request in the function without its provider calls, and the time of a cold start. */
export const OWN_MILLISECONDS = 15;
/** An instance without requests ends after this time. */
export const IDLE_MILLISECONDS = 10 * MINUTE;
/** A quarter of the posts has a thread, which needs a second call. */
export const THREAD_EVERY = 4;
/** ALLOWANCE_SEARCH_POOL, before sampling. */
export const SEARCH_POOL = { count: 9000, seconds: 60 } as const;

export const assumptionRows = (servers: number, addresses: number): readonly (readonly [string, string])[] => [
  [
    'requests',
    `${REQUESTS_PER_MONTH / 1e9} billion per month, ${(REQUESTS_PER_MONTH / DAYS_PER_MONTH / 1e6).toFixed(1)} million per day`,
  ],
  [
    'mix',
    Object.entries(readKinds)
      .map(([kind, { share }]) => `${kind} ${(share * 100).toFixed(0)} %`)
      .join(', '),
  ],
  [
    'callers',
    Object.values(callerKinds)
      .map(
        ({ name, share, population, sessionLength, pauseMilliseconds }) =>
          `${name}: ${(share * 100).toFixed(1)} % of requests, ${population.toLocaleString('en-US')} callers, sessions of ${sessionLength} with pauses of ${pauseMilliseconds / 1000} s`,
      )
      .join('; '),
  ],
  [
    'popularity',
    `Zipf with exponent ${ZIPF_EXPONENT}; ${Object.entries(SUBJECTS)
      .map(([kind, count]) => `${count.toLocaleString('en-US')} × ${kind}`)
      .join(', ')}`,
  ],
  ['age of posts', 'all of the last day, unless a table says otherwise: older posts stay longer in shared caches'],
  ['caches', `${LOCATIONS} regional caches, equally loaded`],
  [
    'rate over the day',
    'cosine from 40 % of the average at 08:00 to 160 % at 20:00; at 20:00 three times as much for 10 minutes, 60 % of it for one post',
  ],
  [
    'provider',
    `${servers} servers with ${SERVER_CALLS_PER_MINUTE} calls per minute each, behind ${addresses} base URLs; 250 ms, log-normal`,
  ],
  ['faults', 'all servers fail from 16:00 to 16:20; one base URL does not answer from 09:00 to 11:00'],
  ['fair use', `${FAIR_USE.count} posts per ${FAIR_USE.seconds} s, instance and caller`],
  ['search pool', `${SEARCH_POOL.count} searches per ${SEARCH_POOL.seconds} s of all callers without an API key`],
];
