// Keys and allowances behind one door: who asks, whether that is true, and what it costs.
import type { AllowanceName, Allowances } from '../contract/allowances.ts';
import type { KeyStatus } from '../contract/headers.ts';
import { problem } from '../contract/problems.ts';
import type { Access, Admission, Caller, Clock, CounterStore, Deadline, KeyReader, Log, Presented } from '../ports.ts';
import { identification } from './address.ts';
import { parseBearer } from './bearer.ts';
import { hashOf, isKey } from './key.ts';
import { createKeyCheck, type Verdict } from './key-check.ts';
import { createLimiter } from './limiter.ts';
import { createRejections } from './rejections.ts';
import { createStoreConnection } from './store-connection.ts';
import { createStoreGuard, STEP_MILLISECONDS } from './store-guard.ts';
import { createTill, type Receipt, type Till } from './till.ts';

export interface AccessOptions {
  readonly keys: KeyReader;
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
type Standing = Verdict | { readonly status: 'anonymous' };

const keyOf = (standing: Standing) => (standing.status === 'valid' ? standing.key : undefined);

interface Visit {
  readonly identity: string;
  readonly standing: Standing | Promise<Standing>;
  readonly deadline: Deadline;
}

interface Spending {
  readonly name: AllowanceName;
  readonly subject: string;
  readonly charged: Promise<void>;
}

/** One read of one caller. */
const createCaller = (visit: Visit, till: Till): Caller => {
  const { identity, standing, deadline } = visit;
  const receipt: Receipt = { refunds: [] };
  let known: Standing | undefined;
  let spending: Spending | undefined;

  const know = (found: Standing): KeyStatus => {
    known = found;
    return found.status;
  };

  const pay = async (name: AllowanceName): Promise<void> => {
    const found = await standing;
    if (found.status === 'invalid') throw problem('invalid_key');
    const key = keyOf(found);
    if (key === undefined) return till.chargeAddress(name, identity, receipt, deadline);
    return till.chargeKey(name, key, receipt, deadline);
  };

  const status = 'then' in standing ? standing.then(know) : know(standing);
  return {
    identity,
    status,

    spend(name, subject): Admission {
      const isLikely = known?.status === 'anonymous' && till.isLikely(name, identity);
      spending ??= { name, subject, charged: pay(name) };
      spending.charged.catch(() => undefined); // a caller who waits for the verdict hears of it
      return { verdict: spending.charged, isLikely };
    },

    stateOf: (name) => till.stateOf(name, known && keyOf(known), receipt),

    async conclude(outcome) {
      await spending?.charged.catch(() => undefined);
      const key = keyOf(await standing);
      if (outcome !== 'answered' && spending !== undefined) {
        const subject = outcome === 'failed' ? spending.subject : undefined;
        await till.giveBack({ name: spending.name, subject }, key, identity, receipt);
      }
      if (key !== undefined && spending === undefined) await till.noteUse(key);
    },

    another: () => createCaller(visit, till),
  };
};

export const createAccess = (options: AccessOptions): Access => {
  const { keys, counters, allowances, addressSecret, clock, log } = options;
  const connection = createStoreConnection(clock);
  const guardOf = (store: string) => createStoreGuard(store, { ...options, connection });
  const limiter = createLimiter({ store: counters, guard: guardOf('counters'), clock });
  const keyCheck = createKeyCheck(keys, guardOf('keys'));
  const rejections = createRejections(clock, log);
  const till = createTill(allowances, limiter, clock);

  const identify = identification(addressSecret);

  return {
    callerOf({ authorization, address }: Presented): Caller {
      const deadline: Deadline = clock() + STEP_MILLISECONDS + connection.setupMilliseconds();
      const identity = identify(address);
      const noted = (verdict: Verdict): Verdict => {
        if (verdict.status === 'invalid') rejections.note(identity);
        return verdict;
      };
      const caller = (standing: Visit['standing']): Caller => createCaller({ identity, standing, deadline }, till);
      const bearer = parseBearer(authorization);
      if (bearer.kind === 'none') return caller({ status: 'anonymous' });
      if (bearer.kind === 'malformed' || !isKey(bearer.token)) return caller(noted({ status: 'invalid' }));
      return caller(keyCheck.check(hashOf(bearer.token), deadline).then(noted));
    },
    policyOf: (name) => till.stateOf(name, undefined, undefined).policy,
  };
};
