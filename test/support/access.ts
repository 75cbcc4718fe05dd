// Keys and allowances for tests: in memory, and as generous as nothing meets by chance.
import { randomBytes } from 'node:crypto';
import { type AccessOptions, createAccess } from '../../shared/access/access.ts';
import { hashOf, makeKey } from '../../shared/access/key.ts';
import { createMemoryCounters } from '../../shared/access/memory-counters.ts';
import { allowancesFrom } from '../../shared/contract/allowances.ts';
import type { Access, KeyReader, KeyRecord } from '../../shared/ports.ts';

const AMPLE = { count: 1_000_000, seconds: 60 };
export const ample = allowancesFrom({ searchAnonymous: AMPLE, searchKeyed: AMPLE, browse: AMPLE });

export const noKeys: KeyReader = { read: async () => undefined };

export const newKey = (): string => makeKey(randomBytes);

export const keyRecord = (members: Partial<KeyRecord> = {}): KeyRecord => ({
  id: 'k1',
  label: 'a key of the tests',
  state: 'enabled',
  createdAt: '2026-11-21T12:00:00Z',
  ...members,
});

/** Presented keys and what is stored of them; a record may be changed at any time. */
export const keysOf = (records: ReadonlyMap<string, KeyRecord> | Readonly<Record<string, KeyRecord>>): KeyReader => {
  const all = records instanceof Map ? records : new Map(Object.entries(records));
  return { read: async (hash) => [...all].find(([key]) => hashOf(key) === hash)?.[1] };
};

/** A key that is good, and the store that knows it alone. */
export const oneKey = (members?: Partial<KeyRecord>) => {
  const key = newKey();
  return { key, bearer: `Bearer ${key}`, keys: keysOf({ [key]: keyRecord(members) }) };
};

export const testAccess = ({
  clock = Date.now,
  keys = noKeys,
  counters = createMemoryCounters(clock),
  allowances = ample,
  ...options
}: Partial<AccessOptions> = {}): Access =>
  createAccess({
    addressSecret: 'a secret of the tests',
    log: () => undefined,
    random: () => 0.5,
    ...options,
    clock,
    keys,
    counters,
    allowances,
  });
