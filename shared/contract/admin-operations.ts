// Lists the private routes, for the dashboard and the scripts of the operator. The public API and its documents do not
// include them. The edge function includes `isPrivatePath`, so its code uses ES5 methods only.

export interface AdminOperation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
}

export const adminOperations = {
  showDashboard: { method: 'GET', path: '/admin' },
  showScript: { method: 'GET', path: '/admin/app.js' },
  showStyle: { method: 'GET', path: '/admin/style.css' },
  signIn: { method: 'POST', path: '/admin/session' },
  showSession: { method: 'GET', path: '/admin/session' },
  signOut: { method: 'DELETE', path: '/admin/session' },
  listKeys: { method: 'GET', path: '/api/admin/keys' },
  createKey: { method: 'POST', path: '/api/admin/keys' },
  changeKey: { method: 'PATCH', path: '/api/admin/keys/{id}' },
  deleteKey: { method: 'DELETE', path: '/api/admin/keys/{id}' },
  showUsage: { method: 'GET', path: '/api/admin/usage' },
  showWithheld: { method: 'GET', path: '/api/admin/withheld' },
  showAudit: { method: 'GET', path: '/api/admin/audit' },
} as const satisfies Readonly<Record<string, AdminOperation>>;

export type AdminOperationId = keyof typeof adminOperations;

/** Every path below these prefixes is private. Without a session the answer does not show which paths exist. */
export const ADMIN_PREFIXES = ['/admin', '/api/admin'] as const;

/** The profile of a handle that begins with `admin` is not private. */
export const isPrivatePath = (path: string): boolean =>
  ADMIN_PREFIXES.some((prefix) => `${path}/`.indexOf(`${prefix}/`) === 0);

/** A state-changing request with a cookie needs this header, which a page of another origin cannot send. */
export const CSRF_HEADER = 'x-csrf';

export const MAX_LABEL_CHARACTERS = 100;

export const MAX_ADMIN_BODY_BYTES = 16_384;
