// The regional caches of CloudFront in virtual time: the shared cache of the local service, with the Cache-Control fields of
// the service, and how it answered each request.

import { originHeader } from '../../../infra/local/api-gateway.ts';
import { createSharedCache, freshnessOf } from '../../../infra/local/shared-cache.ts';
import { type CacheClass, cacheControl } from '../../../shared/contract/caching.ts';
import { clocksOf } from '../../../test/support/clocks.ts';
import type { RequestKind, SimulatedRequest } from './traffic.ts';

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
  /** `ok`, or the code of a problem. */
  readonly result: string;
}

export type CachedKind = Exclude<RequestKind, 'tool'>;

/** More than a day has, as CloudFront. */
const MAX_ENTRIES = 10_000_000;

/** Problems with a 5xx status; the others say something about the request. */
const isFailure = (result: string): boolean => result.startsWith('upstream') || result === 'internal_error';

export type Edge = (
  request: Pick<SimulatedRequest, 'subject' | 'location'> & { readonly kind: CachedKind },
  fetch: () => Promise<string>,
) => Promise<EdgeAnswer>;

/**
 * @param ttlSeconds CACHE_TTL_SECONDS
 * @param post the cache class of all posts, by their age
 */
export const createEdge = (
  now: () => number,
  locations: number,
  ttlSeconds: number,
  post: CacheClass = 'post',
): Edge => {
  const classes = { post, list: 'list', search: 'list', document: 'document' } as const;
  const caches = Array.from({ length: locations }, () => createSharedCache(clocksOf(now).clock, MAX_ENTRIES));
  return async ({ kind, subject, location }, fetch) => {
    const control = cacheControl(classes[kind], ttlSeconds);
    let isAsked = false;
    const fetchFromOrigin = async () => {
      isAsked = true;
      const result = await fetch();
      const [status, field] = result === 'ok' ? [200, control] : [isFailure(result) ? 503 : 429, 'no-store'];
      return { status, headers: { 'cache-control': field, 'x-result': result }, body: Buffer.alloc(0) };
    };
    const response = await caches[location]?.({ key: `${kind} ${subject}`, ifNoneMatch: undefined }, fetchFromOrigin);
    if (response === undefined) throw new Error(`there is no location ${location}`);
    const age = 1000 * Number(originHeader(response, 'age'));
    const useOf = (): EdgeUse => {
      const cached = originHeader(response, 'x-cache')?.split(' ')[0];
      if (cached === 'RefreshHit') return 'revalidated';
      if (cached === 'Hit') return age < (freshnessOf(control)?.fresh ?? 0) ? 'hit' : 'stale';
      return isAsked ? 'miss' : 'joined';
    };
    return { use: useOf(), result: originHeader(response, 'x-result') ?? '' };
  };
};
