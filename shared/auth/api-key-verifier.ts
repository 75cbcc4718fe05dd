// Whether a key is good (spec 5.5): asked of the store for every request, so that what the operator did last holds for
// the very next one.
import type { ApiKeyReader, ApiKeyRecord } from '../ports/key-stores.ts';
import type { Deadline } from '../ports/system.ts';
import type { StoreGuard } from '../stores/store-guard.ts';

const ATTEMPTS = 2;

/** `unverified`: the store does not answer. */
export type KeyVerification =
  | { readonly status: 'valid'; readonly key: ApiKeyRecord }
  | { readonly status: 'invalid' | 'unverified' };

export interface ApiKeyVerifier {
  /** Never rejects. @param hash as KeyReader has it */
  verify(hash: string, deadline: Deadline): Promise<KeyVerification>;
}

export const createApiKeyVerifier = (keys: ApiKeyReader, guard: StoreGuard): ApiKeyVerifier => ({
  async verify(hash, deadline) {
    const read = await guard((signal) => keys.read(hash, signal), { deadline, attempts: ATTEMPTS });
    if (!read.ok) return { status: 'unverified' };
    const key = read.value;
    return key?.state === 'enabled' ? { status: 'valid', key } : { status: 'invalid' };
  },
});
