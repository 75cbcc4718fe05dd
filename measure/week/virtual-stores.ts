// The stores of a simulated week: exact, shared by all instances, and failing as an episode says.
import { sha256Hex } from '../../shared/auth/api-key.ts';
import type { ApiKeyReader, ApiKeyRecord, CounterStore } from '../../shared/ports/stores.ts';
import { createMemoryCounterStore } from '../../shared/stores/memory-counter-store.ts';
import type { Random } from '../../test/support/random.ts';
import type { VirtualTime } from './virtual-time.ts';
import { activeAt, between, type World } from './world.ts';

/** More than a week has. */
const MAX_COUNTERS = 1_000_000;

export interface VirtualStores {
  readonly keys: ApiKeyReader;
  readonly counters: CounterStore;
  put(key: string, record: ApiKeyRecord): void;
  remove(key: string): void;
}

export const createStores = (world: World, time: VirtualTime, random: Random): VirtualStores => {
  const records = new Map<string, ApiKeyRecord>();
  const counters = createMemoryCounterStore(time.now, MAX_COUNTERS);

  const fail = (name: string): never => {
    throw Object.assign(new Error(name), { name });
  };

  const reach = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const episode = activeAt(world.storeEpisodes, time.now());
    const failure = episode?.failure;
    switch (failure) {
      case 'down':
        return fail('ECONNREFUSED');
      case 'hang':
        return new Promise(() => undefined);
      case 'throttled':
        if (random() < 0.5) return fail('ProvisionedThroughputExceededException');
        break;
      case 'slow':
        await time.sleep(between(random, 120, 180));
        break;
      case 'lost': {
        await work();
        return new Promise(() => undefined);
      }
      case undefined:
        break;
      default:
        return failure satisfies never;
    }
    await time.sleep(between(random, 2, 12));
    return work();
  };

  return {
    keys: { read: (hash) => reach(() => records.get(hash)) },
    counters: {
      charge: (counter, units) => reach(() => counters.charge(counter, units)),
      refund: (counter, units) => reach(() => counters.refund(counter, units)),
      touch: (counter) => reach(() => counters.touch(counter)),
    },
    put: (key, record) => void records.set(sha256Hex(key), record),
    remove: (key) => void records.delete(sha256Hex(key)),
  };
};
