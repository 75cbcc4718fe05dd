// THE private routes: what the operator's dashboard and scripts call. Not part of the public API, and in none of its
// documents.

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
  showAudit: { method: 'GET', path: '/api/admin/audit' },
} as const satisfies Readonly<Record<string, AdminOperation>>;

export type AdminOperationId = keyof typeof adminOperations;

/** What lies below them is private as well, whatever it is: nobody learns what exists without signing in. */
export const ADMIN_PREFIXES = ['/admin', '/api/admin'] as const;

/** A state-changing call with a cookie carries this header, which no foreign page can send. */
export const CSRF_HEADER = 'x-csrf';

export const MAX_LABEL_CHARACTERS = 100;
