// The operator's keys: made, changed and deleted, and each of it noted with who did it before it is done.
import { randomBytes } from 'node:crypto';
import { hashOf, makeKey } from '../../shared/access/key.ts';
import type {
  AuditAction,
  AuditEntry,
  AuditStore,
  KeyChange,
  KeyStore,
  UsageReader,
} from '../../shared/access/operator-stores.ts';
import { keyAllowance, keyPartition } from '../../shared/access/till.ts';
import { type AllowanceName, type Allowances, allowanceText } from '../../shared/contract/allowances.ts';
import { problem } from '../../shared/contract/problems.ts';
import type { Clock, KeyRecord } from '../../shared/ports.ts';
import { labelOf, type Members, onlyMembers, searchOf, stateOf } from './body.ts';

/** Who does it, from where. */
export type Doer = Pick<AuditEntry, 'operator' | 'requestId' | 'network'>;

export interface KeyPorts {
  readonly keys: KeyStore;
  readonly audit: AuditStore;
  readonly usage: UsageReader;
  readonly allowances: Allowances;
  readonly clock: Clock;
}

/** A key as the operator sees it. */
export interface ShownKey {
  readonly id: string;
  readonly label: string;
  readonly state: KeyRecord['state'];
  readonly search: string;
  readonly created_at: string;
  readonly last_used_on: string | null;
}

const NAMES: readonly AllowanceName[] = ['search', 'browse'];
const ID_CHARACTERS = 12;

/** Of `[a-z0-9]`, as the command line has it. */
const makeId = (): string => {
  const characters = Array.from(randomBytes(ID_CHARACTERS), (byte) => (byte % 36).toString(36));
  return characters.join('');
};

export const createKeys = ({ keys, audit, usage, allowances, clock }: KeyPorts) => {
  const textsOf = (key: KeyRecord) => ({
    label: key.label,
    search: allowanceText(keyAllowance('search', key, allowances)),
    state: key.state,
  });

  const lastUsedOn = async ({ id }: KeyRecord): Promise<string | null> => {
    const latest = await Promise.all(NAMES.map((name) => usage.latest(keyPartition(name, id))));
    return (
      latest
        .flatMap((spent) => spent?.usedOn ?? [])
        .toSorted()
        .at(-1) ?? null
    );
  };

  const shownWith = (key: KeyRecord, last_used_on: string | null): ShownKey => ({
    id: key.id,
    ...textsOf(key),
    created_at: key.createdAt,
    last_used_on,
  });

  const show = async (key: KeyRecord): Promise<ShownKey> => shownWith(key, await lastUsedOn(key));

  const note = (action: AuditAction, { id, label }: KeyRecord, doer: Doer, change: Partial<AuditEntry> = {}) =>
    audit.append({ at: clock(), action, keyId: id, label, ...change, ...doer });

  /** @throws Problem `key_not_found` */
  const find = async (id: string): Promise<KeyRecord> => {
    const key = (await keys.list()).find((each) => each.id === id);
    if (key === undefined) throw problem('key_not_found');
    return key;
  };

  const changed = (key: KeyRecord, { label, search, state }: KeyChange): KeyRecord => {
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
    list: async (): Promise<{ readonly keys: readonly ShownKey[] }> => {
      const shown: ShownKey[] = [];
      for (const key of await keys.list()) shown.push(await show(key));
      return { keys: shown };
    },

    /** @returns the key itself, this once @throws Problem */
    async create(members: Members, doer: Doer): Promise<ShownKey & { readonly secret: string }> {
      onlyMembers(members, ['label', 'search']);
      const label = labelOf(members);
      const search = searchOf(members);
      const secret = makeKey(randomBytes);
      const key: KeyRecord = {
        id: makeId(),
        label,
        state: 'enabled',
        ...(search && { search }),
        createdAt: new Date(clock()).toISOString().replace(/\.\d+Z$/, 'Z'),
      };
      await note('create_key', key, doer, { after: textsOf(key) });
      await keys.create(hashOf(secret), key);
      // Nothing may fail from here on: nobody could be told the key again.
      return { ...shownWith(key, null), secret };
    },

    /** @throws Problem */
    async change(id: string, members: Members, doer: Doer): Promise<ShownKey> {
      onlyMembers(members, ['label', 'search', 'state']);
      const [search, state] = [searchOf(members), stateOf(members)];
      const change: KeyChange = {
        ...(members['label'] !== undefined && { label: labelOf(members) }),
        ...(search !== undefined && { search }),
        ...(state !== undefined && { state }),
      };
      const before = await find(id);
      if (Object.keys(change).length === 0) return show(before);
      await note('change_key', before, doer, { before: textsOf(before), after: textsOf(changed(before, change)) });
      const after = await keys.change(id, change);
      if (after === undefined) throw problem('key_not_found');
      return show(after);
    },

    /** @throws Problem */
    async delete(id: string, doer: Doer): Promise<void> {
      const key = await find(id);
      await note('delete_key', key, doer, { before: textsOf(key) });
      await keys.delete(id);
    },
  };
};
