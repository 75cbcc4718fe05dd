import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { createApiKeyVerifier } from '../../../shared/auth/api-key-verifier.ts';
import type { ApiKeyRecord } from '../../../shared/ports/key-stores.ts';
import { createStoreGuard } from '../../../shared/stores/store-guard.ts';
import { keyRecord } from '../../support/access-control.ts';
import { NO_DEADLINE, testClock, waitingGuard } from '../../support/limiter.ts';

const HASH = sha256Hex('a key');

const bench = (guard = waitingGuard) => {
  const stored = new Map<string, ApiKeyRecord>([[HASH, keyRecord()]]);
  let failures = 0;
  const asked: string[] = [];
  const read = async (hash: string): Promise<ApiKeyRecord | undefined> => {
    asked.push(hash);
    failures -= 1;
    if (failures >= 0) throw new Error('down');
    return stored.get(hash);
  };
  const keyCheck = createApiKeyVerifier({ read }, guard);
  return {
    ...keyCheck,
    stored,
    asked,
    fail: (times: number) => {
      failures = times;
    },
    status: async (hash = HASH) => (await keyCheck.verify(hash, NO_DEADLINE)).status,
  };
};

const guarded = () => {
  const clock = testClock();
  return createStoreGuard('keys', { clock: clock.now, log: () => undefined, random: () => 0.5 });
};

describe('a key', () => {
  test('[spec 5.5 #36] [spec 5.5 #37] is good while it is enabled, and otherwise not', async () => {
    const { status, stored, verify } = bench();
    expect(await verify(HASH, NO_DEADLINE)).toEqual({ status: 'valid', key: keyRecord() });
    stored.set(HASH, keyRecord({ state: 'disabled' }));
    expect(await verify(HASH, NO_DEADLINE)).toEqual({ status: 'invalid' });
    expect(await status(sha256Hex('another'))).toBe('invalid');
  });

  test('[spec 5.7 #41] [key #2] [key #3] is asked for every time: what the operator did last holds', async () => {
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

  test('[spec 5.7 #41] is not remembered as unknown: a new one is good at once', async () => {
    const { status, stored } = bench();
    const hash = sha256Hex('new');
    expect(await status(hash)).toBe('invalid');
    stored.set(hash, keyRecord({ id: 'k2' }));
    expect(await status(hash)).toBe('valid');
  });
});

describe('[spec 5.5 #40] a store that does not answer', () => {
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
