// Authenticates the caller of a request and charges the caller's allowance (requirements: keys and allowances).
//
// Architecture. One instance of access control serves all requests of a function instance. It joins an API key verifier
// and an allowance limiter. Each has a store of its own (keys and counters) and a store guard of its own. The guards
// share one record of the connection to DynamoDB.
//
// States of a caller (`X-Api-Key-Status`):
//   anonymous   no Bearer token; charged by client network
//   valid       the token is an enabled key; charged by key id
//   invalid     malformed, unknown or disabled key; every charge rejects with `invalid_key`
//   unverified  the key store did not answer; charged as anonymous. Nothing else makes a key unverified
//   none        the key was not checked, because the network has presented too many unknown keys; every charge rejects with
//               `rate_limited`, without a read and without a charge
//
// Algorithm. `identify` parses the Authorization field and checks form and checksum of the key without a store call. It
// then starts the lookup of the key's hash; the caller's status stays a promise until the store answers. Key states are
// never cached, so a change by the operator holds for the next request; api-key-verifier.ts bounds unknown keys. The first
// `chargeAllowance` waits for the status and charges once; later calls return the same promise. A provider call starts only
// after that promise resolves. `settle` refunds the charge if the request failed and records the use of the key.
//
// Bounds. All store calls before the answer share a deadline of STORE_BUDGET_MILLISECONDS from `identify`, and up to 1 s more while
// connections are set up. The deadline does not count the time for which this process is busy: a request that was identified
// before such a time has its time for the store after it. Caches and counters in memory hold at most 10,000 entries each.
//
// Failure. If the key store does not answer, the request is served as `unverified`, never rejected; while it answers, an
// unknown, disabled or deleted key is never served. If the counter store
// does not answer, each instance counts in memory up to the same limit, and up to a quarter of the pool. If both fail, both
// rules apply. A failed refund is not repeated; the caller stays charged.
import type { AllowanceName, Allowances } from '../contract/allowances.ts';
import { type Problem, problem, type RequestOutcome } from '../contract/problems.ts';
import { elapsed, later, type Monotonic } from '../model/time.ts';
import type { AccessControl, Caller, Credentials, KeyResult } from '../ports/access-control.ts';
import type { ApiKeyReader, CounterStore } from '../ports/stores.ts';
import type { Clock, Deadline, Log, WallClock } from '../ports/system.ts';
import { type AllowanceLimiter, createAllowanceLimiter, type RequestCharges } from '../rate-limit/allowance-limiter.ts';
import { createFixedWindowLimiter } from '../rate-limit/fixed-window-limiter.ts';
import { waitSeconds } from '../rate-limit/window.ts';
import { createStoreConnection, createStoreGuard, STORE_BUDGET_MILLISECONDS } from '../stores/store-guard.ts';
import { isWellFormedApiKey, parseBearer, sha256Hex } from './api-key.ts';
import { createApiKeyVerifier, type KeyVerification, UNKNOWN_KEYS } from './api-key-verifier.ts';
import { clientNetwork, createNetworkHash } from './client-network.ts';
import { createInvalidKeyMonitor } from './invalid-key-monitor.ts';

export interface AccessControlOptions {
  readonly keys: ApiKeyReader;
  readonly counters: CounterStore;
  readonly allowances: Allowances;
  /** Key of the HMAC over client networks; equal on every instance, or instances would count separately. */
  readonly networkSecret: string;
  readonly clock: Clock;
  /** Counts only the time in which this process waits, for the deadlines of store calls. @default `clock` */
  readonly waitingClock?: Clock | undefined;
  /** For the windows of allowances, which all instances share. */
  readonly wall: WallClock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

type CallerAuthentication = KeyVerification | { readonly status: 'anonymous' };

/** The problem of a caller whose key is not accepted. */
const refusalOf = (authentication: CallerAuthentication, now: Monotonic): Problem | undefined => {
  if (authentication.status === 'invalid') return problem('invalid_key');
  if (authentication.status !== 'over_bound') return undefined;
  const { count, seconds } = UNKNOWN_KEYS;
  const wait = waitSeconds(elapsed(now, authentication.until));
  return problem('rate_limited', {
    retryAfter: wait,
    detail: `The client network has sent ${count} unknown API keys within ${seconds} seconds. Retry in ${wait} seconds.`,
    resolution: 'Wait the number of seconds in Retry-After, or drop the Authorization header to call anonymously.',
  });
};

const keyOf = (authentication: CallerAuthentication) =>
  authentication.status === 'valid' ? authentication.key : undefined;

interface CallerRequest {
  readonly network: string;
  /** Hash of the network. */
  readonly identity: string;
  /** Not a promise if no store call is needed, so that the status is known at once. */
  readonly authentication: CallerAuthentication | Promise<CallerAuthentication>;
  readonly deadline: Deadline;
}

interface CallerCharge {
  readonly name: AllowanceName;
  readonly queryKey: string;
  readonly admitted: Promise<void>;
}

/** Creates the caller for one use case of one request. */
const createCaller = (request: CallerRequest, allowanceLimiter: AllowanceLimiter, clock: Clock): Caller => {
  const { network, identity, authentication, deadline } = request;
  const charges: RequestCharges = { refunds: [] };
  let resolved: CallerAuthentication | undefined;
  let charge: CallerCharge | undefined;

  const remember = (found: CallerAuthentication): KeyResult => {
    resolved = found;
    return found.status === 'over_bound' ? undefined : found.status;
  };

  const chargeUnits = async (name: AllowanceName, units = 1): Promise<void> => {
    const found = await authentication;
    const refusal = refusalOf(found, clock());
    if (refusal !== undefined) throw refusal;
    return allowanceLimiter.charge(name, keyOf(found), identity, charges, deadline, units);
  };

  const begin = (name: AllowanceName, queryKey: string, admitted: Promise<void>): Promise<void> => {
    charge = { name, queryKey, admitted };
    // A request that ends before it waits for the charge must not cause an unhandled rejection.
    admitted.catch(() => undefined);
    return admitted;
  };

  const settle = async (outcome: RequestOutcome): Promise<void> => {
    await charge?.admitted.catch(() => undefined);
    const key = keyOf(await authentication);
    if (outcome !== 'answered' && charge !== undefined) {
      const queryKey = outcome === 'failed' ? charge.queryKey : undefined;
      await allowanceLimiter.refund({ name: charge.name, queryKey }, key, identity, charges);
    }
    if (key !== undefined) await allowanceLimiter.recordUse(key, charges);
  };

  const isKnown = !('then' in authentication);
  return {
    network,
    status: isKnown ? remember(authentication) : authentication.then(remember),
    refusal: isKnown ? refusalOf(authentication, clock()) : authentication.then((found) => refusalOf(found, clock())),

    chargeAllowance: (name, queryKey) => charge?.admitted ?? begin(name, queryKey, chargeUnits(name)),

    chargeReads(name, queryKey, count) {
      const before = charge?.admitted ?? Promise.resolve();
      return begin(
        name,
        queryKey,
        before.then(() => chargeUnits(name, count)),
      );
    },

    allowanceState: (name) => allowanceLimiter.allowanceState(name, resolved && keyOf(resolved), charges),

    chargeResult: () => charges.result,

    settle,

    forAnotherRead: () => createCaller(request, allowanceLimiter, clock),
  };
};

export const createAccessControl = (options: AccessControlOptions): AccessControl => {
  const { keys, counters, allowances, networkSecret, clock, waitingClock = clock, wall, log } = options;
  const connection = createStoreConnection(clock);
  const guardOf = (store: string) => createStoreGuard(store, { ...options, deadlineClock: waitingClock, connection });
  const limiter = createFixedWindowLimiter({ store: counters, guard: guardOf('counters'), clock, wall });
  const verifyKey = createApiKeyVerifier(keys, guardOf('keys'), clock);
  const recordInvalidKey = createInvalidKeyMonitor(clock, log);
  const allowanceLimiter = createAllowanceLimiter(allowances, limiter, clock, wall);
  const hashNetwork = createNetworkHash(networkSecret);

  return {
    identify({ authorization, ip }: Credentials): Caller {
      const deadline: Deadline = later(waitingClock(), STORE_BUDGET_MILLISECONDS + connection.setupMilliseconds());
      const identity = hashNetwork(ip);
      const recordInvalid = (verification: KeyVerification): KeyVerification => {
        if (verification.status === 'invalid') recordInvalidKey(identity);
        return verification;
      };
      const callerWith = (authentication: CallerRequest['authentication']): Caller =>
        createCaller({ network: clientNetwork(ip), identity, authentication, deadline }, allowanceLimiter, clock);
      const bearer = parseBearer(authorization);
      if (bearer.kind === 'none') return callerWith({ status: 'anonymous' });
      if (bearer.kind !== 'token' || !isWellFormedApiKey(bearer.token)) {
        return callerWith(recordInvalid({ status: 'invalid' }));
      }
      return callerWith(verifyKey(sha256Hex(bearer.token), identity, deadline).then(recordInvalid));
    },
    anonymousPolicy: (name) => allowanceLimiter.allowanceState(name, undefined, undefined).policy,
  };
};
