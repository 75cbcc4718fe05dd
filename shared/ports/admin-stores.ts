// What the operator's function keeps, and reads of what others count. Everything here rejects when the store does not
// answer.
import type { Allowance } from '../contract/allowances.ts';
import type { ApiKeyRecord, ApiKeyState } from '../ports.ts';

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

/** Milliseconds since the epoch. */
export interface Session {
  readonly operator: string;
  /** Tells the token that opened it from others: with the token goes the session. */
  readonly credential: string;
  readonly createdAt: number;
  readonly seenAt: number;
}

/** Sessions by SHA-256 of the cookie's value. */
export interface SessionStore {
  open(hash: string, session: Session, expiresAt: number): Promise<void>;
  find(hash: string): Promise<Session | undefined>;
  touch(hash: string, seenAt: number): Promise<void>;
  close(hash: string): Promise<void>;
}

export type AuditAction = 'create_key' | 'change_key' | 'delete_key' | 'sign_in' | 'sign_out';

export interface AuditEntry {
  /** Milliseconds since the epoch; unique, and so perhaps some later than the deed. */
  readonly at: number;
  readonly operator: string;
  readonly action: AuditAction;
  readonly keyId?: string;
  readonly label?: string;
  /** What a change changes, as texts. */
  readonly before?: Readonly<Record<string, string>>;
  readonly after?: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The operator's address, of IPv6 the /64. */
  readonly network: string;
}

export interface AuditStore {
  /** Never changes or removes anything. */
  append(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  latest(count: number): Promise<readonly AuditEntry[]>;
}

/** One window of a counter. */
export interface WindowUsage {
  readonly startsAt: number;
  readonly count: number;
  /** The day of the last use in it; of keys alone. */
  readonly usedOn?: string;
}

export interface UsageReader {
  /** Windows that began at or after `since`, oldest first. */
  spentSince(partition: string, since: number): Promise<readonly WindowUsage[]>;
  latest(partition: string): Promise<WindowUsage | undefined>;
}
