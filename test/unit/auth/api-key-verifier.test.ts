import { promiseHooks } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { createApiKeyVerifier } from '../../../shared/auth/api-key-verifier.ts';
import { later, type Monotonic, monotonic } from '../../../shared/model/time.ts';
import type { ApiKeyRecord } from '../../../shared/ports/stores.ts';
import { createStoreGuard } from '../../../shared/stores/store-guard.ts';
import { keyRecord } from '../../support/access-control.ts';
import { readingAt } from '../../support/clocks.ts';
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
  const keyCheck = createApiKeyVerifier({ read }, guard, clock.clock);
  return {
    verify: keyCheck,
    clock,
    stored,
    reads,
    fail: (times: number) => {
      failures = times;
    },
    status: async (hash = HASH, network = ADA) => (await keyCheck(hash, network, NO_DEADLINE)).status,
  };
};

const guarded = () => {
  const clock = testClock();
  return createStoreGuard('keys', { ...clock, log: () => undefined, random: () => 0.5 });
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
      expect(all).toEqual([...Array(30).fill('invalid'), ...Array(170).fill('over_bound')]);
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

  test('causes 31 reads with a key that was deleted: the one that misses it, and 30 of an unknown key', async () => {
    const { status, stored, reads } = bench();
    expect(await status()).toBe('valid');
    stored.clear();
    for (let request = 0; request < 100; request += 1) expect(await status()).toBe('invalid');
    expect(reads).toHaveLength(1 + 31);
  });

  test('[keys 22] gets over_bound for keys that the instance has never read, and invalid for keys that the store did not have', async () => {
    const { status, stored, verify, clock, reads } = bench();
    const [deleted, valid] = [sha256Hex('deleted'), sha256Hex('valid')];
    for (const hash of [deleted, valid]) stored.set(hash, keyRecord());
    expect(await status(deleted)).toBe('valid');
    for (const hash of unknownKeys(30)) await status(hash);
    stored.delete(deleted);
    const [first = ''] = unknownKeys(1);
    const seen: string[] = [];
    for (const hash of [deleted, deleted, first, valid]) seen.push(await status(hash));
    expect(seen).toEqual(['invalid', 'invalid', 'invalid', 'over_bound']);
    expect(await status(valid, BOB)).toBe('valid');
    const before = reads.length;
    const [never, until] = [sha256Hex('never read'), clock.now() + MINUTE];
    expect(await verify(never, ADA, NO_DEADLINE)).toEqual({ status: 'over_bound', until: readingAt(until) });
    expect(reads).toHaveLength(before);
    clock.set(until);
    expect(await status(never)).toBe('invalid');
    expect(reads).toHaveLength(before + 1);
  });

  test('[keys 22] reads a key in vain only for a minute: a key of a restored table is not 401 for long', async () => {
    const { status, stored, clock } = bench();
    stored.clear();
    expect(await status()).toBe('invalid');
    stored.set(HASH, keyRecord());
    clock.wait(MINUTE);
    for (const hash of unknownKeys(30)) await status(hash);
    expect(await status()).toBe('over_bound');
    expect(await status(HASH, BOB)).toBe('valid');
  });
});

describe('many requests at once from one client network', () => {
  const oneKey = () => HASH;
  const keyEach = (index: number) => sha256Hex(`valid ${index}`);
  // 30 reads start at once, and two of them are repeated before the breaker opens.
  const FAILED_READS = 32;

  test.each([
    ['of one valid key are all valid', oneKey, 0, 'valid', [1000, 2000]],
    ['of a valid key each are all valid', keyEach, 0, 'valid', [1000, 2000]],
    [
      'are unverified, with few reads, if the store fails',
      keyEach,
      Infinity,
      'unverified',
      [FAILED_READS, FAILED_READS],
    ],
  ] as const)('%s, and twice the requests are twice the work', async (_, hashAt, failures, status, reads) => {
    const work: number[] = [];
    for (const [round, count] of [1000, 2000].entries()) {
      const verifier = bench(failures > 0 ? guarded() : waitingGuard);
      verifier.fail(failures);
      const hashes = Array.from({ length: count }, (__, index) => hashAt(index));
      for (const hash of hashes) verifier.stored.set(hash, keyRecord());
      // The work is the promises that are made: each resumed request makes some.
      let promises = 0;
      const stop: unknown = promiseHooks.onInit(() => {
        promises += 1;
      });
      const statuses = await Promise.all(hashes.map((hash) => verifier.status(hash)));
      if (typeof stop === 'function') stop();
      expect([new Set(statuses), verifier.reads.length]).toEqual([new Set([status]), reads[round]]);
      work.push(promises);
    }
    const [one = 0, two = 0] = work;
    expect(two / one).toBeLessThan(2.1);
  });

  test('end at their deadline if the store does not answer, without further reads', async () => {
    const clock = (): Monotonic => monotonic(performance.now());
    const guard = createStoreGuard('keys', { clock, log: () => undefined, random: () => 0.5 });
    let reads = 0;
    const read = (): Promise<undefined> => {
      reads += 1;
      return new Promise(() => undefined);
    };
    const verify = createApiKeyVerifier({ read }, guard, clock);
    const deadline = later(clock(), 30);
    const asked = Array.from({ length: 1000 }, (_, index) => verify(sha256Hex(`key ${index}`), ADA, deadline));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set(['unverified']));
    expect(reads).toBeLessThanOrEqual(FAILED_READS);
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
