// Bounds the metrics that CloudWatch bills.
import { expect, test } from 'vitest';
import { countMetricSeries, dimensionValues } from '../../../shared/contract/billed-resources.ts';
import { providerNames, queryKinds } from '../../../shared/contract/providers.ts';

const ALL = providerNames.map((name) => ({ name, baseUrls: 1 }));
const DEFAULT = ALL.filter(({ name }) => name !== 'x_api');

/** The metrics of calls and breakers, for each kind of query and for each base URL. */
const METRICS = 4;
const OF_X_API = METRICS * (queryKinds.x_api.length + 1 + 1);

test.each([
  [DEFAULT, 126],
  [ALL, 126 + OF_X_API],
  [[...ALL.slice(1), { name: 'fxtwitter', baseUrls: 10 }], 126 + OF_X_API + 9 * METRICS],
] as const)('the number of billed metrics with the providers %j it is at most %i', (used, expected) => {
  expect(countMetricSeries(used)).toBe(expected);
});

test('no value of a dimension occurs twice', () => {
  for (const values of dimensionValues.values()) expect(new Set(values).size).toBe(values.length);
});
