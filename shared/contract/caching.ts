// Defines the Cache-Control field of each cache class.

/** The default number of seconds for which shared caches keep a post. The operator can change it. */
export const DEFAULT_CACHE_TTL_SECONDS = 300;

/** The maximum of the setting and of the edge cache: one day. */
export const MAX_CACHE_TTL_SECONDS = 86_400;

export type CacheClass = 'post' | 'list' | 'feed' | 'degraded' | 'missing' | 'route' | 'document' | 'none' | 'private';

const LIST_TTL_SECONDS = 60;

/** Readers poll by the quarter of an hour or less often. */
const FEED_TTL_SECONDS = 300;

/** @param ttlSeconds seconds for which shared caches keep a post; 0 turns shared caching of resources off */
export const cacheControl = (cacheClass: CacheClass, ttlSeconds: number): string => {
  const list = Math.min(ttlSeconds, LIST_TTL_SECONDS);
  const feed = Math.min(ttlSeconds, FEED_TTL_SECONDS);
  const isCached = ttlSeconds > 0;
  switch (cacheClass) {
    case 'post':
      return isCached
        ? `public, max-age=60, s-maxage=${ttlSeconds}, stale-while-revalidate=3600, stale-if-error=86400`
        : 'public, max-age=0, s-maxage=0';
    case 'list':
      return isCached
        ? `public, max-age=30, s-maxage=${list}, stale-while-revalidate=300, stale-if-error=3600`
        : 'public, max-age=0, s-maxage=0';
    case 'feed':
      return isCached
        ? `public, max-age=${feed}, s-maxage=${feed}, stale-while-revalidate=300, stale-if-error=86400`
        : 'public, max-age=0, s-maxage=0';
    case 'degraded':
      return isCached ? `public, max-age=30, s-maxage=${list}` : 'public, max-age=0, s-maxage=0';
    case 'missing':
      return isCached ? 'public, max-age=30, s-maxage=30' : 'public, max-age=0, s-maxage=0';
    case 'route':
      return 'public, max-age=60, s-maxage=60';
    case 'document':
      return 'public, max-age=3600, s-maxage=3600';
    case 'none':
      return 'no-store';
    case 'private':
      return 'private, no-store';
  }
};
