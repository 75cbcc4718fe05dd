// Bounds the metrics that CloudWatch bills.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countMetricSeries, dimensionValues } from '../../../shared/contract/metric-series.ts';
import { providerNames } from '../../../shared/contract/providers.ts';
import { queryKindNames } from '../../../shared/contract/query-kinds.ts';
import { fxTwitterQueryKinds } from '../../../shared/upstream/fxtwitter/query-kinds.ts';
import { syndicationQueryKinds } from '../../../shared/upstream/syndication/provider.ts';
import { xApiQueryKinds } from '../../../shared/upstream/x-api/query-kinds.ts';

const ALL = providerNames.map((name) => ({ name, addresses: 1 }));
const DEFAULT = ALL.filter(({ name }) => name !== 'x_api');

describe('the number of billed metrics', () => {
  test.each([
    [DEFAULT, 118],
    [ALL, 166],
    [[...ALL.slice(1), { name: 'fxtwitter', addresses: 10 }], 202],
  ] as const)('with the providers %j it is at most %i', (used, expected) => {
    expect(countMetricSeries(used)).toBe(expected);
  });
});

describe('the values of dimensions', () => {
  test('no value occurs twice', () => {
    for (const values of dimensionValues.values()) expect(new Set(values).size).toBe(values.length);
  });

  const BASE = 'https://provider.example';
  const canaries = { post: '20', profile: 'X' };
  const kinds = {
    fxtwitter: fxTwitterQueryKinds(BASE, canaries),
    syndication: syndicationQueryKinds(BASE, canaries),
    x_api: xApiQueryKinds(BASE, canaries),
  };

  test.each(providerNames)('no URL of %s has a kind that is not listed', (name) => {
    const segment = fc.oneof(
      fc.constantFrom('2', 'tweets', 'users', 'status', 'profile', 'by', 'username', 'search', 'recent', 'followers'),
      fc.stringMatching(/^[A-Za-z0-9_.%-]{0,20}$/),
      fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), fc.string(), (segments, query) => {
        expect(queryKindNames[name]).toContain(kinds[name].kindOf(`${BASE}/${segments.join('/')}?q=${query}`));
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  test.each([
    '/2/tweets/20',
    '/2/tweets?ids=20,21',
    '/2/tweets/search/recent?query=a',
    '/2/tweets/20/quote_tweets',
    '/2/tweets/20/retweeted_by',
    '/2/users/by/username/20',
    '/2/users/12',
    '/2/users/12/tweets',
    '/2/users/12/followers',
    '/2/users/12/following',
  ])('each endpoint of the official API has a kind of its own: %s', (path) => {
    expect(kinds.x_api.kindOf(`${BASE}${path}`)).toBe(
      path.replace(/\?.*/, '').replace(/\/(?:20|12)(?=\/|$)/, path.includes('username') ? '/{username}' : '/{id}'),
    );
  });
});
