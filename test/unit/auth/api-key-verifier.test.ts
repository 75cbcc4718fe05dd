import { promiseHooks } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { createApiKeyVerifier } from '../../../shared/auth/api-key-verifier.ts';
import type { ApiKeyRecord } from '../../../shared/ports/stores.ts';
import { createStoreGuard } from '../../../shared/stores/store-guard.ts';
import { keyRecord } from '../../support/access-control.ts';
import { NO_DEADLINE, testClock, waitingGuard } from '../../support/limiter.ts';

const HASH = sha256Hex('a key');
const ADA = '4:198.51.100.7';
const BOB = '4:198.51.100.8';

const bench = (guard = waitingGuard) => {
  const clock = testClock();
  const stored = new Map<string, ApiKeyRecord>([[HASH, keyRecord()]]);
  let failures = 0;
  const reads: string[] = [];
  const read = async (hash: string): Promise<ApiKeyRecord | undefined> => {
    reads.push(hash);
    failures -= 1;
    if (failures >= 0) throw new Error('down');
    return stored.get(hash);
  };
  const keyCheck = createApiKeyVerifier({ read }, guard, clock.now);
  return {
    ...keyCheck,
    clock,
    stored,
    reads,
    fail: (times: number) => {
      failures = times;
    },
    status: async (hash = HASH, network = ADA) => (await keyCheck.verify(hash, network, NO_DEADLINE)).status,
  };
};

const guarded = () => {
  const clock = testClock();
  return createStoreGuard('keys', { clock: clock.now, log: () => undefined, random: () => 0.5 });
};

describe('a client network that presents unknown keys', () => {
  const MINUTE = 60_000;
  const unknownKeys = (count: number, from = 0): readonly string[] =>
    Array.from({ length: count }, (_, index) => sha256Hex(`unknown ${from + index}`));

  test('causes 30 reads in 60 seconds, whether it sends the keys at once or one after the other', async () => {
    const { status, reads, clock } = bench();
    for (const period of [0, 1]) {
      const all = await Promise.all(unknownKeys(100, period * 200).map((hash) => status(hash)));
      for (const hash of unknownKeys(100, period * 200 + 100)) all.push(await status(hash));
      expect(all).toEqual([...Array(30).fill('invalid'), ...Array(170).fill('unread')]);
      expect(reads).toHaveLength(30 * (period + 1));
      clock.wait(MINUTE);
    }
  });

  test('does not hide a key that the instance knows, its changes, or any key from another network', async () => {
    const { status, stored, reads } = bench();
    expect(await status()).toBe('valid');
    for (const hash of unknownKeys(31)) await status(hash);
    const [first = ''] = unknownKeys(1);
    stored.set(first, keyRecord({ id: 'k2' }));
    expect([await status(first), await status(first, BOB), await status(first)]).toEqual(['invalid', 'valid', 'valid']);
    const before = reads.length;
    const seen: string[] = [];
    for (const state of ['disabled', 'enabled'] as const) {
      stored.set(HASH, keyRecord({ state }));
      seen.push(await status());
    }
    expect([seen, reads.length - before]).toEqual([['invalid', 'valid'], 2]);
  });

  test('gets unread for keys that the instance has never read, and invalid for keys that the store did not have', async () => {
    const { status, stored } = bench();
    const [deleted, valid] = [sha256Hex('deleted'), sha256Hex('valid')];
    for (const hash of [deleted, valid]) stored.set(hash, keyRecord());
    expect(await status(deleted)).toBe('valid');
    for (const hash of unknownKeys(30)) await status(hash);
    stored.delete(deleted);
    const [first = ''] = unknownKeys(1);
    const seen: string[] = [];
    for (const hash of [deleted, deleted, first, valid]) seen.push(await status(hash));
    expect(seen).toEqual(['invalid', 'invalid', 'invalid', 'unread']);
    expect(await status(valid, BOB)).toBe('valid');
  });

  test('gets every valid key read, however many it presents at once', async () => {
    const { status, stored } = bench();
    const hashes = unknownKeys(200);
    for (const hash of hashes) stored.set(hash, keyRecord());
    expect(new Set(await Promise.all(hashes.map((hash) => status(hash))))).toEqual(new Set(['valid']));
  });
});

describe('many requests at once from one client network', () => {
  const hashes = {
    'of one valid key': () => HASH,
    'of a valid key each': (index: number) => sha256Hex(`valid ${index}`),
  };

  /** @returns the statuses, and the promises that were made, which is the work: each resumed request makes some */
  const askAtOnce = async ({ status }: ReturnType<typeof bench>, count: number, hashAt: (index: number) => string) => {
    let promises = 0;
    const all = Array.from({ length: count }, (_, index) => hashAt(index));
    const stop: unknown = promiseHooks.onInit(() => {
      promises += 1;
    });
    const statuses = await Promise.all(all.map((hash) => status(hash)));
    if (typeof stop === 'function') stop();
    return { statuses: [...new Set(statuses)], promises };
  };

  test.each(Object.entries(hashes))(
    '%s are all valid, and twice the requests are twice the work',
    async (_, hashAt) => {
      const work: number[] = [];
      for (const count of [1000, 2000]) {
        const verifier = bench();
        for (let index = 0; index < count; index += 1) verifier.stored.set(hashAt(index), keyRecord());
        const { statuses, promises } = await askAtOnce(verifier, count, hashAt);
        expect([statuses, verifier.reads.length]).toEqual([['valid'], count]);
        work.push(promises);
      }
      const [one = 0, two = 0] = work;
      expect(two / one).toBeLessThan(2.1);
    },
  );

  test('are unverified if the store fails, with few reads and with twice the work for twice the requests', async () => {
    const work: number[] = [];
    for (const count of [1000, 2000]) {
      const verifier = bench(guarded());
      verifier.fail(Number.POSITIVE_INFINITY);
      const { statuses, promises } = await askAtOnce(verifier, count, hashes['of a valid key each']);
      expect(statuses).toEqual(['unverified']);
      // 30 reads start at once, and two of them are repeated before the breaker opens.
      expect(verifier.reads).toHaveLength(32);
      work.push(promises);
    }
    const [one = 0, two = 0] = work;
    expect(two / one).toBeLessThan(2.1);
  });

  test('end at their deadline if the store does not answer, without further reads', async () => {
    const clock = (): number => performance.now();
    const guard = createStoreGuard('keys', { clock, log: () => undefined, random: () => 0.5 });
    let reads = 0;
    const read = (): Promise<undefined> => {
      reads += 1;
      return new Promise(() => undefined);
    };
    const { verify } = createApiKeyVerifier({ read }, guard, clock);
    const deadline = clock() + 30;
    const asked = Array.from({ length: 1000 }, (_, index) => verify(sha256Hex(`key ${index}`), ADA, deadline));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set(['unverified']));
    // 30 reads start at once, and at most two of them are repeated before the breaker opens.
    expect(reads).toBeLessThanOrEqual(32);
  });
});

test('[keys 6] a key store that does not answer is not read a third time: a known, unknown or disabled key is unverified', async () => {
  for (const state of ['enabled', 'disabled', undefined] as const) {
    const { status, fail, stored, reads } = bench(guarded());
    if (state === undefined) stored.delete(HASH);
    else stored.set(HASH, keyRecord({ state }));
    fail(2);
    expect(await status()).toBe('unverified');
    expect(reads).toHaveLength(2);
  }
});
