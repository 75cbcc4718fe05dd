// Verifies an API key against the key store (spec 5.5). Nothing is cached: every request reads the store, so that a change
// by the operator holds for the next request.
import type { ApiKeyReader, ApiKeyRecord } from '../ports/key-stores.ts';
import type { Deadline } from '../ports/system.ts';
import type { StoreGuard } from '../stores/store-guard.ts';

const ATTEMPTS = 2;

/** `unverified`: the store did not answer within 2 attempts or by the deadline. */
export type KeyVerification =
  | { readonly status: 'valid'; readonly key: ApiKeyRecord }
  | { readonly status: 'invalid' | 'unverified' };

export interface ApiKeyVerifier {
  /** Never rejects. @param hash SHA-256 of the key in lower-case hexadecimal */
  verify(hash: string, deadline: Deadline): Promise<KeyVerification>;
}

export const createApiKeyVerifier = (keys: ApiKeyReader, guard: StoreGuard): ApiKeyVerifier => ({
  async verify(hash, deadline) {
    const result = await guard((signal) => keys.read(hash, signal), { deadline, attempts: ATTEMPTS });
    if (!result.ok) return { status: 'unverified' };
    const key = result.value;
    return key?.state === 'enabled' ? { status: 'valid', key } : { status: 'invalid' };
  },
});
