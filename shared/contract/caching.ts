// Cache-Control by class. Every answer has one; what is not listed is not stored.

/** Seconds a shared cache keeps a post by default; an operator can change it. */
export const DEFAULT_CACHE_TTL_SECONDS = 300;

/** A day: what an operator may ask for at most, and what the edge keeps at most. */
export const MAX_CACHE_TTL_SECONDS = 86_400;

export type CacheClass = 'post' | 'list' | 'degraded' | 'missing' | 'route' | 'document' | 'none' | 'private';

const LIST_TTL_SECONDS = 60;

/** @param ttlSeconds how long a shared cache keeps a post; 0 turns shared caching of reads off */
export const cacheControl = (kind: CacheClass, ttlSeconds: number): string => {
  const list = Math.min(ttlSeconds, LIST_TTL_SECONDS);
  const reads = ttlSeconds > 0;
  switch (kind) {
    case 'post':
      return reads
        ? `public, max-age=60, s-maxage=${ttlSeconds}, stale-while-revalidate=3600, stale-if-error=86400`
        : 'public, max-age=0, s-maxage=0';
    case 'list':
      return reads
        ? `public, max-age=30, s-maxage=${list}, stale-while-revalidate=300, stale-if-error=3600`
        : 'public, max-age=0, s-maxage=0';
    case 'degraded':
      return reads ? `public, max-age=30, s-maxage=${list}` : 'public, max-age=0, s-maxage=0';
    case 'missing':
      return reads ? 'public, max-age=30, s-maxage=30' : 'public, max-age=0, s-maxage=0';
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
