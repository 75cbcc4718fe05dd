// Cache-Control by class, over the whole range of CACHE_TTL_SECONDS.
import { expect, test } from 'vitest';
import { cacheControl, postClassOfAge } from '../../../shared/contract/caching.ts';

test.each([
  [1, 1, 1],
  [30, 30, 30],
  [59, 59, 59],
  [60, 60, 60],
  [61, 60, 61],
  [299, 60, 299],
  [300, 60, 21_600],
  [21_601, 60, 21_601],
  [86_400, 60, 86_400],
])(
  'cacheControl() keeps lists in shared caches when CACHE_TTL_SECONDS is %i for %i s, and old posts for %i s',
  (ttl, kept, oldest) => {
    expect(cacheControl('list', ttl)).toBe(
      `public, max-age=30, s-maxage=${kept}, stale-while-revalidate=300, stale-if-error=3600`,
    );
    expect(cacheControl('degraded', ttl)).toBe(`public, max-age=30, s-maxage=${kept}`);
    expect(cacheControl('post', ttl)).toBe(
      `public, max-age=60, s-maxage=${ttl}, stale-while-revalidate=3600, stale-if-error=86400`,
    );
    const oldPost = `public, max-age=60, s-maxage=${oldest}, stale-while-revalidate=3600, stale-if-error=86400`;
    expect(cacheControl('monthOldPost', ttl)).toBe(oldPost);
    expect(cacheControl('missing', ttl)).toBe('public, max-age=30, s-maxage=30');
  },
);

test.each(['post', 'dayOldPost', 'monthOldPost', 'list', 'degraded', 'missing'] as const)(
  'cacheControl() keeps %s in no cache when CACHE_TTL_SECONDS is 0',
  (kind) => {
    expect(cacheControl(kind, 0)).toBe('public, max-age=0, s-maxage=0');
  },
);

const DAY = 86_400_000;

test.each([
  ['post', -DAY],
  ['post', DAY],
  ['post', Number.NaN],
  ['dayOldPost', DAY + 1],
  ['dayOldPost', 30 * DAY],
  ['monthOldPost', 30 * DAY + 1],
])('postClassOfAge() is %s when the post is %d ms old', (cacheClass, age) => {
  expect(postClassOfAge(age)).toBe(cacheClass);
});
