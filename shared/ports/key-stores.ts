// Declares the stores of API keys. Every method rejects if the store does not answer.
import type { Allowance } from '../contract/allowances.ts';

export type ApiKeyState = 'enabled' | 'disabled';

/** What is stored of a key (spec 5.4), beside its hash. */
export interface ApiKeyRecord {
  /** By which the operator names it: no secret. */
  readonly id: string;
  readonly label: string;
  readonly state: ApiKeyState;
  /** Unset: what keys have by default. */
  readonly search?: Allowance;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** Rejects when the store does not answer, as the other stores do. */
export interface ApiKeyReader {
  /**
   * Strongly consistent: what the operator did last holds.
   *
   * @param hash SHA-256 of the key in lower-case hexadecimal
   * @returns undefined: there is no such key
   */
  read(hash: string, signal?: AbortSignal): Promise<ApiKeyRecord | undefined>;
}

export interface ApiKeyChange {
  readonly label?: string;
  /** null: back to what keys have by default. */
  readonly search?: Allowance | null;
  readonly state?: ApiKeyState;
}

export interface ApiKeyStore {
  /** Strongly consistent, oldest first. */
  list(): Promise<readonly ApiKeyRecord[]>;
  /** @param hash as KeyReader has it */
  create(hash: string, key: ApiKeyRecord): Promise<void>;
  /** Writes what changes and nothing else. @returns undefined: there is no such key */
  change(id: string, change: ApiKeyChange): Promise<ApiKeyRecord | undefined>;
  /** @returns whether there was one */
  delete(id: string): Promise<boolean>;
}
