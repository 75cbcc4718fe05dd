import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import {
  type AllowanceName,
  type Allowances,
  buildAllowances,
  parseAllowance,
} from '../../../shared/contract/allowances.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import type { AccessControl, Credentials } from '../../../shared/ports/access-control.ts';
import type { ApiKeyRecord } from '../../../shared/ports/stores.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import { createTestAccessControl, keyRecord, newApiKey } from '../../support/access-control.ts';
import { recordingStore, START, testClock } from '../../support/limiter.ts';

const ADA = '198.51.100.7';

const limit = (text: string) => {
  const allowance = parseAllowance(text);
  if (allowance === undefined) throw new Error(`not an allowance: ${text}`);
  return allowance;
};

const small = (pool?: string): Allowances =>
  buildAllowances({
    searchAnonymous: limit('3/60'),
    searchKeyed: limit('5/60'),
    browse: limit('4/60'),
    searchPool: pool === undefined ? undefined : limit(pool),
  });

interface Visit extends Partial<Credentials> {
  readonly name?: AllowanceName;
  /** The post, profile or query. */
  readonly subject?: string;
  readonly hasFailed?: boolean;
}

interface Visited {
  readonly status: string;
  /** `served`, or the code of the problem. */
  readonly outcome: string;
  readonly retryAfter: number | undefined;
  readonly detail: string | undefined;
  /** RateLimit-Policy of the answer. */
  readonly policy: string;
  readonly limit: string | undefined;
}

/** Runs one request from its identification to its settlement, as the pipeline does. */
const visit = async (
  access: AccessControl,
  { authorization, ip = ADA, name = 'search', subject = 'tide', hasFailed }: Visit = {},
): Promise<Visited> => {
  const caller = access.identify({ authorization, ip });
  const thrown: unknown = await caller.chargeAllowance(name, subject).catch((error: unknown) => error);
  if (thrown !== undefined && !(thrown instanceof Problem)) throw thrown;
  const { policy, limit: left } = caller.allowanceState(name);
  const status = await caller.status;
  await caller.settle(hasFailed ? 'failed' : 'answered');
  const { retryAfter, detail } = thrown?.options ?? {};
  return { status, outcome: thrown?.code ?? 'served', retryAfter, detail, policy, limit: left };
};

const bench = (allowances = small()) => {
  const clock = testClock();
  const store = recordingStore(createMemoryCounterStore(clock.now));
  const records = new Map<string, ApiKeyRecord>();
  const reads: string[] = [];
  const faults = { reads: 0, milliseconds: 0 };
  const read = async (hash: string): Promise<ApiKeyRecord | undefined> => {
    reads.push(hash);
    await undefined;
    clock.wait(faults.milliseconds);
    faults.reads -= 1;
    if (faults.reads >= 0) throw new Error('LEAKY');
    return records.get(hash);
  };
  const access = createTestAccessControl({ clock: clock.now, keys: { read }, counters: store, allowances });
  const ask = (options?: Visit): Promise<Visited> => visit(access, options);
  return {
    access,
    clock,
    store,
    reads,
    faults,
    ask,
    outcomes: async (times: number, options?: Visit): Promise<readonly string[]> => {
      const seen: string[] = [];
      for (let index = 0; index < times; index += 1) seen.push((await ask(options)).outcome);
      return seen;
    },
    /** @returns the credentials of a new key; `change` changes its record later */
    issue: (
      members?: Partial<ApiKeyRecord>,
    ): { readonly authorization: string; change(members?: Partial<ApiKeyRecord>): void } => {
      const key = newApiKey();
      const change = (changed?: Partial<ApiKeyRecord>): void => {
        if (changed === undefined) records.delete(sha256Hex(key));
        else records.set(sha256Hex(key), keyRecord({ ...members, ...changed }));
      };
      change({});
      return { authorization: `Bearer ${key}`, change };
    },
    /** The units that each partition has spent. */
    spent: (): Readonly<Record<string, number>> => {
      const sums = new Map<string, number>();
      for (const { verb, counter, units, isAdmitted } of store.calls) {
        const change = verb === 'refund' ? -units : isAdmitted ? units : 0;
        sums.set(counter.partition, (sums.get(counter.partition) ?? 0) + change);
      }
      return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0));
    },
  };
};

test('a charge that is denied after the request ended causes no unhandled rejection', async () => {
  const { access, outcomes } = bench();
  await outcomes(3);
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  access.identify({ authorization: undefined, ip: ADA }).chargeAllowance('search', 'tide');
  await new Promise((done) => setImmediate(done));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

describe('[allowances 5] a failed request', () => {
  test('a request that is settled twice is refunded once', async () => {
    const { access, store } = bench();
    const caller = access.identify({ authorization: undefined, ip: ADA });
    await caller.chargeAllowance('search', 'tide');
    await Promise.all([caller.settle('failed'), caller.settle('failed')]);
    expect(store.verbs()).toEqual(['charge', 'refund']);
  });

  test('a request that is settled before its charge is decided is refunded', async () => {
    const { access, spent } = bench();
    const caller = access.identify({ authorization: undefined, ip: ADA });
    void caller.chargeAllowance('search', 'tide');
    await caller.settle('failed');
    expect(spent()).toEqual({});
  });
});

describe('[keys 6] access control while the key store does not answer', () => {
  test('the first caller waits for two attempts, the second for one, and the next for none', async () => {
    const { ask, issue, reads, faults } = bench();
    const key = issue();
    faults.reads = 1000;
    const readCounts: number[] = [];
    for (let caller = 0; caller < 4; caller += 1) {
      const before = reads.length;
      await ask({ ...key, ip: `198.51.100.${caller}` });
      readCounts.push(reads.length - before);
    }
    expect(readCounts).toEqual([2, 1, 0, 0]);
  });

  test.each([
    [349, 1],
    [350, 0],
  ])('both steps share 350 ms: after %s ms of reading the charge is tried %s times', async (milliseconds, charges) => {
    const { ask, issue, store, faults, clock } = bench();
    const key = issue();
    // The first calls of an instance have 1 s more, while connections are set up.
    await ask(key);
    clock.wait(1000);
    await ask(key);
    const { length } = store.calls;
    faults.milliseconds = milliseconds;
    expect(await ask(key)).toMatchObject({ status: 'valid', outcome: 'served' });
    expect(store.calls).toHaveLength(length + charges);
  });
});

test('[limiter 6] access control sends every charge after its process was busy, and counts none in memory', async () => {
  const clock = testClock();
  const counters = recordingStore(createMemoryCounterStore(clock.now));
  const access = createTestAccessControl({ clock: clock.now, waitingClock: () => START, counters });
  const callers = Array.from({ length: 40 }, (_, index) =>
    access.identify({ authorization: undefined, ip: `198.51.100.${index}` }),
  );
  clock.wait(5000);
  await Promise.all(callers.map((caller) => caller.chargeAllowance('search', 'tide')));
  expect(new Set(callers.map((caller) => caller.chargeResult()?.decision))).toEqual(new Set(['admitted']));
  expect(counters.calls).toHaveLength(40);
});
