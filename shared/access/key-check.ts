// Whether a key is good (spec 5.5): asked of the store for every request, so that what the operator did last holds for
// the very next one. What an instance remembers of a key never decides; it only lets the allowance be charged meanwhile.
import type { Deadline, KeyReader, KeyRecord } from '../ports.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { StoreGuard } from './store-guard.ts';

const MAX_REMEMBERED = 1000;
const ATTEMPTS = 2;

/** `unverified`: the store does not answer. */
export type Verdict =
  | { readonly status: 'valid'; readonly key: KeyRecord }
  | { readonly status: 'invalid' | 'unverified' };

export interface KeyCheck {
  /** Never rejects. @param hash as KeyReader has it */
  check(hash: string, deadline: Deadline): Promise<Verdict>;
  /** What the key was when it was last read here. */
  remembered(hash: string): KeyRecord | undefined;
}

export const createKeyCheck = (keys: KeyReader, guard: StoreGuard): KeyCheck => {
  const seen = createBoundedMap<KeyRecord>(MAX_REMEMBERED);
  return {
    async check(hash, deadline) {
      const read = await guard((signal) => keys.read(hash, signal), { deadline, attempts: ATTEMPTS });
      if (!read.ok) return { status: 'unverified' };
      const key = read.value;
      if (key?.state !== 'enabled') {
        seen.delete(hash);
        return { status: 'invalid' };
      }
      seen.set(hash, key);
      return { status: 'valid', key };
    },
    remembered: (hash) => seen.get(hash),
  };
};
