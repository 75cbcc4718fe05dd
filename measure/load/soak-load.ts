// Sends mixed load for minutes while calls of the provider and of the store fail, and samples memory and open handles.
import { setTimeout as delay } from 'node:timers/promises';
import type { Subject } from '../../test/support/faults/surfaces.ts';
import { pick } from '../../test/support/random.ts';
import { newAddress } from './callers.ts';
import { requestedResource } from './fake-provider.ts';
import { type LoadRoute, loadRoutes } from './load-routes.ts';
import { runOpenLoop } from './open-loop.ts';
import { type Point, type Trend, trendOf } from './regression.ts';
import { type LoadStand, newSubject } from './stand.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** Requests per second. */
  readonly rate: number;
  /** The share of the time that is not part of the regression, because code compiles and caches fill. */
  readonly warmUpShare: number;
  /** The seconds without a request before handles are counted; connections that are kept open end in the meantime. */
  readonly quietSeconds: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly report: (line: string) => void;
}

export interface SoakFigures {
  readonly sent: number;
  /** Requests that were due, but not sent, because thousands of others had no answer. */
  readonly leftOut: number;
  readonly results: ReadonlyMap<string, number>;
  /** Ascending, in milliseconds. */
  readonly latencies: readonly number[];
  /** Bytes after a collection, without the warm-up. */
  readonly heap: readonly Point[];
  readonly rss: readonly Point[];
  readonly heapTrend: Trend;
  readonly rssTrend: Trend;
  readonly providerCalls: number;
  readonly storeCalls: number;
  readonly handlesAtStart: Readonly<Record<string, number>>;
  readonly handlesAtEnd: Readonly<Record<string, number>>;
}

const ADDRESSES = 1000;
const SUBJECTS = 600;
/** The share of callers and of subjects that the service never saw: a map without a bound grows with them for ever. */
const NEW_SHARE = 0.2;
/**
 * In this share of the warm-up all callers and subjects are new, so that the maps of 100 and of 1,000 entries are full
 * after the warm-up of 30 minutes with 50 requests per second. Not full are the maps of failures, refunds and denials.
 * Counters leave their maps of 10,000 entries after a minute.
 */
const FILLING_SHARE = 2 / 3;
/** The popular subjects come after those that newSubject() gives to measurements of requests that no cache answers. */
const FIRST_SUBJECT = 1e9;
/** Caches keep answers for a shorter time than in production, so that they keep filling and emptying. */
export const SOAK_ENVIRONMENT = { CACHE_TTL_SECONDS: '5' };

const SAMPLES_PER_RUN = 120;
const SAMPLES_PER_REPORT = 6;
/** A collection stops the service, so frequent ones would be most of its load. */
const MIN_INTERVAL_SECONDS = 0.5;

/** A few of the popular subjects get most requests: the rank is exponential in a uniform number. */
const popularIndex = (random: () => number): number => Math.floor(SUBJECTS ** random());

/** @param stand was started with `faultShare` and `CACHE_TTL_SECONDS` of SOAK_ENVIRONMENT, and with API keys */
export const soak = async (stand: LoadStand, options: SoakOptions): Promise<SoakFigures> => {
  const { minutes, rate, warmUpShare, quietSeconds, random, report } = options;
  const { service, backends, client } = stand;
  const addresses = Array.from({ length: ADDRESSES }, newAddress);
  const total = minutes * 60;
  const heap: Point[] = [];
  const rss: Point[] = [];
  const started = performance.now();
  const secondsNow = (): number => (performance.now() - started) / 1000;
  const sample = async (): Promise<void> => {
    const figures = await service.ask('memory');
    const seconds = secondsNow();
    heap.push({ seconds, value: figures.heap });
    rss.push({ seconds, value: figures.rss });
  };
  const send = () => {
    const newShare = secondsNow() < total * warmUpShare * FILLING_SHARE ? 1 : NEW_SHARE;
    const isNew = (): boolean => random() < newShare;
    const route: LoadRoute = pick(random, loadRoutes);
    const subject: Subject = isNew()
      ? newSubject()
      : requestedResource('healthy', FIRST_SUBJECT + popularIndex(random));
    const usesKey = route.acceptsKeys && random() < 0.2;
    return client.send(
      route.queryOf(subject),
      isNew() ? newAddress() : pick(random, addresses),
      usesKey ? pick(random, backends.ready.keys).secret : undefined,
    );
  };
  const handlesWhenQuiet = async () => {
    await delay(quietSeconds * 1000);
    return (await service.ask('memory')).resources;
  };
  // Opens what stays open.
  await runOpenLoop({ rate, seconds: Math.min(5, total / 10), random, send });
  const handlesAtStart = await handlesWhenQuiet();
  const callsAtStart = await backends.ask({ mode: 'faulty' });
  let isOver = false;
  const load = runOpenLoop({ rate, seconds: total, random, send }).finally(() => {
    isOver = true;
  });
  const interval = Math.max(MIN_INTERVAL_SECONDS, total / SAMPLES_PER_RUN);
  while (!isOver) {
    await delay(interval * 1000);
    await sample();
    if (heap.length % SAMPLES_PER_REPORT === 0) {
      const megabytes = (points: readonly Point[]): string => ((points.at(-1)?.value ?? 0) / 1e6).toFixed(1);
      const minute = (secondsNow() / 60).toFixed(1);
      report(`${minute} min: heap ${megabytes(heap)} MB, resident set ${megabytes(rss)} MB`);
    }
  }
  const { sent, leftOut, latencies, results } = await load;
  await sample();
  const calls = await backends.ask({ mode: 'healthy' });
  const handlesAtEnd = await handlesWhenQuiet();
  const warm = (points: readonly Point[]): readonly Point[] => points.slice(Math.floor(points.length * warmUpShare));
  return {
    sent,
    leftOut,
    results,
    latencies,
    heap: warm(heap),
    rss: warm(rss),
    heapTrend: trendOf(warm(heap)),
    rssTrend: trendOf(warm(rss)),
    providerCalls: calls.provider - callsAtStart.provider,
    storeCalls: calls.store - callsAtStart.store,
    handlesAtStart,
    handlesAtEnd,
  };
};
