// Declares the stores of API keys. Every method rejects if the store does not answer.
import type { Allowance } from '../contract/allowances.ts';

export type ApiKeyState = 'enabled' | 'disabled';

/** The stored facts of an API key (requirements: keys), without its hash. */
export interface ApiKeyRecord {
  /** The operator's name for the key; not secret. */
  readonly id: string;
  readonly label: string;
  readonly state: ApiKeyState;
  /** Search allowance; unset: the default for keys. */
  readonly search?: Allowance;
  /** RFC 3339. */
  readonly createdAt: string;
}

export interface ApiKeyReader {
  /**
   * Strongly consistent: the last change by the operator holds.
   *
   * @param hash SHA-256 of the key in lower-case hexadecimal
   * @returns undefined: the key is unknown
   */
  read(hash: string, signal?: AbortSignal): Promise<ApiKeyRecord | undefined>;
}

export interface ApiKeyChange {
  readonly label?: string;
  /** null: back to the default for keys. */
  readonly search?: Allowance | null;
  readonly state?: ApiKeyState;
}

export interface ApiKeyStore {
  /** Strongly consistent, oldest first. */
  list(): Promise<readonly ApiKeyRecord[]>;
  /** @param hash SHA-256 of the key in lower-case hexadecimal */
  create(hash: string, key: ApiKeyRecord): Promise<void>;
  /** Writes only the members of `change`. @returns undefined: the key is unknown */
  change(id: string, change: ApiKeyChange): Promise<ApiKeyRecord | undefined>;
  /** @returns false: the key was unknown */
  delete(id: string): Promise<boolean>;
}
