// Keys and allowances behind one door: who asks, whether that is true, and what it costs.
import { createHmac } from 'node:crypto';
import type { AllowanceName, Allowances } from '../contract/allowances.ts';
import type { KeyStatus } from '../contract/headers.ts';
import { problem } from '../contract/problems.ts';
import type { Access, Admission, Caller, Clock, CounterStore, Deadline, KeyReader, Log, Presented } from '../ports.ts';
import { callerAddress } from './address.ts';
import { parseBearer } from './bearer.ts';
import { hashOf, isKey } from './key.ts';
import { createKeyCheck, type KeyCheck, type Verdict } from './key-check.ts';
import { createLimiter } from './limiter.ts';
import { createRejections, type Rejections } from './rejections.ts';
import { createStoreGuard } from './store-guard.ts';
import { createTill, type EarlyCharge, type Receipt, type Till } from './till.ts';

/** Looking up the key and charging together take no more of a request than this. */
const STEP_MILLISECONDS = 350;
/** What is done once the answer is known takes no more than this. */
const CONCLUSION_MILLISECONDS = 150;

const IDENTITY_CHARACTERS = 22; // 132 bits

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
  readonly clock: Clock;
}

/** Without a promise where nothing has to be asked. */
type Standing = Verdict | { readonly status: 'anonymous' };

const INVALID: Standing = { status: 'invalid' };

const keyOf = (standing: Standing) => (standing.status === 'valid' ? standing.key : undefined);

/** One request of one caller. @param hash of a key that is presented in the right form */
const createCaller = (
  identity: string,
  hash: string | undefined,
  asked: Standing | Promise<Verdict>,
  { keyCheck, till, rejections, clock }: Rooms,
): Caller => {
  const deadline = clock() + STEP_MILLISECONDS;
  const receipt: Receipt = { refunds: [] };
  let known: Standing | undefined;
  let spent: Promise<void> | undefined;

  const know = (standing: Standing): KeyStatus => {
    known = standing;
    if (standing.status === 'invalid') rejections.note(identity);
    return standing.status;
  };

  const charge = async (name: AllowanceName, early: EarlyCharge | undefined): Promise<void> => {
    const standing = await asked;
    if (standing.status === 'valid') return till.chargeKey(name, standing.key, receipt, deadline, early);
    if (standing.status === 'invalid') throw problem('invalid_key');
    return till.chargeAddress(name, identity, receipt, deadline);
  };

  /** What was charged by what an instance remembered, and turned out to be another's or nobody's. */
  const giveBackUnused = async (early: EarlyCharge): Promise<void> => {
    const decision = await early.decision;
    if (decision.admitted && !receipt.refunds.includes(decision.refund)) await decision.refund();
  };

  const pay = async (name: AllowanceName): Promise<void> => {
    const remembered = hash === undefined ? undefined : keyCheck.remembered(hash);
    const early = remembered && till.chargeEarly(name, remembered, deadline);
    try {
      await charge(name, early);
    } finally {
      if (early !== undefined) await giveBackUnused(early);
    }
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

    async conclude(hasFailed) {
      await spent?.catch(() => undefined);
      const key = keyOf(await asked);
      if (hasFailed) await till.giveBack(receipt);
      if (key !== undefined && spent === undefined) await till.noteUse(key, clock() + CONCLUSION_MILLISECONDS);
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
    clock,
  };

  const identityOf = (address: string | undefined): string =>
    createHmac('sha256', addressSecret)
      .update(callerAddress(address))
      .digest('base64url')
      .slice(0, IDENTITY_CHARACTERS);

  return {
    callerOf({ authorization, address }: Presented): Caller {
      const identity = identityOf(address);
      const bearer = parseBearer(authorization);
      if (bearer.kind === 'none') return createCaller(identity, undefined, { status: 'anonymous' }, rooms);
      if (bearer.kind === 'malformed' || !isKey(bearer.token)) return createCaller(identity, undefined, INVALID, rooms);
      const hash = hashOf(bearer.token);
      const deadline: Deadline = clock() + STEP_MILLISECONDS;
      return createCaller(identity, hash, rooms.keyCheck.check(hash, deadline), rooms);
    },
    policyOf: (name) => rooms.till.stateOf(name, undefined, undefined).policy,
  };
};
