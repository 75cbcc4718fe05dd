// Checks the model of costs: its sums and its prices. The documents show its figures.
import { describe, expect, test } from 'vitest';
import { bill, readKinds, volumeOf } from '../../../infra/docs/bill.ts';
import { type PriceName, type PriceRow, priceOf, priceSources, prices } from '../../../shared/contract/prices.ts';

const isPriceName = (name: string): name is PriceName => Object.hasOwn(prices, name);
const priceNames = Object.keys(prices).filter(isPriceName);

describe('a price', () => {
  test.each(priceNames)('%s has rising bounds, an https source, and no bound at the end', (name) => {
    const { tiers, source, units }: PriceRow = prices[name];
    const bounds = tiers.map(([upTo]) => upTo);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    expect(bounds.at(-1)).toBe(Number.POSITIVE_INFINITY);
    expect(priceSources[source]).toMatch(/^https:\/\/aws\.amazon\.com\/.+\/$/);
    expect(units).toBeGreaterThan(0);
  });

  test('is the sum of its tiers, without the free quantity only if asked', () => {
    // 10 TB at 0.085, 40 TB at 0.08, 50 TB at 0.06.
    expect(priceOf('cdnData', 100_000)).toBeCloseTo(850 + 3200 + 3000, 6);
    expect(priceOf('lambdaRequests', 3e6)).toBeCloseTo(0.6, 9);
    expect(priceOf('lambdaRequests', 3e6, true)).toBeCloseTo(0.4, 9);
    expect(priceOf('lambdaRequests', 1, true)).toBe(0);
    expect(priceOf('webAcls', 1, true)).toBe(5);
  });
});

describe('the bill', () => {
  test('agrees with a bill computed by hand', () => {
    // 1,000,000 requests without a hit: 70 % posts of 300 ms and 1 % of 600 ms at 512 MB, 2 provider calls each.
    const volume = volumeOf(1e6, 0);
    const usd = Object.fromEntries(bill(volume).map((line) => [line.name, line.usd]));
    expect(usd['CloudFront requests']).toBeCloseTo(1, 6);
    expect(usd['Edge function']).toBeCloseTo(0.1, 6);
    // All but the 3 % of MCP, at 1.00 per million.
    expect(usd['HTTP API']).toBeCloseTo(0.97, 6);
    expect(usd['Lambda calls']).toBeCloseTo(0.2, 6);
    const seconds = 0.7 * 0.306 + 0.2 * 0.306 + 0.05 * 0.406 + 0.03 * 0.356;
    expect(usd['Lambda duration']).toBeCloseTo((seconds * 0.5 + 0.02 * 0.011 * 0.25) * 13.3334, 4);
    // 28 % of the requests charge an allowance; 10 % of them also read an API key.
    expect(usd['DynamoDB']).toBeCloseTo(0.28 * 0.625 + 0.028 * 0.125, 6);
    expect(volume.providerCalls).toBeCloseTo(1e6 * (1.4 + 0.3 + 0.05 + 0.045), 3);
  });

  test('of all hits still pays for MCP and for requests with an API key', () => {
    // 3 % MCP; 10 % of the lists and searches have an API key.
    expect(volumeOf(1e6, 1).misses).toBeCloseTo(1e6 * (0.03 + 0.25 * 0.1), 3);
  });

  test('without requests has no metric of requests', () => {
    expect(bill(volumeOf(0, 0)).find(({ name }) => name === 'Metrics')?.usd).toBe(0);
  });

  test('divides all requests', () => {
    expect(Object.values(readKinds).reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  });
});
