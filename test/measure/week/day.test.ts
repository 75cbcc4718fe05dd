// Runs a short form of `npm run measure -- day`: a day of a small sample.
import { expect, test, vi } from 'vitest';
import { isMissed } from '../../../infra/docs/measurement.ts';
import { dayBars, dayTables } from '../../../measure/week/day/day-report.ts';
import { hitRatioOf } from '../../../measure/week/day/hit-ratio.ts';
import { simulateDay } from '../../../measure/week/day/simulate-day.ts';

vi.mock('undici', () => import('../../../measure/week/virtual-undici.ts'));

test('a simulated day refuses no API key wrongly and serves other callers', async () => {
  const hits = await hitRatioOf({
    sample: 4000,
    seed: 1,
    zipfExponent: 1,
    locations: 13,
    ttlSeconds: 300,
    milliseconds: 6 * 3_600_000,
    post: 'post',
  });
  const figures = await simulateDay({
    sample: 4000,
    seed: 1,
    addresses: 10,
    callsPerMinuteAndBaseUrl: 40_000,
    report: () => undefined,
  });
  const report = {
    figures,
    servers: 400,
    addresses: 10,
    hitRatios: [{ setting: 'a', post: 'post' as const, ...hits }],
  };
  expect(dayBars(report).filter(isMissed)).toEqual([]);
  expect(dayTables(report).every(({ columns, rows }) => rows.every((row) => row.length === columns.length))).toBe(true);
  expect(hits.ratio).toBeGreaterThan(0);
  expect(figures.requests).toBeGreaterThan(5000);
  expect(figures.provider.failed).toBeGreaterThan(0);
  expect(figures.uses.get('post stale') ?? 0).toBeGreaterThan(0);
  expect(figures.during.people.served).toBeLessThan(figures.during.people.requests);
});
