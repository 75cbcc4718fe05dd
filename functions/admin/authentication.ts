// Authenticates operators by an operator token in Authorization, or by the session cookie that a sign-in created.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { parseBearer, sha256Hex } from '../../shared/auth/api-key.ts';
import { clientNetwork, type HashNetwork } from '../../shared/auth/client-network.ts';
import { CSRF_HEADER } from '../../shared/contract/admin-operations.ts';
import { EDGE_HEADERS } from '../../shared/contract/headers.ts';
import type { OperatorEvent } from '../../shared/contract/metrics.ts';
import { problem } from '../../shared/contract/problems.ts';
import { type HttpEvent, methodOf, requestHeader } from '../../shared/http/event.ts';
import type { Operator, SessionStore } from '../../shared/ports/stores.ts';
import type { Log, WallClock } from '../../shared/ports/system.ts';
import type { AllowanceSubject, FixedWindowLimiter } from '../../shared/rate-limit/fixed-window-limiter.ts';
import { secondsUntil } from '../../shared/rate-limit/window.ts';
import { SINGLE_ATTEMPT } from '../../shared/stores/store-guard.ts';

const SESSION_MILLISECONDS = 8 * 3_600_000;
const IDLE_MILLISECONDS = 30 * 60_000;
/** The last use of a session is written at most once per minute. */
const SEEN_MILLISECONDS = 60_000;
const SECRET_BYTES = 32;
/** Wrong tokens, and tokens that are being checked, per client network: more than a person types by mistake. */
const FAILED_SIGN_INS = { count: 10, seconds: 900 };
const EVENT: OperatorEvent = 'operator_refused';

export interface AuthenticationPorts {
  readonly operators: readonly Operator[];
  readonly sessions: SessionStore;
  readonly limiter: FixedWindowLimiter;
  readonly identify: HashNetwork;
  readonly wall: WallClock;
  readonly log: Log;
}

export interface AuthenticatedOperator {
  readonly operator: string;
  /** Milliseconds since the epoch; unset for a token, which does not expire. */
  readonly expiresAt?: number;
  readonly sessionHash?: string;
}

export interface Authentication {
  /** @throws Problem `unauthorized` or `rate_limited` */
  requireOperator(event: HttpEvent, isSecure: boolean): Promise<AuthenticatedOperator>;
  /** @returns the operator of the token @throws Problem `unauthorized` or `rate_limited` */
  verifyToken(event: HttpEvent, token: string): Promise<Operator>;
  /** @returns the new session with its cookie */
  openSession(operator: Operator, isSecure: boolean): Promise<AuthenticatedOperator & { readonly cookie: string }>;
  /** @returns the cookie that deletes the session cookie */
  signOut(session: AuthenticatedOperator, isSecure: boolean): Promise<string>;
}

/** `__Host-` cookies are bound to the host that set them and require HTTPS. */
const cookieName = (isSecure: boolean): string => (isSecure ? '__Host-admin_session' : 'admin_session');

const cookie = (value: string, seconds: number, isSecure: boolean): string =>
  `${cookieName(isSecure)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

const cookieIn = ({ cookies = [] }: HttpEvent, name: string): string | undefined =>
  cookies.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);

/** Rejects requests from pages of other sites, and forms, which cannot send the CSRF header. */
const isSameSite = (event: HttpEvent): boolean => {
  const site = requestHeader(event, 'sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return methodOf(event) === 'GET' || methodOf(event) === 'HEAD' || Boolean(requestHeader(event, CSRF_HEADER));
};

/** The configuration holds only the SHA-256 of each token. Compares with every hash, each in constant time, so that the duration does not depend on the match. */
const findOperator = (token: string, operators: readonly Operator[]): Operator | undefined => {
  const presented = Buffer.from(sha256Hex(token));
  let found: Operator | undefined;
  for (const operator of operators) {
    if (timingSafeEqual(presented, Buffer.from(operator.tokenHash))) found ??= operator;
  }
  return found;
};

/** A prefix that identifies the token but does not reveal its hash. */
const credentialOf = ({ tokenHash }: Operator): string => tokenHash.slice(0, 16);

const viewerIpOf = (event: HttpEvent): string | undefined => requestHeader(event, EDGE_HEADERS.viewerIp);

export const networkOf = (event: HttpEvent): string => clientNetwork(viewerIpOf(event));

export const createAuthentication = ({
  operators,
  sessions,
  limiter,
  identify,
  wall,
  log,
}: AuthenticationPorts): Authentication => {
  const allowanceSubjectOf = (event: HttpEvent): AllowanceSubject => ({
    partition: `admin-login#a:${identify(viewerIpOf(event))}`,
    allowance: FAILED_SIGN_INS,
  });

  /** Charges before it compares, so that guesses at the same time are bounded as well; a right token is refunded. */
  const byToken = async (event: HttpEvent, token: string): Promise<Operator> => {
    const decision = await limiter.charge(allowanceSubjectOf(event), SINGLE_ATTEMPT.deadline);
    if (!decision.admitted) throw problem('rate_limited', { retryAfter: secondsUntil(decision.endsAt, wall.now()) });
    const operator = findOperator(token, operators);
    if (operator === undefined) {
      log({ level: 'warn', event: EVENT });
      throw problem('unauthorized');
    }
    await decision.refund();
    return operator;
  };

  const bySession = async (event: HttpEvent, secret: string): Promise<AuthenticatedOperator> => {
    if (!isSameSite(event)) throw problem('unauthorized');
    const sessionHash = sha256Hex(secret);
    const session = await sessions.find(sessionHash);
    const now = wall.now();
    if (session === undefined || now - session.seenAt >= IDLE_MILLISECONDS) throw problem('unauthorized');
    const expiresAt = session.createdAt + SESSION_MILLISECONDS;
    // If an operator's token is removed or replaced, the sessions of the old token end.
    const isListed = operators.some(
      (operator) => operator.name === session.operator && credentialOf(operator) === session.credential,
    );
    if (now >= expiresAt || !isListed) throw problem('unauthorized');
    if (now - session.seenAt >= SEEN_MILLISECONDS) await sessions.touch(sessionHash, now);
    return { operator: session.operator, expiresAt, sessionHash };
  };

  return {
    async requireOperator(event, isSecure) {
      const bearer = parseBearer(requestHeader(event, 'authorization'));
      if (bearer.kind === 'token') return { operator: (await byToken(event, bearer.token)).name };
      if (bearer.kind === 'malformed') throw problem('unauthorized');
      const secret = cookieIn(event, cookieName(isSecure));
      if (secret === undefined) throw problem('unauthorized');
      return bySession(event, secret);
    },

    async verifyToken(event, token) {
      const site = requestHeader(event, 'sec-fetch-site');
      if (site !== undefined && site !== 'same-origin') throw problem('unauthorized');
      return byToken(event, token);
    },

    async openSession(operator, isSecure) {
      const { name } = operator;
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const sessionHash = sha256Hex(secret);
      const now = wall.now();
      const expiresAt = now + SESSION_MILLISECONDS;
      await sessions.open(
        sessionHash,
        { operator: name, credential: credentialOf(operator), createdAt: now, seenAt: now },
        expiresAt,
      );
      return { operator: name, expiresAt, sessionHash, cookie: cookie(secret, SESSION_MILLISECONDS / 1000, isSecure) };
    },

    async signOut({ sessionHash }, isSecure) {
      if (sessionHash !== undefined) await sessions.close(sessionHash);
      return cookie('', 0, isSecure);
    },
  };
};
