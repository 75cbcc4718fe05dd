// Measures the hit ratio that results from popularity, freshness and the number of caches: the same traffic and the same
// caches as in the simulation, before an origin that always answers.
import { seededRandom } from '../../support/random.ts';
import { installVirtualTime } from '../virtual-time.ts';
import { DAY_START, PROVIDER_LATENCY } from './day-assumptions.ts';
import { createEdge } from './edge.ts';
import { createKeys, scheduleTraffic } from './traffic.ts';

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

/** @returns the share that the caches answer without the origin, of the requests that they may answer */
export const hitRatioOf = async (options: HitRatioOptions): Promise<number> => {
  const { sample, seed, zipfExponent, locations, ttlSeconds, milliseconds } = options;
  const time = installVirtualTime(DAY_START);
  const edge = createEdge(time.now, locations, ttlSeconds);
  let requests = 0;
  let misses = 0;
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
      void edge({ kind, subject, location }, fetch);
    },
  });
  await time.runUntil(DAY_START + milliseconds);
  time.uninstall();
  return 1 - misses / requests;
};
