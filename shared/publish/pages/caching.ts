// Reads what the default Cache-Control value of each cache class allows.
import { type CacheClass, cacheControl, DEFAULT_CACHE_TTL_SECONDS } from '../../contract/caching.ts';

const defaultOf = (cacheClass: CacheClass): string => cacheControl(cacheClass, DEFAULT_CACHE_TTL_SECONDS);

export const defaultCacheControl: Readonly<Record<CacheClass, string>> = {
  post: defaultOf('post'),
  dayOldPost: defaultOf('dayOldPost'),
  monthOldPost: defaultOf('monthOldPost'),
  list: defaultOf('list'),
  feed: defaultOf('feed'),
  degraded: defaultOf('degraded'),
  missing: defaultOf('missing'),
  route: defaultOf('route'),
  document: defaultOf('document'),
  none: defaultOf('none'),
  private: defaultOf('private'),
};

/** In seconds; 0 without the directive. */
export interface CacheDurations {
  readonly fresh: number;
  readonly stale: number;
  readonly staleIfError: number;
}

export const cacheDurations = (cacheClass: CacheClass): CacheDurations => {
  const secondsOf = (directive: string): number =>
    Number(new RegExp(`${directive}=(\\d+)`).exec(defaultCacheControl[cacheClass])?.[1] ?? 0);
  return {
    fresh: secondsOf('s-maxage'),
    stale: secondsOf('stale-while-revalidate'),
    staleIfError: secondsOf('stale-if-error'),
  };
};
