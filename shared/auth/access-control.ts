// Keys and allowances behind one door: who asks, whether that is true, and what it costs.
import type { AllowanceName, Allowances } from '../contract/allowances.ts';
import type { KeyStatus } from '../contract/headers.ts';
import { problem } from '../contract/problems.ts';
import type { AccessControl, Caller, Credentials } from '../ports/access-control.ts';
import type { CounterStore } from '../ports/counter-stores.ts';
import type { ApiKeyReader } from '../ports/key-stores.ts';
import type { Clock, Deadline, Log } from '../ports/system.ts';
import { type AllowanceLimiter, createAllowanceLimiter, type RequestCharges } from '../rate-limit/allowance-limiter.ts';
import { createFixedWindowLimiter } from '../rate-limit/fixed-window-limiter.ts';
import { createStoreConnection } from '../stores/store-connection.ts';
import { createStoreGuard, STORE_BUDGET_MILLISECONDS } from '../stores/store-guard.ts';
import { isWellFormedApiKey, sha256Hex } from './api-key.ts';
import { createApiKeyVerifier, type KeyVerification } from './api-key-verifier.ts';
import { parseBearer } from './bearer.ts';
import { createClientAddressHash } from './client-address.ts';
import { createInvalidKeyMonitor } from './invalid-key-monitor.ts';

export interface AccessControlOptions {
  readonly keys: ApiKeyReader;
  readonly counters: CounterStore;
  readonly allowances: Allowances;
  /** With which addresses are made unreadable before they are stored; the same on every instance. */
  readonly addressSecret: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** Without a promise where nothing has to be asked. */
type CallerAuthentication = KeyVerification | { readonly status: 'anonymous' };

const keyOf = (standing: CallerAuthentication) => (standing.status === 'valid' ? standing.key : undefined);

interface CallerRequest {
  readonly identity: string;
  readonly standing: CallerAuthentication | Promise<CallerAuthentication>;
  readonly deadline: Deadline;
}

interface Spending {
  readonly name: AllowanceName;
  readonly subject: string;
  readonly charged: Promise<void>;
}

/** One read of one caller. */
const createCaller = (visit: CallerRequest, till: AllowanceLimiter): Caller => {
  const { identity, standing, deadline } = visit;
  const receipt: RequestCharges = { refunds: [] };
  let known: CallerAuthentication | undefined;
  let spending: Spending | undefined;

  const remember = (found: CallerAuthentication): KeyStatus => {
    known = found;
    return found.status;
  };

  const chargeOnce = async (name: AllowanceName): Promise<void> => {
    const found = await standing;
    if (found.status === 'invalid') throw problem('invalid_key');
    const key = keyOf(found);
    if (key === undefined) return till.chargeAddress(name, identity, receipt, deadline);
    return till.chargeKey(name, key, receipt, deadline);
  };

  const status = 'then' in standing ? standing.then(remember) : remember(standing);
  return {
    identity,
    status,

    chargeAllowance(name, subject) {
      spending ??= { name, subject, charged: chargeOnce(name) };
      spending.charged.catch(() => undefined); // a caller who waits for the verdict hears of it
      return spending.charged;
    },

    allowanceState: (name) => till.allowanceState(name, known && keyOf(known), receipt),

    async settle(outcome) {
      await spending?.charged.catch(() => undefined);
      const key = keyOf(await standing);
      if (outcome !== 'answered' && spending !== undefined) {
        const subject = outcome === 'failed' ? spending.subject : undefined;
        await till.refund({ name: spending.name, subject }, key, identity, receipt);
      }
      if (key !== undefined && spending === undefined) await till.recordUse(key);
    },

    forAnotherRead: () => createCaller(visit, till),
  };
};

export const createAccessControl = (options: AccessControlOptions): AccessControl => {
  const { keys, counters, allowances, addressSecret, clock, log } = options;
  const connection = createStoreConnection(clock);
  const guardOf = (store: string) => createStoreGuard(store, { ...options, connection });
  const limiter = createFixedWindowLimiter({ store: counters, guard: guardOf('counters'), clock });
  const keyCheck = createApiKeyVerifier(keys, guardOf('keys'));
  const rejections = createInvalidKeyMonitor(clock, log);
  const till = createAllowanceLimiter(allowances, limiter, clock);

  const identify = createClientAddressHash(addressSecret);

  return {
    identify({ authorization, address }: Credentials): Caller {
      const deadline: Deadline = clock() + STORE_BUDGET_MILLISECONDS + connection.setupMilliseconds();
      const identity = identify(address);
      const noted = (verdict: KeyVerification): KeyVerification => {
        if (verdict.status === 'invalid') rejections.record(identity);
        return verdict;
      };
      const caller = (standing: CallerRequest['standing']): Caller =>
        createCaller({ identity, standing, deadline }, till);
      const bearer = parseBearer(authorization);
      if (bearer.kind === 'none') return caller({ status: 'anonymous' });
      if (bearer.kind === 'malformed' || !isWellFormedApiKey(bearer.token)) return caller(noted({ status: 'invalid' }));
      return caller(keyCheck.verify(sha256Hex(bearer.token), deadline).then(noted));
    },
    anonymousPolicy: (name) => till.allowanceState(name, undefined, undefined).policy,
  };
};
