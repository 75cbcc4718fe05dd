// Keys and allowances behind one door: who asks, whether that is true, and what it costs.
import type { AllowanceName, Allowances } from '../contract/allowances.ts';
import type { KeyStatus } from '../contract/headers.ts';
import { problem } from '../contract/problems.ts';
import type { Access, Admission, Caller, Clock, CounterStore, Deadline, KeyReader, Log, Presented } from '../ports.ts';
import { identification } from './address.ts';
import { parseBearer } from './bearer.ts';
import { hashOf, isKey } from './key.ts';
import { createKeyCheck, type KeyCheck, type Verdict } from './key-check.ts';
import { createLimiter } from './limiter.ts';
import { createRejections, type Rejections } from './rejections.ts';
import { createStoreGuard, STEP_MILLISECONDS } from './store-guard.ts';
import { createTill, type EarlyCharge, type Receipt, type Till } from './till.ts';

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

interface Rooms {
  readonly keyCheck: KeyCheck;
  readonly till: Till;
  readonly rejections: Rejections;
}

/** Without a promise where nothing has to be asked. */
type Standing = Verdict | { readonly status: 'anonymous' };

const keyOf = (standing: Standing) => (standing.status === 'valid' ? standing.key : undefined);

interface Visit {
  readonly identity: string;
  /** Of a key that is presented in the right form. */
  readonly hash?: string;
  readonly asked: Standing | Promise<Verdict>;
  readonly deadline: Deadline;
}

/** One request of one caller. */
const createCaller = ({ identity, hash, asked, deadline }: Visit, { keyCheck, till, rejections }: Rooms): Caller => {
  const receipt: Receipt = { refunds: [] };
  let known: Standing | undefined;
  let spent: Promise<void> | undefined;

  const know = (standing: Standing): KeyStatus => {
    known = standing;
    if (standing.status === 'invalid') rejections.note(identity);
    return standing.status;
  };

  /** What was charged by what an instance remembered, and turned out to be another's or nobody's. */
  const giveBack = async ({ decision }: EarlyCharge): Promise<void> => {
    const made = await decision;
    if (made.admitted) await made.refund();
  };

  const pay = async (name: AllowanceName): Promise<void> => {
    const remembered = hash === undefined ? undefined : keyCheck.remembered(hash);
    const early = remembered && till.chargeEarly(name, remembered, deadline);
    const standing = await asked;
    const key = keyOf(standing);
    const isRight = early !== undefined && key !== undefined && till.isRight(name, key, early);
    // Before anything else is charged: it may be the same counter.
    if (early !== undefined && !isRight) await giveBack(early);
    if (standing.status === 'invalid') throw problem('invalid_key');
    if (key === undefined) return till.chargeAddress(name, identity, receipt, deadline);
    return till.chargeKey(name, key, receipt, deadline, isRight ? early : undefined);
  };

  const status = 'then' in asked ? asked.then(know) : know(asked);
  return {
    status,

    spend(name): Admission {
      const isLikely = known?.status === 'anonymous' && till.isLikely(name, identity);
      spent ??= pay(name);
      spent.catch(() => undefined); // whoever waits for the verdict hears of it
      return { verdict: spent, isLikely };
    },

    stateOf: (name) => till.stateOf(name, known && keyOf(known), receipt),

    async conclude(isFree) {
      await spent?.catch(() => undefined);
      const key = keyOf(await asked);
      if (isFree) await till.giveBack(receipt);
      if (key !== undefined && spent === undefined) await till.noteUse(key);
    },
  };
};

export const createAccess = (options: AccessOptions): Access => {
  const { keys, counters, allowances, addressSecret, clock, log } = options;
  const limiter = createLimiter({ store: counters, guard: createStoreGuard('counters', options), clock });
  const rooms: Rooms = {
    keyCheck: createKeyCheck(keys, createStoreGuard('keys', options)),
    till: createTill(allowances, limiter, clock),
    rejections: createRejections(clock, log),
  };

  const identify = identification(addressSecret);

  return {
    callerOf({ authorization, address }: Presented): Caller {
      const deadline: Deadline = clock() + STEP_MILLISECONDS;
      const caller = (asked: Visit['asked'], hash?: string): Caller =>
        createCaller({ identity: identify(address), asked, deadline, ...(hash !== undefined && { hash }) }, rooms);
      const bearer = parseBearer(authorization);
      if (bearer.kind === 'none') return caller({ status: 'anonymous' });
      if (bearer.kind === 'malformed' || !isKey(bearer.token)) return caller({ status: 'invalid' });
      const hash = hashOf(bearer.token);
      return caller(rooms.keyCheck.check(hash, deadline), hash);
    },
    policyOf: (name) => rooms.till.stateOf(name, undefined, undefined).policy,
  };
};
