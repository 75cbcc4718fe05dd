// Who operates: by an operator token in Authorization, or by the session that signing in with one has opened.
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import { parseBearer } from '../../shared/auth/bearer.ts';
import { clientNetwork, type HashClientAddress } from '../../shared/auth/client-address.ts';
import { findOperator } from '../../shared/auth/operators.ts';
import { CSRF_HEADER } from '../../shared/contract/admin-operations.ts';
import type { LogAlarmName } from '../../shared/contract/alarms.ts';
import { EDGE_HEADERS } from '../../shared/contract/headers.ts';
import { problem } from '../../shared/contract/problems.ts';
import { type HttpEvent, headerOf, methodOf } from '../../shared/http/event.ts';
import type { Operator, SessionStore } from '../../shared/ports/admin-stores.ts';
import type { Clock, Log } from '../../shared/ports/system.ts';
import type { AllowanceSubject, FixedWindowLimiter } from '../../shared/rate-limit/fixed-window-limiter.ts';
import { secondsUntil } from '../../shared/rate-limit/window.ts';
import { STORE_BUDGET_MILLISECONDS } from '../../shared/stores/store-guard.ts';

const SESSION_MILLISECONDS = 8 * 3_600_000;
const IDLE_MILLISECONDS = 30 * 60_000;
/** That a session is in use is written at most this often. */
const SEEN_MILLISECONDS = 60_000;
const SECRET_BYTES = 32;
/** Wrong tokens from one address; more than a person makes. */
const FAILED_SIGN_INS = { count: 10, seconds: 900 };
const EVENT: LogAlarmName = 'operator_refused';

export interface AuthenticationPorts {
  readonly operators: readonly Operator[];
  readonly sessions: SessionStore;
  readonly limiter: FixedWindowLimiter;
  readonly identify: HashClientAddress;
  readonly clock: Clock;
  readonly log: Log;
}

export interface AuthenticatedOperator {
  readonly operator: string;
  /** Milliseconds since the epoch; unset: by a token, which does not expire. */
  readonly expiresAt?: number;
  readonly sessionHash?: string;
}

export interface Authentication {
  /** @throws Problem `unauthorized` or `rate_limited` */
  requireOperator(event: HttpEvent, isSecure: boolean): Promise<AuthenticatedOperator>;
  /** Whose token it is. The same. */
  verifyToken(event: HttpEvent, token: string): Promise<Operator>;
  /** Begins a session. @returns with its cookie */
  openSession(operator: Operator, isSecure: boolean): Promise<AuthenticatedOperator & { readonly cookie: string }>;
  /** @returns the cookie that ends it */
  signOut(session: AuthenticatedOperator, isSecure: boolean): Promise<string>;
}

/** Browsers keep a cookie of the first kind to the host that set it, and take it over https alone. */
const cookieName = (isSecure: boolean): string => (isSecure ? '__Host-admin_session' : 'admin_session');

const cookie = (value: string, seconds: number, isSecure: boolean): string =>
  `${cookieName(isSecure)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

const cookieIn = ({ cookies = [] }: HttpEvent, name: string): string | undefined =>
  cookies.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);

/** A page of ours asks, or the operator himself: not one of another site, and no form. */
const isSameSite = (event: HttpEvent): boolean => {
  const site = headerOf(event, 'sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return methodOf(event) === 'GET' || methodOf(event) === 'HEAD' || Boolean(headerOf(event, CSRF_HEADER));
};

/** Too little of the hash to be worth anything. */
const credentialOf = ({ tokenHash }: Operator): string => tokenHash.slice(0, 16);

const addressOf = (event: HttpEvent): string | undefined => headerOf(event, EDGE_HEADERS.viewerIp);

export const networkOf = (event: HttpEvent): string => clientNetwork(addressOf(event));

export const createAuthentication = ({
  operators,
  sessions,
  limiter,
  identify,
  clock,
  log,
}: AuthenticationPorts): Authentication => {
  const spenderOf = (event: HttpEvent): AllowanceSubject => ({
    partition: `admin-login#a:${identify(addressOf(event))}`,
    allowance: FAILED_SIGN_INS,
  });

  const tooMany = (endsAt: number) => problem('rate_limited', { retryAfter: secondsUntil(endsAt, clock()) });

  /** @throws Problem; a wrong token costs, a right one does not */
  const byToken = async (event: HttpEvent, token: string): Promise<Operator> => {
    const spender = spenderOf(event);
    const refused = limiter.knownDenial(spender);
    if (refused !== undefined) throw tooMany(refused.endsAt);
    const operator = findOperator(token, operators);
    if (operator !== undefined) return operator;
    log({ level: 'warn', event: EVENT });
    const decision = await limiter.charge(spender, clock() + STORE_BUDGET_MILLISECONDS);
    throw decision.admitted ? problem('unauthorized') : tooMany(decision.endsAt);
  };

  const bySession = async (event: HttpEvent, secret: string): Promise<AuthenticatedOperator> => {
    if (!isSameSite(event)) throw problem('unauthorized');
    const sessionHash = sha256Hex(secret);
    const session = await sessions.find(sessionHash);
    const now = clock();
    if (session === undefined || now - session.seenAt >= IDLE_MILLISECONDS) throw problem('unauthorized');
    const expiresAt = session.createdAt + SESSION_MILLISECONDS;
    // A token that was taken from the list, or replaced, takes its sessions along.
    const isListed = operators.some(
      (operator) => operator.name === session.operator && credentialOf(operator) === session.credential,
    );
    if (now >= expiresAt || !isListed) throw problem('unauthorized');
    if (now - session.seenAt >= SEEN_MILLISECONDS) await sessions.touch(sessionHash, now);
    return { operator: session.operator, expiresAt, sessionHash };
  };

  return {
    async requireOperator(event, isSecure) {
      const bearer = parseBearer(headerOf(event, 'authorization'));
      if (bearer.kind === 'token') return { operator: (await byToken(event, bearer.token)).name };
      if (bearer.kind === 'malformed') throw problem('unauthorized');
      const secret = cookieIn(event, cookieName(isSecure));
      if (secret === undefined) throw problem('unauthorized');
      return bySession(event, secret);
    },

    async verifyToken(event, token) {
      const site = headerOf(event, 'sec-fetch-site');
      if (site !== undefined && site !== 'same-origin') throw problem('unauthorized');
      return byToken(event, token);
    },

    async openSession(by, isSecure) {
      const operator = by.name;
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const sessionHash = sha256Hex(secret);
      const now = clock();
      const expiresAt = now + SESSION_MILLISECONDS;
      await sessions.open(
        sessionHash,
        { operator, credential: credentialOf(by), createdAt: now, seenAt: now },
        expiresAt,
      );
      return { operator, expiresAt, sessionHash, cookie: cookie(secret, SESSION_MILLISECONDS / 1000, isSecure) };
    },

    async signOut({ sessionHash }, isSecure) {
      if (sessionHash !== undefined) await sessions.close(sessionHash);
      return cookie('', 0, isSecure);
    },
  };
};
