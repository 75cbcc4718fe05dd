// Creates, changes and deletes API keys. The audit entry is written before the change: if writing it fails, nothing
// changes; if the change then fails, the entry remains.
import { randomBytes } from 'node:crypto';
import { generateApiKey, sha256Hex } from '../../shared/auth/api-key.ts';
import { type AllowanceName, type Allowances, formatAllowance } from '../../shared/contract/allowances.ts';
import { problem } from '../../shared/contract/problems.ts';
import type { JsonRecord } from '../../shared/model/json.ts';
import type {
  ApiKeyChange,
  ApiKeyRecord,
  ApiKeyStore,
  AuditAction,
  AuditEntry,
  AuditStore,
  UsageReader,
} from '../../shared/ports/stores.ts';
import type { WallClock } from '../../shared/ports/system.ts';
import { keyAllowance, keyPartition } from '../../shared/rate-limit/allowance-limiter.ts';
import { parseLabel, parseSearchAllowance, parseState, rejectUnknownMembers } from './request-body.ts';

// Reads something of each key of the operator, with a bound on the calls to the store at a time.

const GROUP = 16;

/** @returns the results in the order of the items */
export const inGroups = async <Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += GROUP)
    results.push(...(await Promise.all(items.slice(start, start + GROUP).map(read))));
  return results;
};

/** The operator of an audit entry, with the request and the client network. */
export type Actor = Pick<AuditEntry, 'operator' | 'requestId' | 'network'>;

export interface KeyManagementPorts {
  readonly keys: ApiKeyStore;
  readonly audit: AuditStore;
  readonly usage: UsageReader;
  readonly allowances: Allowances;
  readonly wall: WallClock;
}

/** A key in JSON bodies. It never contains the secret or its hash. */
export interface KeyView {
  readonly id: string;
  readonly label: string;
  readonly state: ApiKeyRecord['state'];
  /** COUNT/SECONDS */
  readonly search: string;
  readonly created_at: string;
  readonly last_used_on: string | null;
}

const NAMES: readonly AllowanceName[] = ['search', 'browse'];
const ID_CHARACTERS = 12;

/** Consists of `[a-z0-9]`, so that it needs no quoting in a shell. */
const generateId = (): string => {
  const characters = Array.from(randomBytes(ID_CHARACTERS), (byte) => (byte % 36).toString(36));
  return characters.join('');
};

export const createKeyManagement = ({ keys, audit, usage, allowances, wall }: KeyManagementPorts) => {
  const textsOf = (key: ApiKeyRecord) => ({
    label: key.label,
    search: formatAllowance(keyAllowance('search', key, allowances)),
    state: key.state,
  });

  const lastUsedOn = async ({ id }: ApiKeyRecord): Promise<string | null> => {
    const latest = await Promise.all(NAMES.map((name) => usage.latest(keyPartition(name, id))));
    return (
      latest
        .flatMap((spent) => spent?.usedOn ?? [])
        .toSorted()
        .at(-1) ?? null
    );
  };

  const viewOf = (key: ApiKeyRecord, last_used_on: string | null): KeyView => ({
    id: key.id,
    ...textsOf(key),
    created_at: key.createdAt,
    last_used_on,
  });

  const show = async (key: ApiKeyRecord): Promise<KeyView> => viewOf(key, await lastUsedOn(key));

  const appendAudit = (
    action: AuditAction,
    { id, label }: ApiKeyRecord,
    actor: Actor,
    change: Partial<AuditEntry> = {},
  ) => audit.append({ at: wall.now(), action, keyId: id, label, ...change, ...actor });

  /** @throws Problem `key_not_found` */
  const find = async (id: string): Promise<ApiKeyRecord> => {
    const key = (await keys.list()).find((item) => item.id === id);
    if (key === undefined) throw problem('key_not_found');
    return key;
  };

  const applyChange = (key: ApiKeyRecord, { label, search, state }: ApiKeyChange): ApiKeyRecord => {
    const { search: before, ...rest } = key;
    const after = search === undefined ? before : (search ?? undefined);
    return {
      ...rest,
      ...(label !== undefined && { label }),
      ...(state !== undefined && { state }),
      ...(after !== undefined && { search: after }),
    };
  };

  return {
    list: async (): Promise<{ readonly keys: readonly KeyView[] }> => ({
      keys: await inGroups(await keys.list(), show),
    }),

    /** @returns the key with its secret, which cannot be read again @throws Problem */
    async create(members: JsonRecord, actor: Actor): Promise<KeyView & { readonly secret: string }> {
      rejectUnknownMembers(members, ['label', 'search']);
      const label = parseLabel(members);
      const search = parseSearchAllowance(members);
      const secret = generateApiKey(randomBytes);
      const key: ApiKeyRecord = {
        id: generateId(),
        label,
        state: 'enabled',
        ...(search && { search }),
        createdAt: new Date(wall.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
      };
      await appendAudit('create_key', key, actor, { after: textsOf(key) });
      await keys.create(sha256Hex(secret), key);
      // No step may fail after the key is stored: the secret would be lost.
      return { ...viewOf(key, null), secret };
    },

    /** @throws Problem */
    async change(id: string, members: JsonRecord, actor: Actor): Promise<KeyView> {
      rejectUnknownMembers(members, ['label', 'search', 'state']);
      const [search, state] = [parseSearchAllowance(members), parseState(members)];
      const change: ApiKeyChange = {
        ...(members['label'] !== undefined && { label: parseLabel(members) }),
        ...(search !== undefined && { search }),
        ...(state !== undefined && { state }),
      };
      const before = await find(id);
      if (Object.keys(change).length === 0) return show(before);
      await appendAudit('change_key', before, actor, {
        before: textsOf(before),
        after: textsOf(applyChange(before, change)),
      });
      const after = await keys.change(id, change);
      if (after === undefined) throw problem('key_not_found');
      return show(after);
    },

    /** @throws Problem */
    async delete(id: string, actor: Actor): Promise<void> {
      const key = await find(id);
      await appendAudit('delete_key', key, actor, { before: textsOf(key) });
      await keys.delete(id);
    },
  };
};
