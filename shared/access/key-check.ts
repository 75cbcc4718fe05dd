// Whether a key is good (spec 5.5): asked of the store for every request, so that what the operator did last holds for
// the very next one.
import type { Deadline, KeyReader, KeyRecord } from '../ports.ts';
import type { StoreGuard } from './store-guard.ts';

const ATTEMPTS = 2;

/** `unverified`: the store does not answer. */
export type Verdict =
  | { readonly status: 'valid'; readonly key: KeyRecord }
  | { readonly status: 'invalid' | 'unverified' };

export interface KeyCheck {
  /** Never rejects. @param hash as KeyReader has it */
  check(hash: string, deadline: Deadline): Promise<Verdict>;
}

export const createKeyCheck = (keys: KeyReader, guard: StoreGuard): KeyCheck => ({
  async check(hash, deadline) {
    const read = await guard((signal) => keys.read(hash, signal), { deadline, attempts: ATTEMPTS });
    if (!read.ok) return { status: 'unverified' };
    const key = read.value;
    return key?.state === 'enabled' ? { status: 'valid', key } : { status: 'invalid' };
  },
});
