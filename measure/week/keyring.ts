// The operator of a simulated week: makes, rotates and revokes API keys, and checks that each change holds at once.

import { keyRecord, newApiKey } from '../../test/support/access-control.ts';
import { surfaces } from '../../test/support/faults/surfaces.ts';
import { pick } from '../../test/support/random.ts';
import type { Checked } from './check-answer.ts';
import type { Stage } from './stage.ts';
import type { VirtualStores } from './virtual-stores.ts';
import { between, HOUR, isQuiet } from './world.ts';

const CHANGE_MILLISECONDS = 3 * HOUR;
/** The breaker of a store is open for up to 2 s after a fault. */
const STORE_RECOVERY_MILLISECONDS = 2500;

export type Keyring = ReturnType<typeof createKeyring>;

export const createKeyring = (stage: Stage, stores: VirtualStores) => {
  const { world, time, random, endsAt, counts, fail, ask } = stage;
  const revokedAt = new Map<string, number>();
  let created = 0;

  /** Makes a key that stays valid. */
  const create = (): string => {
    created += 1;
    const key = newApiKey();
    stores.put(key, keyRecord({ id: `key${created}` }));
    return key;
  };

  const isStoreQuiet = (from: number): boolean =>
    isQuiet(world.storeEpisodes, from - STORE_RECOVERY_MILLISECONDS, time.now());

  /** Checks the key status of an answer. */
  const check = (key: string, startedAt: number, { keyStatus, reading }: Checked): void => {
    const revoked = revokedAt.get(key) ?? Number.POSITIVE_INFINITY;
    const when = new Date(startedAt).toISOString();
    if (startedAt > revoked) {
      if (keyStatus === 'valid') fail(`${when} a revoked key is valid`);
      if (isStoreQuiet(startedAt) && reading.status !== 401) fail(`${when} a revoked key got ${reading.status}`);
    } else if (time.now() < revoked) {
      if (reading.status === 401) fail(`${when} a valid key got 401`);
      if (isStoreQuiet(startedAt) && keyStatus !== 'valid') fail(`${when} a valid key is ${keyStatus}`);
    }
  };

  const honouring = surfaces.filter(({ honoursKey }) => honoursKey);

  /** Uses the key on the very next request. */
  const probe = async (key: string): Promise<void> => {
    const startedAt = time.now();
    const subject = { id: '1000000000999', handle: `probe${Math.floor(random() * 1e6)}` };
    check(key, startedAt, await ask(pick(random, honouring), subject, '198.51.100.1', key));
  };

  const revoke = (key: string): void => {
    counts.revocations += 1;
    if (random() < 0.5) stores.remove(key);
    else stores.put(key, keyRecord({ id: `gone${counts.revocations}`, state: 'disabled' }));
    revokedAt.set(key, time.now());
  };

  return {
    create,
    check,
    /** Changes keys until the end of the week. */
    async administer(): Promise<void> {
      let current = create();
      const former: string[] = [];
      while (time.now() < endsAt) {
        await time.sleep(between(random, 0.1, 2) * CHANGE_MILLISECONDS);
        await probe(current);
        const next = create();
        await probe(next);
        // A request may be on its way while the key is revoked; it may get either answer.
        const pending = probe(current);
        revoke(current);
        await time.sleep(1);
        await probe(current);
        await pending;
        former.push(current);
        for (const key of former.slice(-3)) await probe(key);
        current = next;
      }
    },
  };
};
