// Checks the model of costs: its sums, its order and its prices.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metricSets } from '../../../shared/contract/metrics.ts';
import { type PriceName, type PriceRow, priceOf, priceSources, prices } from '../../../shared/contract/prices.ts';
import { mixes, readKinds, SECONDS_PER_MONTH } from '../../../shared/publish/costs/assumptions.ts';
import { billOf, pricedSettings, settingPrice, totalOf } from '../../../shared/publish/costs/bill.ts';
import { dollars, large, unitPrice } from '../../../shared/publish/costs/formats.ts';
import {
  addressesNeeded,
  limits,
  limitUses,
  requestsAtLimit,
  slowConcurrency,
} from '../../../shared/publish/costs/limits.ts';
import { countMetricSeries } from '../../../shared/publish/costs/metric-series.ts';
import { stepsFor } from '../../../shared/publish/costs/steps.ts';
import { createWorkload, volumeOf, type Workload } from '../../../shared/publish/costs/workload.ts';
import { hitRatios, levels, mixNames } from '../../../shared/publish/pages/cost-tables.ts';

const isPriceName = (name: string): name is PriceName => Object.hasOwn(prices, name);
const priceNames = Object.keys(prices).filter(isPriceName);

const workloads: fc.Arbitrary<Workload> = fc
  .record({
    requests: fc.integer({ min: 0, max: 1e11 }),
    hitRatio: fc.double({ min: 0, max: 1, noNaN: true }),
    mix: fc.constantFrom(...mixNames),
    keyedShare: fc.double({ min: 0, max: 1, noNaN: true }),
    addresses: fc.integer({ min: 1, max: 1000 }),
    metrics: fc.constantFrom('none' as const, 'service' as const),
    hasPool: fc.boolean(),
  })
  .map(createWorkload);

/** Sums of products in another order differ in the last digits. */
const ROUNDING = 1e-6;

describe('a price', () => {
  test.each(priceNames)('%s has rising bounds, an https source, and no bound at the end', (name) => {
    const { tiers, source, confirmed = '2026-01', units }: PriceRow = prices[name];
    const bounds = tiers.map(([upTo]) => upTo);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    expect(bounds.at(-1)).toBe(Number.POSITIVE_INFINITY);
    expect(priceSources[source]).toMatch(/^https:\/\/aws\.amazon\.com\/.+\/$/);
    expect(confirmed).toMatch(/^20\d\d-(?:0[1-9]|1[0-2])$/);
    expect(units).toBeGreaterThan(0);
  });

  test('is the sum of its tiers', () => {
    // 10 TB at 0.085, 40 TB at 0.08, 50 TB at 0.06.
    expect(priceOf('cdnData', 100_000)).toBeCloseTo(850 + 3200 + 3000, 6);
    expect(priceOf('httpApi', 400e6)).toBeCloseTo(300 + 90, 6);
    expect(priceOf('cdnRequests', 1e6)).toBeCloseTo(1, 9);
  });

  test('subtracts the free quantity only if asked', () => {
    expect(priceOf('lambdaRequests', 3e6)).toBeCloseTo(0.6, 9);
    expect(priceOf('lambdaRequests', 3e6, true)).toBeCloseTo(0.4, 9);
    expect(priceOf('lambdaRequests', 1, true)).toBe(0);
    expect(priceOf('webAcls', 1, true)).toBe(5);
  });

  test.each(priceNames)('%s rises with the quantity, and never by more than its first tier', (name) => {
    const [[, first] = [0, 0]] = prices[name].tiers;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 0, max: 1e12 }), (quantity, more) => {
        const sum = priceOf(name, quantity + more);
        const added = sum - priceOf(name, quantity);
        expect(added).toBeGreaterThanOrEqual(-ROUNDING * sum);
        expect(added).toBeLessThanOrEqual((more / prices[name].units) * first + ROUNDING * sum);
        expect(priceOf(name, quantity, true)).toBeLessThanOrEqual(priceOf(name, quantity));
      }),
    );
  });
});

describe('the bill', () => {
  test('agrees with a bill computed by hand', () => {
    // 1,000,000 posts without a hit: 300 ms and 1 % of 600 ms at 512 MB, 2 provider calls, 4 kB.
    const [kind, requests] = [readKinds.post, 1e6];
    const workload = createWorkload({ requests, hitRatio: 0, metrics: 'none' });
    const usd = Object.fromEntries(billOf(workload).map((line) => [line.name, line.usd]));
    expect(usd['CloudFront requests']).toBeCloseTo(1, 6);
    expect(usd['Edge function']).toBeCloseTo(0.1, 6);
    // All but the 3 % of MCP, at 1.00 per million.
    expect(usd['HTTP API']).toBeCloseTo(0.97, 6);
    expect(usd['Lambda calls']).toBeCloseTo(0.2, 6);
    const seconds = 0.7 * 0.306 + 0.2 * 0.306 + 0.05 * 0.406 + 0.03 * 0.356;
    expect(kind.milliseconds).toBe(300);
    expect(usd['Lambda duration']).toBeCloseTo((seconds * 0.5 + 0.02 * 0.011 * 0.25) * 13.3334, 4);
    // 28 % of the requests charge an allowance; 10 % of them also read an API key.
    expect(usd['DynamoDB']).toBeCloseTo(0.28 * 0.625 + 0.028 * 0.125, 6);
    expect(usd['Metrics']).toBe(0);
    expect(volumeOf(workload).providerCalls).toBeCloseTo(1e6 * (1.4 + 0.3 + 0.05 + 0.045), 3);
  });

  test('is the sum of its components', () => {
    fc.assert(
      fc.property(workloads, fc.boolean(), (workload, free) => {
        const lines = billOf(workload, free);
        const sum = lines.reduce((total, { usd }) => total + usd, 0);
        expect(totalOf(workload, free)).toBeCloseTo(sum, 6);
        expect(lines.every(({ usd }) => usd >= 0)).toBe(true);
      }),
    );
  });

  test('rises with the requests and falls with the hit ratio', () => {
    fc.assert(
      fc.property(
        workloads,
        fc.integer({ min: 0, max: 1e11 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (workload, more, other) => {
          const busier = { ...workload, requests: workload.requests + more };
          expect(totalOf(busier)).toBeGreaterThanOrEqual(totalOf(workload) * (1 - ROUNDING));
          const [low, high] = [workload.hitRatio, other].toSorted((a, b) => a - b);
          const at = (hitRatio = 0): number => totalOf({ ...workload, hitRatio });
          expect(at(high)).toBeLessThanOrEqual(at(low) * (1 + ROUNDING));
        },
      ),
    );
  });

  test('is lower after the free quantities', () => {
    fc.assert(
      fc.property(workloads, (workload) => {
        expect(totalOf(workload, true)).toBeLessThanOrEqual(totalOf(workload));
      }),
    );
  });

  test('of all hits still pays for MCP and for requests with an API key', () => {
    const { misses } = volumeOf(createWorkload({ requests: 1e6, hitRatio: 1 }));
    // 3 % MCP; 10 % of the lists and searches have an API key.
    expect(misses).toBeCloseTo(1e6 * (0.03 + 0.25 * 0.1), 3);
  });

  test.each(mixNames)('the shares of the mix %s sum to 1', (name) => {
    expect(Object.values(mixes[name]).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  });
});

describe('a limit', () => {
  test('of FxTwitter is reached first at every level and hit ratio', () => {
    for (const requests of levels)
      for (const hitRatio of hitRatios)
        expect(limitUses(createWorkload({ requests, hitRatio }))[0]?.limit.name).toBe('FxTwitter');
  });

  test('is used more by more requests, and less with more hits', () => {
    fc.assert(
      fc.property(workloads, fc.constantFrom(...limits), ({ ...workload }, limit) => {
        const use = (changed: Workload): number => limit.demand(volumeOf(changed), changed) / limit.limit(changed);
        expect(use({ ...workload, requests: workload.requests * 2 })).toBeCloseTo(use(workload) * 2, 6);
        expect(use({ ...workload, hitRatio: 1 })).toBeLessThanOrEqual(use(workload) * (1 + ROUNDING) + ROUNDING);
      }),
    );
  });

  test.each(limits)('$name is used to exactly 100 % by the requests at which it is reached', (limit) => {
    const workload = createWorkload({ requests: 1e6, hitRatio: 0.5, hasPool: true });
    const full = { ...workload, requests: requestsAtLimit(limit, workload) };
    expect(limit.demand(volumeOf(full), full) / limit.limit(full)).toBeCloseTo(1, 9);
  });

  test('of concurrent executions is reached at a tenth of the requests while the provider is slow', () => {
    const workload = createWorkload({ requests: 1e6, hitRatio: 0.2 });
    const [healthy] = limits.filter(({ name }) => name === 'Lambda concurrency');
    const share = requestsAtLimit(slowConcurrency, workload) / (healthy ? requestsAtLimit(healthy, workload) : 0);
    expect(share).toBeGreaterThan(0.08);
    expect(share).toBeLessThan(0.1);
  });

  test('of FxTwitter is kept with the servers that are needed, and not with one less', () => {
    fc.assert(
      fc.property(workloads, (workload) => {
        const addresses = addressesNeeded(workload);
        const use = (count: number): number =>
          limitUses({ ...workload, addresses: count }).find(({ limit }) => limit.name === 'FxTwitter')?.use ?? 0;
        expect(use(addresses)).toBeLessThanOrEqual(1 + ROUNDING);
        if (addresses > 1) expect(use(addresses - 1)).toBeGreaterThan(1 - ROUNDING);
      }),
    );
  });

  test('counts the busiest minute: 1,000 calls in a minute are 8,760,000 in a month of five times the average', () => {
    expect((1000 / 60 / 5) * SECONDS_PER_MONTH).toBe(8_760_000);
    const workload = createWorkload({ requests: 1e6, hitRatio: 0 });
    const [fxTwitter] = limits;
    const perRequest = volumeOf(workload).providerCalls / 1e6;
    expect(fxTwitter && requestsAtLimit(fxTwitter, workload)).toBeCloseTo(8_760_000 / perRequest, 3);
  });
});

describe('the steps', () => {
  const texts = (workload: Workload): string => stepsFor(workload).join('; ');

  test('ask for base URLs only if one is not enough', () => {
    expect(texts(createWorkload({ requests: 1e6, hitRatio: 0.8 }))).not.toContain('fxTwitterBaseUrl');
    expect(texts(createWorkload({ requests: 1e8, hitRatio: 0.8 }))).toContain('`fxTwitterBaseUrl` with 5 base URLs');
    expect(texts(createWorkload({ requests: 1e9, hitRatio: 0.8 }))).toContain(
      '`fxTwitterBaseUrl` with 10 base URLs, each a load balancer before 5 servers',
    );
  });

  test('ask for a quota of executions before it is reached, and for the pool to be off', () => {
    expect(texts(createWorkload({ requests: 1e9, hitRatio: 0.8 }))).not.toContain('concurrent executions');
    expect(texts(createWorkload({ requests: 1e10, hitRatio: 0.8 }))).toContain('concurrent executions');
    const busy = { requests: 1e11, hitRatio: 0, mix: 'searching' } as const;
    expect(texts(createWorkload({ ...busy, hasPool: true }))).toContain('no `allowanceSearchPool`');
    expect(texts(createWorkload(busy))).not.toContain('allowanceSearchPool');
  });
});

test('a guard costs nothing less with more requests, and has a setting of its own', () => {
  const names = pricedSettings.map(({ setting }) => setting);
  expect(new Set(names).size).toBe(names.length);
  for (const row of pricedSettings) {
    const at = (requests: number): number => settingPrice(row, createWorkload({ requests, hitRatio: 0.8 }));
    expect(at(1e8), row.setting).toBeGreaterThanOrEqual(at(0));
  }
});

describe('the metrics', () => {
  test('grow with each base URL by the metrics of an address', () => {
    const perAddress = Object.values(metricSets)
      .filter(({ dimensions }) => dimensions.some((names) => names.join() === 'address'))
      .reduce((sum, { metrics }) => sum + Object.keys(metrics).length, 0);
    expect(perAddress).toBeGreaterThan(0);
    expect(countMetricSeries(3) - countMetricSeries(1)).toBe(2 * perAddress);
  });
});

test('figures are readable', () => {
  expect([0, 0.001, 0.01, 99.994, 100.4, 12_345.6].map(dollars)).toEqual([
    '$0.00',
    'below $0.01',
    '$0.01',
    '$99.99',
    '$100',
    '$12,346',
  ]);
  expect([0.01, 0.085, 0.0000133334, 5].map(unitPrice)).toEqual(['$0.01', '$0.085', '$0.0000133334', '$5.00']);
  expect([1000, 1e6, 1.25e7, 1.5e11, Number.POSITIVE_INFINITY].map(large)).toEqual([
    '1,000',
    '1 million',
    '12.5 million',
    '150 billion',
    'never',
  ]);
});
