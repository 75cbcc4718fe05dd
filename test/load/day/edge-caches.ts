// Simulates the regional caches of CloudFront in virtual time with the Cache-Control fields of the service: freshness,
// stale answers during revalidation or if the origin fails, and one origin request for concurrent equal requests.
import { type Freshness, freshnessOf } from '../../../infra/local/freshness.ts';
import { type CacheClass, cacheControl, DEFAULT_CACHE_TTL_SECONDS } from '../../../shared/contract/caching.ts';

/** `ok`: the origin has an answer that may be kept; otherwise a problem. */
export type OriginResult = 'ok' | string;

/**
 * - `hit`: from the cache, fresh
 * - `revalidated`: from the cache, not fresh, while the origin is asked again
 * - `joined`: the answer of an origin request that was already running
 * - `miss`: from the origin
 * - `stale`: from the cache, because the origin failed
 */
export type EdgeUse = 'hit' | 'revalidated' | 'joined' | 'miss' | 'stale';

export interface EdgeAnswer {
  readonly use: EdgeUse;
  readonly result: OriginResult;
}

export interface EdgeCache {
  /** @returns an answer at once if the cache has it @param fetch asks the origin; never rejects */
  request(key: number, fetch: () => Promise<OriginResult>): EdgeAnswer | Promise<EdgeAnswer>;
}

export const freshnessFor = (cacheClass: CacheClass): Freshness => {
  const freshness = freshnessOf(cacheControl(cacheClass, DEFAULT_CACHE_TTL_SECONDS));
  if (freshness === undefined) throw new Error(`${cacheClass} is not kept`);
  return freshness;
};

/** Problems with a 5xx status; the others say something about the request. */
const isFailure = (result: OriginResult): boolean => result.startsWith('upstream') || result === 'internal_error';

export const createEdgeCache = (clock: () => number, freshness: Freshness): EdgeCache => {
  const storedAt = new Map<number, number>();
  const running = new Map<number, Promise<OriginResult>>();

  const fetchOnce = (key: number, fetch: () => Promise<OriginResult>): Promise<OriginResult> => {
    const call = fetch().then((result) => {
      running.delete(key);
      if (result === 'ok') storedAt.set(key, clock());
      return result;
    });
    running.set(key, call);
    return call;
  };

  const answerOf = async (key: number, use: EdgeUse, call: Promise<OriginResult>): Promise<EdgeAnswer> => {
    const result = await call;
    const stored = storedAt.get(key);
    const mayServeStale = isFailure(result) && stored !== undefined && clock() - stored < freshness.staleIfError;
    return mayServeStale ? { use: 'stale', result: 'ok' } : { use, result };
  };

  return {
    request(key, fetch) {
      const stored = storedAt.get(key);
      const age = stored === undefined ? Number.POSITIVE_INFINITY : clock() - stored;
      if (age < freshness.fresh) return { use: 'hit', result: 'ok' };
      const pending = running.get(key);
      if (age < freshness.staleWhileRevalidate) {
        if (pending === undefined) void fetchOnce(key, fetch);
        return { use: 'revalidated', result: 'ok' };
      }
      if (pending !== undefined) {
        // An answer that may not be shared, such as a 429, is not for the callers who wait.
        return pending.then((result) =>
          result === 'ok' || isFailure(result)
            ? answerOf(key, 'joined', Promise.resolve(result))
            : answerOf(key, 'miss', fetch()),
        );
      }
      return answerOf(key, 'miss', fetchOnce(key, fetch));
    },
  };
};
