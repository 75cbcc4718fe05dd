// Declares the stores of the admin function: sessions and the audit. Every method rejects if the store does not answer.

/** Times are milliseconds since the epoch. */
export interface Session {
  readonly operator: string;
  /** Identifies the token that opened the session; a session ends when its token is removed. */
  readonly credential: string;
  readonly createdAt: number;
  readonly seenAt: number;
}

/** Sessions by the SHA-256 of the cookie value. */
export interface SessionStore {
  open(hash: string, session: Session, expiresAt: number): Promise<void>;
  find(hash: string): Promise<Session | undefined>;
  touch(hash: string, seenAt: number): Promise<void>;
  close(hash: string): Promise<void>;
}

export type AuditAction = 'create_key' | 'change_key' | 'delete_key' | 'sign_in' | 'sign_out';

export interface AuditEntry {
  /** Milliseconds since the epoch; unique, so it may be a few milliseconds late. */
  readonly at: number;
  readonly operator: string;
  readonly action: AuditAction;
  readonly keyId?: string;
  readonly label?: string;
  /** The changed members before and after the change, as text. */
  readonly before?: Readonly<Record<string, string>>;
  readonly after?: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The operator's IPv4 address or IPv6 /64. */
  readonly network: string;
}

export interface AuditStore {
  /** Adds an entry and changes no other. */
  append(entry: AuditEntry): Promise<void>;
  /** Newest first. @param before only older entries, in milliseconds since the epoch @default all */
  latest(count: number, before?: number): Promise<readonly AuditEntry[]>;
}

export interface Operator {
  readonly name: string;
  /** SHA-256 of the token in lower-case hexadecimal. */
  readonly tokenHash: string;
}
