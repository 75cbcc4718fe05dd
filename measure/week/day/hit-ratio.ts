// Measures the hit ratio, and who waits for a provider, that result from popularity, freshness and the number of caches: the same traffic and the same
// caches as in the simulation, before an origin that always answers.

import type { CacheClass } from '../../../shared/contract/caching.ts';
import { seededRandom } from '../../../test/support/random.ts';
import { installVirtualTime } from '../virtual-time.ts';
import { DAY_START, PROVIDER_LATENCY } from './day-assumptions.ts';
import { type CachedKind, createEdge } from './edge.ts';
import { createKeys, scheduleTraffic } from './traffic.ts';

export interface HitRatioOptions {
  readonly sample: number;
  readonly seed: number;
  readonly zipfExponent: number;
  readonly locations: number;
  /** CACHE_TTL_SECONDS */
  readonly ttlSeconds: number;
  /** The cache class of all posts, by their age. */
  readonly post: CacheClass;
  /** The part of the day, from its start. */
  readonly milliseconds: number;
}

export interface HitRatio {
  /** The share that the caches answer without the origin, of the requests that they may answer. */
  readonly ratio: number;
  /** The share of requests that wait for the origin, by kind. */
  readonly waits: ReadonlyMap<CachedKind, number>;
}

export const hitRatioOf = async (options: HitRatioOptions): Promise<HitRatio> => {
  const { sample, seed, zipfExponent, locations, ttlSeconds, post, milliseconds } = options;
  const time = installVirtualTime(DAY_START);
  const edge = createEdge(time.now, locations, ttlSeconds, post);
  let requests = 0;
  let misses = 0;
  const counts = new Map<CachedKind, { requests: number; waits: number }>();
  const fetch = async (): Promise<'ok'> => {
    misses += 1;
    await time.sleep(PROVIDER_LATENCY.milliseconds);
    return 'ok';
  };
  scheduleTraffic({
    time,
    random: seededRandom(seed),
    sample,
    zipfExponent,
    locations,
    keys: createKeys(sample),
    request({ kind, subject, location, visitor }) {
      if (kind === 'tool' || visitor.authorization !== undefined) return;
      requests += 1;
      const count = counts.get(kind) ?? { requests: 0, waits: 0 };
      counts.set(kind, count);
      count.requests += 1;
      void edge({ kind, subject, location }, fetch).then(({ use }) => {
        if (use === 'miss' || use === 'joined') count.waits += 1;
      });
    },
  });
  await time.runUntil(DAY_START + milliseconds);
  time.uninstall();
  return {
    ratio: 1 - misses / requests,
    waits: new Map([...counts].map(([kind, count]) => [kind, count.waits / count.requests])),
  };
};
