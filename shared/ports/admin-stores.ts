// Declares the stores of the admin function: sessions and the audit. Every method rejects if the store does not answer.

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

export interface Operator {
  readonly name: string;
  /** SHA-256 of the token in lower-case hexadecimal. */
  readonly tokenHash: string;
}
