// Runs a day of a small sample, and checks the parts of the simulation that are not code of the service.
import { describe, expect, test, vi } from 'vitest';
import { isMissed } from '../../../infra/docs/measurement.ts';
import { dayBars, dayTables } from './day-report.ts';
import { createEdge, type EdgeAnswer } from './edge.ts';
import { hitRatioOf } from './hit-ratio.ts';
import { createRefusalCheck } from './refusal-check.ts';
import { simulateDay } from './simulate-day.ts';

vi.mock('undici', () => import('../virtual-undici.ts'));

const DAY = 86_400_000;

const options = { sample: 4000, seed: 1, addresses: 10, callsPerMinuteAndBaseUrl: 40_000, report: () => undefined };

test('a simulated day refuses no API key wrongly and serves other callers', async () => {
  const figures = await simulateDay(options);
  const report = {
    figures,
    servers: 400,
    addresses: 10,
    hitRatios: [{ setting: 'a', post: 'post' as const, ratio: 0.5, waits: new Map() }],
  };
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
  const base = {
    sample: 2000,
    seed: 1,
    zipfExponent: 1,
    locations: 13,
    ttlSeconds: 300,
    milliseconds: DAY / 4,
    post: 'post' as const,
  };
  const { ratio, waits } = await hitRatioOf(base);
  expect(ratio).toBeGreaterThan(0.05);
  expect((await hitRatioOf({ ...base, zipfExponent: 1.2 })).ratio).toBeGreaterThan(ratio);
  expect((await hitRatioOf({ ...base, locations: 1 })).ratio).toBeGreaterThan(ratio);
  expect((await hitRatioOf({ ...base, ttlSeconds: 3600 })).ratio).toBeGreaterThan(ratio);
  const old = await hitRatioOf({ ...base, post: 'monthOldPost' });
  expect(old.waits.get('post')).toBeLessThan(waits.get('post') ?? 0);
  expect(old.waits.get('list')).toBe(waits.get('list'));
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

test('the figures tell how the cache of CloudFront answered', async () => {
  let now = 0;
  const edge = createEdge(() => now, 1, 60);
  const answers = (result: string) => async (): Promise<string> => result;
  const at = (time: number, ...fetches: readonly (() => Promise<string>)[]): Promise<readonly EdgeAnswer[]> => {
    now = time;
    return Promise.all(fetches.map((fetch) => edge({ kind: 'list', subject: 1, location: 0 }, fetch)));
  };
  const fails = answers('upstream_unavailable');
  expect(await at(0, answers('ok'), fails)).toEqual([
    { use: 'miss', result: 'ok' },
    { use: 'joined', result: 'ok' },
  ]);
  expect(await at(59_999, fails)).toEqual([{ use: 'hit', result: 'ok' }]);
  expect(await at(61_000, fails)).toEqual([{ use: 'revalidated', result: 'ok' }]);
  expect(await at(3_000_000, fails)).toEqual([{ use: 'stale', result: 'ok' }]);
  expect(await at(3_000_000, answers('rate_limited'))).toEqual([{ use: 'miss', result: 'rate_limited' }]);
  expect(await at(90_000_000, fails)).toEqual([{ use: 'miss', result: 'upstream_unavailable' }]);
});
