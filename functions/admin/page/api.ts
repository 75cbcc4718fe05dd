// Calls the operator API for the dashboard and declares its bodies.
import { ApiError, fetchJson } from '../../page/problem.ts';
import type { KeyView } from '../key-management.ts';
import type { UsageReport, WindowUsageView } from '../usage-report.ts';
import type { WithheldReport } from '../withheld-report.ts';

export interface Session {
  readonly operator: string;
}

export type Key = KeyView;

export type CreatedKey = Key & { readonly secret: string };

export type KeyChange = Partial<Pick<Key, 'label' | 'state'>> & {
  /** null: the default. */
  readonly search?: string | null;
};

export type Window = WindowUsageView;

export type Usage = UsageReport;

export type Withheld = WithheldReport;

export type KeyUsage = Usage['keys'][number];

export type Members = Readonly<Record<string, unknown>>;

export interface AuditEntry {
  readonly at: string;
  readonly operator: string;
  readonly action: string;
  readonly key_id?: string;
  readonly label?: string;
  readonly before?: Members | null;
  readonly after?: Members | null;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly next_cursor?: string;
}

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** @throws ApiError */
const sendRequest = <Body>(path: string, { method = 'GET', body, signal }: RequestOptions = {}): Promise<Body> =>
  fetchJson(path, {
    method,
    // An HTML form of another site can send neither of these headers.
    headers: method === 'GET' ? {} : { 'Content-Type': 'application/json', 'X-CSRF': '1' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
    cache: 'no-store',
    redirect: 'error',
  });

const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.problem.status === 401;

const SESSION = '/admin/session';
const KEYS = '/api/admin/keys';

/** @returns undefined if no operator is signed in */
export const readSession = (): Promise<Session | undefined> =>
  sendRequest<Session>(SESSION).catch((error: unknown) => {
    if (isUnauthorized(error)) return undefined;
    throw error;
  });

export const signIn = (token: string): Promise<Session> => sendRequest(SESSION, { method: 'POST', body: { token } });

export interface Api {
  readonly signOut: () => Promise<void>;
  readonly listKeys: () => Promise<{ readonly keys: readonly Key[] }>;
  readonly createKey: (key: { readonly label: string; readonly search?: string }) => Promise<CreatedKey>;
  readonly changeKey: (id: string, change: KeyChange) => Promise<Key>;
  readonly deleteKey: (id: string) => Promise<void>;
  readonly readUsage: () => Promise<Usage>;
  readonly readWithheld: () => Promise<Withheld>;
  /** @param cursor where an older page starts; undefined: the newest page */
  readonly readAudit: (cursor: string | undefined) => Promise<AuditPage>;
}

/**
 * Creates the API of one session. After the session has ended, its promises stay pending, so the page shows no more
 * results of that session.
 * @param onEnd called if the service no longer accepts the session
 */
export const sessionApi = (signal: AbortSignal, onEnd: () => void): Api => {
  const within = async <Body>(path: string, options: RequestOptions = {}): Promise<Body> => {
    try {
      const body = await sendRequest<Body>(path, { ...options, signal });
      if (!signal.aborted) return body;
    } catch (error) {
      if (!signal.aborted) {
        if (!isUnauthorized(error)) throw error;
        onEnd();
      }
    }
    return new Promise(() => undefined);
  };

  const keyPath = (id: string): string => `${KEYS}/${encodeURIComponent(id)}`;

  return {
    signOut: () => within(SESSION, { method: 'DELETE' }),
    listKeys: () => within(KEYS),
    createKey: (key) => within(KEYS, { method: 'POST', body: key }),
    changeKey: (id, change) => within(keyPath(id), { method: 'PATCH', body: change }),
    deleteKey: (id) => within(keyPath(id), { method: 'DELETE' }),
    readUsage: () => within('/api/admin/usage'),
    readWithheld: () => within('/api/admin/withheld'),
    readAudit: (cursor) =>
      within(`/api/admin/audit${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`),
  };
};
