// Keys and allowances for tests: in memory, and as generous as nothing meets by chance.
import { randomBytes } from 'node:crypto';
import { type AccessControlOptions, createAccessControl } from '../../shared/auth/access-control.ts';
import { generateApiKey, sha256Hex } from '../../shared/auth/api-key.ts';
import { buildAllowances } from '../../shared/contract/allowances.ts';
import type { AccessControl } from '../../shared/ports/access-control.ts';
import type { ApiKeyReader, ApiKeyRecord } from '../../shared/ports/key-stores.ts';
import { createMemoryCounterStore } from '../../shared/stores/memory-counter-store.ts';

const AMPLE = { count: 1_000_000, seconds: 60 };
export const UNLIMITED_ALLOWANCES = buildAllowances({ searchAnonymous: AMPLE, searchKeyed: AMPLE, browse: AMPLE });

export const emptyKeyReader: ApiKeyReader = { read: async () => undefined };

export const newApiKey = (): string => generateApiKey(randomBytes);

export const keyRecord = (members: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id: 'k1',
  label: 'a key of the tests',
  state: 'enabled',
  createdAt: '2026-11-21T12:00:00Z',
  ...members,
});

/** Presented keys and what is stored of them; a record may be changed at any time. */
export const keyReaderFor = (
  records: ReadonlyMap<string, ApiKeyRecord> | Readonly<Record<string, ApiKeyRecord>>,
): ApiKeyReader => {
  const all = records instanceof Map ? records : new Map(Object.entries(records));
  return { read: async (hash) => [...all].find(([key]) => sha256Hex(key) === hash)?.[1] };
};

/** A key that is good, and the store that knows it alone. */
export const issuedKey = (members?: Partial<ApiKeyRecord>) => {
  const key = newApiKey();
  return { key, bearer: `Bearer ${key}`, keys: keyReaderFor({ [key]: keyRecord(members) }) };
};

export const createTestAccessControl = ({
  clock = Date.now,
  keys = emptyKeyReader,
  counters = createMemoryCounterStore(clock),
  allowances = UNLIMITED_ALLOWANCES,
  ...options
}: Partial<AccessControlOptions> = {}): AccessControl =>
  createAccessControl({
    addressSecret: 'a secret of the tests',
    log: () => undefined,
    random: () => 0.5,
    ...options,
    clock,
    keys,
    counters,
    allowances,
  });
