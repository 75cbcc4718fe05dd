// Bounds the metrics that CloudWatch bills.
import { describe, expect, test } from 'vitest';
import { countMetricSeries, dimensionValues } from '../../../shared/contract/billed-resources.ts';
import { providerNames } from '../../../shared/contract/providers.ts';

const ALL = providerNames.map((name) => ({ name, baseUrls: 1 }));
const DEFAULT = ALL.filter(({ name }) => name !== 'x_api');

describe('the number of billed metrics', () => {
  test.each([
    [DEFAULT, 118],
    [ALL, 166],
    [[...ALL.slice(1), { name: 'fxtwitter', baseUrls: 10 }], 202],
  ] as const)('with the providers %j it is at most %i', (used, expected) => {
    expect(countMetricSeries(used)).toBe(expected);
  });
});

describe('the values of dimensions', () => {
  test('no value occurs twice', () => {
    for (const values of dimensionValues.values()) expect(new Set(values).size).toBe(values.length);
  });
});
