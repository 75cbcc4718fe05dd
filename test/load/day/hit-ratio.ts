// Measures the hit ratio that results from popularity, freshness and the number of caches: the same traffic and the same
// caches as in the simulation, before an origin that always answers.
import { freshnessOf } from '../../../infra/local/freshness.ts';
import { cacheControl } from '../../../shared/contract/caching.ts';
import { seededRandom } from '../../support/random.ts';
import { DAY_START, PROVIDER_LATENCY } from './day-assumptions.ts';
import { createEdgeCache } from './edge-caches.ts';
import { createKeys, type RequestKind, scheduleTraffic } from './traffic.ts';
import { createVirtualTime } from './virtual-time.ts';

export interface HitRatioOptions {
  readonly sample: number;
  readonly seed: number;
  readonly zipfExponent: number;
  readonly locations: number;
  /** CACHE_TTL_SECONDS */
  readonly ttlSeconds: number;
  /** The part of the day, from its start. */
  readonly milliseconds: number;
}

const CLASSES = { post: 'post', list: 'list', search: 'list', document: 'document' } as const;

/** @returns the share that the caches answer without the origin, of the requests that they may answer */
export const hitRatioOf = async (options: HitRatioOptions): Promise<number> => {
  const { sample, seed, zipfExponent, locations, ttlSeconds, milliseconds } = options;
  const random = seededRandom(seed);
  const time = createVirtualTime(DAY_START);
  const cachesOf = (kind: Exclude<RequestKind, 'tool'>) => {
    const freshness = freshnessOf(cacheControl(CLASSES[kind], ttlSeconds));
    if (freshness === undefined) throw new Error(`${kind} is not kept`);
    return Array.from({ length: locations }, () => createEdgeCache(time.now, freshness));
  };
  const caches = {
    post: cachesOf('post'),
    list: cachesOf('list'),
    search: cachesOf('search'),
    document: cachesOf('document'),
  };
  let requests = 0;
  let misses = 0;
  const fetch = async (): Promise<'ok'> => {
    misses += 1;
    await time.wait(PROVIDER_LATENCY.milliseconds);
    return 'ok';
  };
  scheduleTraffic({
    time,
    random,
    sample,
    zipfExponent,
    locations,
    keys: createKeys(sample),
    request({ kind, subject, location, visitor }) {
      if (kind === 'tool' || visitor.authorization !== undefined) return false;
      requests += 1;
      const before = misses;
      void caches[kind][location]?.request(subject, fetch);
      return misses > before;
    },
  });
  await time.runUntil(DAY_START + milliseconds);
  return 1 - misses / requests;
};
