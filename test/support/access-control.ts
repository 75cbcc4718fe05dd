// Creates access control for tests: in memory, with allowances that no test spends by accident.
import { randomBytes } from 'node:crypto';
import { type AccessControlOptions, createAccessControl } from '../../shared/auth/access-control.ts';
import { generateApiKey, sha256Hex } from '../../shared/auth/api-key.ts';
import { buildAllowances } from '../../shared/contract/allowances.ts';
import type { AccessControl } from '../../shared/ports/access-control.ts';
import type { ApiKeyReader, ApiKeyRecord } from '../../shared/ports/stores.ts';
import { createMemoryCounterStore } from '../../shared/stores/memory-counter-store.ts';
import { clocksOf } from './clocks.ts';

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

/** Presented keys and their records; a test may change a record at any time. */
const keyReaderFor = (
  records: ReadonlyMap<string, ApiKeyRecord> | Readonly<Record<string, ApiKeyRecord>>,
): ApiKeyReader => {
  const all = records instanceof Map ? records : new Map(Object.entries(records));
  return { read: async (hash) => [...all].find(([key]) => sha256Hex(key) === hash)?.[1] };
};

/** A valid key, and a store that contains only this key. */
export const issuedKey = (members?: Partial<ApiKeyRecord>) => {
  const key = newApiKey();
  return { key, bearer: `Bearer ${key}`, keys: keyReaderFor({ [key]: keyRecord(members) }) };
};

const NOW_PASSES = clocksOf(Date.now);

export const createTestAccessControl = ({
  clock = NOW_PASSES.clock,
  wall = NOW_PASSES.wall,
  keys = emptyKeyReader,
  counters = createMemoryCounterStore(() => wall.now()),
  allowances = UNLIMITED_ALLOWANCES,
  ...options
}: Partial<AccessControlOptions> = {}): AccessControl =>
  createAccessControl({
    networkSecret: 'a secret of the tests',
    log: () => undefined,
    random: () => 0.5,
    ...options,
    clock,
    wall,
    keys,
    counters,
    allowances,
  });
