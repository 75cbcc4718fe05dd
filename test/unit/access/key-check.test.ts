import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../shared/access/key.ts';
import { createKeyCheck } from '../../../shared/access/key-check.ts';
import { createStoreGuard } from '../../../shared/access/store-guard.ts';
import type { KeyRecord } from '../../../shared/ports.ts';
import { keyRecord } from '../../support/access.ts';
import { patient, SOME_TIME, testClock } from '../../support/limiter.ts';

const HASH = hashOf('a key');

const bench = (guard = patient) => {
  const stored = new Map<string, KeyRecord>([[HASH, keyRecord()]]);
  let failures = 0;
  const asked: string[] = [];
  const read = async (hash: string): Promise<KeyRecord | undefined> => {
    asked.push(hash);
    failures -= 1;
    if (failures >= 0) throw new Error('down');
    return stored.get(hash);
  };
  const keyCheck = createKeyCheck({ read }, guard);
  return {
    ...keyCheck,
    stored,
    asked,
    fail: (times: number) => {
      failures = times;
    },
    status: async (hash = HASH) => (await keyCheck.check(hash, SOME_TIME)).status,
  };
};

const guarded = () => {
  const clock = testClock();
  return createStoreGuard('keys', { clock: clock.now, log: () => undefined, random: () => 0.5 });
};

describe('a key', () => {
  test('[36] [37] is good while it is enabled, and otherwise not', async () => {
    const { status, stored, check } = bench();
    expect(await check(HASH, SOME_TIME)).toEqual({ status: 'valid', key: keyRecord() });
    stored.set(HASH, keyRecord({ state: 'disabled' }));
    expect(await check(HASH, SOME_TIME)).toEqual({ status: 'invalid' });
    expect(await status(hashOf('another'))).toBe('invalid');
  });

  test('[41] [K2] [K3] is asked for every time: what the operator did last holds', async () => {
    const { status, stored, asked } = bench();
    const seen: string[] = [];
    for (const state of ['enabled', 'disabled', 'enabled', 'disabled', undefined, 'enabled'] as const) {
      if (state === undefined) stored.delete(HASH);
      else stored.set(HASH, keyRecord({ state }));
      seen.push(await status());
    }
    expect(seen).toEqual(['valid', 'invalid', 'valid', 'invalid', 'invalid', 'valid']);
    expect(asked).toEqual(Array.from({ length: 6 }, () => HASH));
  });

  test('[41] is not remembered as unknown: a new one is good at once', async () => {
    const { status, stored } = bench();
    const hash = hashOf('new');
    expect(await status(hash)).toBe('invalid');
    stored.set(hash, keyRecord({ id: 'k2' }));
    expect(await status(hash)).toBe('valid');
  });
});

describe('[40] a store that does not answer', () => {
  test('is asked a second time', async () => {
    const { status, fail, asked } = bench(guarded());
    fail(1);
    expect(await status()).toBe('valid');
    expect(asked).toHaveLength(2);
  });

  test('and no third: the key is neither good nor bad then, known, unknown or disabled', async () => {
    for (const state of ['enabled', 'disabled', undefined] as const) {
      const { status, fail, stored, asked } = bench(guarded());
      if (state === undefined) stored.delete(HASH);
      else stored.set(HASH, keyRecord({ state }));
      fail(2);
      expect(await status()).toBe('unverified');
      expect(asked).toHaveLength(2);
    }
  });

  test('does not make a key good that was good before', async () => {
    const { status, fail } = bench();
    expect(await status()).toBe('valid');
    fail(1);
    expect(await status()).toBe('unverified');
  });
});
