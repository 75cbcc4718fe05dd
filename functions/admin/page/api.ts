// What the page asks of the service, and what it hears.

export interface Session {
  readonly operator: string;
}

export interface Key {
  readonly id: string;
  readonly label: string;
  readonly state: 'enabled' | 'disabled';
  /** COUNT/SECONDS */
  readonly search: string;
  readonly created_at: string;
  readonly last_used_on: string | null;
}

export interface CreatedKey extends Key {
  readonly secret: string;
}

export type KeyChange = Partial<Pick<Key, 'label' | 'state'>> & {
  /** null: the default. */
  readonly search?: string | null;
};

interface Window {
  readonly limit: number;
  readonly seconds: number;
  readonly used: number;
  /** Seconds. */
  readonly resets_in: number;
}

export interface KeyUsage {
  readonly id: string;
  readonly search: Window;
  readonly last_24_hours: { readonly search: number; readonly browse: number };
}

type ServiceState = 'up' | 'down';

export interface Usage {
  readonly generated_at: string;
  readonly keys: readonly KeyUsage[];
  readonly pool: Window | null;
  /** What keys have that were given nothing else. */
  readonly defaults: { readonly search: string };
  readonly store: { readonly state: ServiceState };
  readonly providers: readonly { readonly name: string; readonly state: ServiceState }[];
}

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

/** RFC 9457, as far as people are shown it. */
export interface Problem {
  readonly title: string;
  readonly status?: number;
  readonly detail?: string;
  readonly resolution?: string;
  readonly retry_after?: number;
  readonly errors?: readonly { readonly parameter: string; readonly message: string }[];
}

/** The service did not do what was asked. */
export class AdminApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const NO_ANSWER: Problem = {
  title: 'The service does not answer',
  resolution: 'Check the connection and try again.',
};

const problemOf = async (response: Response): Promise<Problem> => {
  const unexplained: Problem = {
    title: `The service answered with status ${response.status}`,
    resolution: 'Try again in a minute.',
  };
  try {
    const document: Partial<Problem> = await response.json();
    return { ...unexplained, ...document, status: response.status };
  } catch {
    // What stands in front of the service answers without a problem document.
    return { ...unexplained, status: response.status };
  }
};

const noResponse = (): never => {
  throw new AdminApiError(NO_ANSWER);
};

/** @throws Failure */
const ask = async <Answer>(path: string, { method = 'GET', body, signal }: RequestOptions = {}): Promise<Answer> => {
  const response = await fetch(path, {
    method,
    // The form of another site can send neither of these.
    headers: method === 'GET' ? {} : { 'Content-Type': 'application/json', 'X-CSRF': '1' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
    cache: 'no-store',
    redirect: 'error',
  }).catch(noResponse);
  if (!response.ok) throw new AdminApiError(await problemOf(response));
  // 204 has no body.
  const text = (await response.text().catch(noResponse)) || 'null';
  try {
    return JSON.parse(text);
  } catch {
    return noResponse();
  }
};

const isUnauthorized = (error: unknown): boolean => error instanceof AdminApiError && error.problem.status === 401;

const SESSION = '/admin/session';
const KEYS = '/api/admin/keys';

/** undefined: nobody is signed in. */
export const readSession = (): Promise<Session | undefined> =>
  ask<Session>(SESSION).catch((error: unknown) => {
    if (isUnauthorized(error)) return undefined;
    throw error;
  });

export const signIn = (token: string): Promise<Session> => ask(SESSION, { method: 'POST', body: { token } });

export interface Api {
  readonly signOut: () => Promise<void>;
  readonly listKeys: () => Promise<{ readonly keys: readonly Key[] }>;
  readonly createKey: (asked: { readonly label: string; readonly search?: string }) => Promise<CreatedKey>;
  readonly changeKey: (id: string, change: KeyChange) => Promise<Key>;
  readonly deleteKey: (id: string) => Promise<void>;
  readonly readUsage: () => Promise<Usage>;
  readonly readAudit: () => Promise<{ readonly entries: readonly AuditEntry[] }>;
}

/**
 * For one session. Once that is over its promises stay pending, so that nothing comes onto the page any more.
 * @param onEnd the service no longer knows the session
 */
export const sessionApi = (signal: AbortSignal, onEnd: () => void): Api => {
  const within = async <Answer>(path: string, asked: RequestOptions = {}): Promise<Answer> => {
    try {
      const answer = await ask<Answer>(path, { ...asked, signal });
      if (!signal.aborted) return answer;
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
    createKey: (asked) => within(KEYS, { method: 'POST', body: asked }),
    changeKey: (id, change) => within(keyPath(id), { method: 'PATCH', body: change }),
    deleteKey: (id) => within(keyPath(id), { method: 'DELETE' }),
    readUsage: () => within('/api/admin/usage'),
    readAudit: () => within('/api/admin/audit'),
  };
};
