// Runs a day of a small sample, and checks the parts of the simulation that are not code of the service.
import { describe, expect, test } from 'vitest';
import { isMissed } from '../../../shared/publish/measurements/measurement.ts';
import { dayBars, dayTables } from './day-report.ts';
import { createEdgeCache, type EdgeAnswer, type OriginResult } from './edge-caches.ts';
import { hitRatioOf } from './hit-ratio.ts';
import { createRefusalCheck } from './refusal-check.ts';
import { simulateDay } from './simulate-day.ts';
import { createVirtualTime } from './virtual-time.ts';

const DAY = 86_400_000;

const options = { sample: 4000, seed: 1, addresses: 10, callsPerMinuteAndBaseUrl: 40_000, report: () => undefined };

test('a simulated day refuses no API key wrongly and serves other callers', async () => {
  const figures = await simulateDay(options);
  const report = { figures, servers: 400, addresses: 10, hitRatios: [{ setting: 'a', ratio: 0.5 }] };
  expect(dayBars(report).filter(isMissed)).toEqual([]);
  expect(dayTables(report).every(({ columns, rows }) => rows.every((row) => row.length === columns.length))).toBe(true);
  expect(figures.requests).toBeGreaterThan(5000);
  expect(figures.provider.failed).toBeGreaterThan(0);
  expect(figures.uses.get('post stale') ?? 0).toBeGreaterThan(0);
  const servedShare = figures.during.people.served / figures.during.people.requests;
  expect(servedShare).toBeLessThan(1);
});

test('equal seeds simulate equal hours', async () => {
  const hours = { ...options, milliseconds: 2 * 3_600_000 };
  const { provider, ...first } = await simulateDay(hours);
  const { provider: again, ...second } = await simulateDay(hours);
  expect(second).toEqual(first);
  expect(again).toEqual(provider);
});

test('servers that admit too few calls show in the figures', async () => {
  const figures = await simulateDay({ ...options, callsPerMinuteAndBaseUrl: 4000, milliseconds: 6 * 3_600_000 });
  expect(figures.provider.throttled).toBeGreaterThan(0);
  expect(figures.outside.people.served).toBeLessThan(figures.outside.people.requests);
});

test('popularity and freshness raise the hit ratio', async () => {
  const base = { sample: 2000, seed: 1, zipfExponent: 1, locations: 13, ttlSeconds: 300, milliseconds: DAY / 4 };
  const ratio = await hitRatioOf(base);
  expect(ratio).toBeGreaterThan(0.05);
  expect(await hitRatioOf({ ...base, zipfExponent: 1.2 })).toBeGreaterThan(ratio);
  expect(await hitRatioOf({ ...base, locations: 1 })).toBeGreaterThan(ratio);
  expect(await hitRatioOf({ ...base, ttlSeconds: 3600 })).toBeGreaterThan(ratio);
});

describe('refusal check', () => {
  test('a refusal after as many admissions as the limit is right for a window, and wrong afterwards', () => {
    let now = 0;
    const check = createRefusalCheck(() => now);
    for (let count = 0; count < 3; count += 1) check.recordAdmission('a');
    expect(check.isWrong('a', 3)).toBe(false);
    expect(check.isWrong('a', 4)).toBe(true);
    expect(check.isWrong('b', 3)).toBe(true);
    now = 60_000;
    expect(check.isWrong('a', 3)).toBe(true);
  });
});

describe('virtual time', () => {
  test('events run in the order of their times, and promises continue before the next event', async () => {
    const time = createVirtualTime(1000);
    const order: string[] = [];
    const wait = async (name: string, milliseconds: number): Promise<void> => {
      await time.wait(milliseconds);
      await undefined;
      order.push(`${name} ${time.now()}`);
    };
    void wait('b', 20);
    void wait('a', 10);
    void wait('c', 20).then(() => wait('d', 5));
    await time.runUntil(2000);
    expect(order).toEqual(['a 1010', 'b 1020', 'c 1020', 'd 1025']);
    expect(time.now()).toBe(2000);
  });

  test('an event at the end waits for the next run', async () => {
    const time = createVirtualTime(0);
    let runs = 0;
    time.at(10, () => {
      runs += 1;
      return false;
    });
    await time.runUntil(10);
    expect(runs).toBe(0);
    await time.runUntil(11);
    expect(runs).toBe(1);
  });
});

describe('cache of CloudFront', () => {
  const freshness = { fresh: 100, staleWhileRevalidate: 200, staleIfError: 1000 };
  const fail = async (): Promise<OriginResult> => 'upstream_unavailable';
  const answer = async (): Promise<OriginResult> => 'ok';
  const refuse = async (): Promise<OriginResult> => 'rate_limited';

  const cacheAt = () => {
    let now = 0;
    const cache = createEdgeCache(() => now, freshness);
    const at = async (time: number, fetch: () => Promise<OriginResult>): Promise<EdgeAnswer> => {
      now = time;
      return cache.request(1, fetch);
    };
    return { at };
  };

  test('an answer is fresh, then revalidated, then requested again', async () => {
    const { at } = cacheAt();
    expect(await at(0, answer)).toEqual({ use: 'miss', result: 'ok' });
    expect(await at(99, fail)).toEqual({ use: 'hit', result: 'ok' });
    expect(await at(150, fail)).toEqual({ use: 'revalidated', result: 'ok' });
    expect(await at(199, answer)).toEqual({ use: 'revalidated', result: 'ok' });
    expect(await at(250, fail)).toEqual({ use: 'hit', result: 'ok' });
  });

  test('an answer that is not fresh is revalidated also while a revalidation runs', async () => {
    const { at } = cacheAt();
    await at(0, answer);
    const { promise, resolve } = Promise.withResolvers<OriginResult>();
    expect(await at(150, () => promise)).toEqual({ use: 'revalidated', result: 'ok' });
    expect(await at(151, fail)).toEqual({ use: 'revalidated', result: 'ok' });
    resolve('ok');
    await promise;
    expect(await at(160, fail)).toEqual({ use: 'hit', result: 'ok' });
  });

  test('an old answer is served if the origin fails, but not if it refuses', async () => {
    const { at } = cacheAt();
    await at(0, answer);
    expect(await at(500, fail)).toEqual({ use: 'stale', result: 'ok' });
    expect(await at(500, refuse)).toEqual({ use: 'miss', result: 'rate_limited' });
    expect(await at(1000, fail)).toEqual({ use: 'miss', result: 'upstream_unavailable' });
  });

  test('concurrent requests share an answer, but not a refusal', async () => {
    const { at } = cacheAt();
    const first = at(0, answer);
    const second = at(0, fail);
    expect(await Promise.all([first, second])).toEqual([
      { use: 'miss', result: 'ok' },
      { use: 'joined', result: 'ok' },
    ]);
    const { at: other } = cacheAt();
    const refused = other(0, refuse);
    const waiting = other(0, answer);
    expect(await Promise.all([refused, waiting])).toEqual([
      { use: 'miss', result: 'rate_limited' },
      { use: 'miss', result: 'ok' },
    ]);
  });
});
