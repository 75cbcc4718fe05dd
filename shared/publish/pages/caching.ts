// Reads what the default Cache-Control value of each cache class allows.
import { type CacheClass, cacheClasses, cacheControl, DEFAULT_CACHE_TTL_SECONDS } from '../../contract/caching.ts';
import { tableOf } from '../../model/json.ts';

export const defaultCacheControl = tableOf(cacheClasses, (name) => cacheControl(name, DEFAULT_CACHE_TTL_SECONDS));

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
