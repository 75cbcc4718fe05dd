// Cache-Control by class, over the whole range of CACHE_TTL_SECONDS.
import { expect, test } from 'vitest';
import { cacheControl } from '../../../shared/contract/caching.ts';

test.each([
  [1, 1],
  [30, 30],
  [59, 59],
  [60, 60],
  [61, 60],
  [86_400, 60],
])('cacheControl() keeps lists in shared caches when CACHE_TTL_SECONDS is %i for %i s', (ttl, kept) => {
  expect(cacheControl('list', ttl)).toBe(
    `public, max-age=30, s-maxage=${kept}, stale-while-revalidate=300, stale-if-error=3600`,
  );
  expect(cacheControl('degraded', ttl)).toBe(`public, max-age=30, s-maxage=${kept}`);
  expect(cacheControl('post', ttl)).toBe(
    `public, max-age=60, s-maxage=${ttl}, stale-while-revalidate=3600, stale-if-error=86400`,
  );
  expect(cacheControl('missing', ttl)).toBe('public, max-age=30, s-maxage=30');
});

test.each(['post', 'list', 'degraded', 'missing'] as const)(
  'cacheControl() keeps %s in no cache when CACHE_TTL_SECONDS is 0',
  (kind) => {
    expect(cacheControl(kind, 0)).toBe('public, max-age=0, s-maxage=0');
  },
);
