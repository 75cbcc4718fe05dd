import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import {
  type AllowanceName,
  type Allowances,
  buildAllowances,
  parseAllowance,
} from '../../../shared/contract/allowances.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import type { AccessControl, Caller, Credentials } from '../../../shared/ports/access-control.ts';
import type { ApiKeyRecord } from '../../../shared/ports/key-stores.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import { createTestAccessControl, keyRecord, newApiKey } from '../../support/access-control.ts';
import { recordingStore, START, testClock } from '../../support/limiter.ts';

const ADA = '198.51.100.7';
const BOB = '2001:db8:1:2::9';

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
  /** What is read. */
  readonly subject?: string;
  readonly hasFailed?: boolean;
}

interface Visited {
  readonly status: string;
  /** `served`, or the code of the problem. */
  readonly outcome: string;
  readonly retryAfter: number | undefined;
  readonly detail: string | undefined;
  /** What the answer says of the allowance. */
  readonly policy: string;
  readonly limit: string | undefined;
}

/** One request from its beginning to its end, as the door makes it. */
const visit = async (
  access: AccessControl,
  { authorization, address = ADA, name = 'search', subject = 'tide', hasFailed }: Visit = {},
): Promise<Visited> => {
  const caller = access.identify({ authorization, address });
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
  const lines: LogFields[] = [];
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
  const log = (fields: LogFields): void => void lines.push(fields);
  const another = (): AccessControl =>
    createTestAccessControl({ clock: clock.now, keys: { read }, counters: store, allowances, log });
  const access = another();
  const ask = (options?: Visit): Promise<Visited> => visit(access, options);
  return {
    access,
    another,
    clock,
    store,
    lines,
    reads,
    faults,
    ask,
    outcomes: async (times: number, options?: Visit): Promise<readonly string[]> => {
      const seen: string[] = [];
      for (let index = 0; index < times; index += 1) seen.push((await ask(options)).outcome);
      return seen;
    },
    /** @returns what to present; the record may be changed later */
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
    /** Who was charged, and how much of it was not given back. */
    spent: (): Readonly<Record<string, number>> => {
      const sums = new Map<string, number>();
      for (const { verb, counter, units, isAdmitted } of store.asked) {
        const change = verb === 'refund' ? -units : isAdmitted ? units : 0;
        sums.set(counter.partition, (sums.get(counter.partition) ?? 0) + change);
      }
      return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0));
    },
  };
};

const served = (times: number): readonly string[] => Array.from({ length: times }, () => 'served');

const { cases } = JSON.parse(readFileSync(new URL('../../fixtures/vectors/bearer.json', import.meta.url), 'utf8')) as {
  cases: readonly { readonly value: string | null; readonly expect: string }[];
};

describe('what a caller presents', () => {
  test.each(cases)(
    '[decision 6 #39] $value: no key is none of ours, and nothing is read or spent for it',
    async (given) => {
      const { ask, reads, spent } = bench();
      const { status, outcome } = await ask({ authorization: given.value ?? undefined });
      const isAnonymous = given.expect === 'anonymous';
      expect([status, outcome]).toEqual(isAnonymous ? ['anonymous', 'served'] : ['invalid', 'invalid_key']);
      expect(reads).toEqual([]);
      expect(Object.keys(spent())).toHaveLength(isAnonymous ? 1 : 0);
    },
  );

  test('[decision 6 #39] a mistyped key is told from a key without a read, at once', () => {
    const { access, reads, issue } = bench();
    const { authorization } = issue();
    const wrong = `${authorization.slice(0, -1)}${authorization.endsWith('0') ? '1' : '0'}`;
    for (const value of [wrong, `${authorization}, ${authorization}`, `${authorization} `.repeat(2)]) {
      expect(access.identify({ authorization: value, address: ADA }).status).toBe('invalid');
    }
    expect(reads).toEqual([]);
  });

  test('[decision 6 #39] whatever it is, only what could be a key is looked up', async () => {
    const { access, reads } = bench();
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((text) => `Bearer ${text}`),
    );
    await fc.assert(
      fc.asyncProperty(value, async (authorization) => {
        expect(['anonymous', 'invalid']).toContain(access.identify({ authorization, address: ADA }).status);
      }),
    );
    expect(reads).toEqual([]);
  });

  test.each(['Bearer ', 'bearer ', 'BEARER ', 'bEaReR    '])(
    '[spec 5.5 #36] a key is good after %j',
    async (scheme) => {
      const { ask, issue } = bench();
      const { authorization } = issue();
      const presented = authorization.replace('Bearer ', scheme);
      expect(await ask({ authorization: presented })).toMatchObject({ status: 'valid', outcome: 'served' });
    },
  );

  test('[spec 5.5 #37] a key that was never made, or is disabled, is refused', async () => {
    const { ask, issue, spent } = bench();
    const { authorization } = issue({ state: 'disabled' });
    for (const value of [`Bearer ${newApiKey()}`, authorization]) {
      expect(await ask({ authorization: value })).toMatchObject({ status: 'invalid', outcome: 'invalid_key' });
    }
    expect(spent()).toEqual({});
  });

  test('[spec 5.5 #35] nothing at all is nobody, and asks for no promise', () => {
    const { access } = bench();
    expect(access.identify({ authorization: undefined, address: ADA }).status).toBe('anonymous');
  });
});

describe('[spec 5.7 #41] what the operator did last', () => {
  test('[key #2] [key #3] holds for the very next request, at every instance', async () => {
    const { access, another, issue } = bench();
    const { authorization, change } = issue();
    const instances = [access, another()];
    const see = async (): Promise<readonly string[]> => {
      const visits = await Promise.all(instances.map((instance) => visit(instance, { authorization })));
      return visits.map(({ status, outcome }) => `${status} ${outcome}`);
    };
    const good = ['valid served', 'valid served'];
    const bad = ['invalid invalid_key', 'invalid invalid_key'];
    expect(await see()).toEqual(good);
    change({ state: 'disabled' });
    expect(await see()).toEqual(bad);
    change({});
    expect(await see()).toEqual(good);
    change(undefined);
    expect(await see()).toEqual(bad);
  });

  test('[key #5] two keys are good while both are there', async () => {
    const { ask, issue } = bench();
    const [old, next] = [issue({ id: 'k1' }), issue({ id: 'k2' })];
    expect(await ask(old)).toMatchObject({ status: 'valid' });
    expect(await ask(next)).toMatchObject({ status: 'valid' });
    old.change(undefined);
    expect(await ask(old)).toMatchObject({ status: 'invalid' });
    expect(await ask(next)).toMatchObject({ status: 'valid' });
  });

  test('each request reads the key once, however good it was', async () => {
    const { outcomes, reads, issue } = bench();
    expect(await outcomes(4, issue())).toEqual(served(4));
    expect(reads).toHaveLength(4);
  });

  test('to an allowance holds at once, and what was charged by the old one is not counted twice', async () => {
    const { ask, outcomes, issue, spent } = bench();
    const key = issue();
    key.change({ search: limit('2/60') });
    expect(await outcomes(3, key)).toEqual([...served(2), 'rate_limited']);
    key.change({ search: limit('4/60') });
    expect(await ask(key)).toMatchObject({ outcome: 'served', policy: '"search";q=4;w=60' });
    expect(spent()).toEqual({ 'search#k:k1': 3 });
    key.change({ search: limit('3/60') });
    expect(await outcomes(2, key)).toEqual(['rate_limited', 'rate_limited']);
    expect(spent()).toEqual({ 'search#k:k1': 3 });
    key.change({});
    expect(await outcomes(3, key)).toEqual([...served(2), 'rate_limited']);
  });

  test('to a smaller allowance refuses nobody who has not spent it', async () => {
    const { outcomes, issue, spent } = bench();
    const key = issue();
    expect(await outcomes(2, key)).toEqual(served(2));
    key.change({ search: limit('3/60') });
    expect(await outcomes(2, key)).toEqual([...served(1), 'rate_limited']);
    expect(spent()).toEqual({ 'search#k:k1': 3 });
  });

  test('to the id of a key is another key’s allowance', async () => {
    const { outcomes, issue, spent } = bench();
    const key = issue({ id: 'k1' });
    expect(await outcomes(2, key)).toEqual(served(2));
    key.change({ id: 'k2' });
    expect(await outcomes(1, key)).toEqual(served(1));
    expect(spent()).toEqual({ 'search#k:k1': 2, 'search#k:k2': 1 });
  });
});

describe('the store is asked', () => {
  /** Calls that begin, and end when the test says so. */
  const slowBench = () => {
    const clock = testClock();
    const counters = createMemoryCounterStore(clock.now);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const slowly = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      await promise;
      return work();
    };
    const access = createTestAccessControl({
      clock: clock.now,
      keys: { read: () => slowly('read', async () => keyRecord()) },
      counters: {
        ...counters,
        charge: (counter, units) => slowly('charge', () => counters.charge(counter, units)),
      },
    });
    /** Lets what is under way come to its end. */
    const proceed = async (): Promise<readonly string[]> => {
      const underWay = begun.splice(0);
      for (const end of ends.splice(0)) end();
      await new Promise((done) => setImmediate(done));
      return underWay;
    };
    const begin = (): Promise<void> =>
      access.identify({ authorization: `Bearer ${KEY}`, address: ADA }).chargeAllowance('search', 'tide');
    return { begin, proceed };
  };
  const KEY = newApiKey();

  test('for a key first, and then for its allowance: nothing is charged for an unknown key', async () => {
    const { begin, proceed } = slowBench();
    for (let times = 0; times < 2; times += 1) {
      const verdict = begin();
      expect(await proceed()).toEqual(['read']);
      expect(await proceed()).toEqual(['charge']);
      expect(await proceed()).toEqual([]);
      await verdict;
    }
  });

  test('for a key once, however many reads a request has; each is charged for itself', async () => {
    const { access, issue, spent, reads } = bench();
    const { authorization } = issue();
    const caller = access.identify({ authorization, address: ADA });
    const callers = [caller, ...Array.from({ length: 6 }, () => caller.forAnotherRead())];
    const verdicts = await Promise.allSettled(callers.map((each) => each.chargeAllowance('search', 'tide')));
    await Promise.all(callers.map((each) => each.settle('answered')));
    expect(verdicts.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(spent()).toEqual({ 'search#k:k1': 5 });
    expect(reads).toHaveLength(1);
  });
});

describe('[spec 5.7 #45] what is refused for its key', () => {
  test('spends nothing of the address', async () => {
    const { ask, outcomes, spent } = bench();
    for (let index = 0; index < 10; index += 1) await ask({ authorization: `Bearer ${newApiKey()}` });
    for (let index = 0; index < 10; index += 1) await ask({ authorization: 'Bearer nonsense' });
    expect(spent()).toEqual({});
    expect(await outcomes(4)).toEqual([...served(3), 'rate_limited']);
  });

  test('spends nothing of the key either, though the instance had seen it when it was good', async () => {
    const { ask, issue, spent } = bench();
    const { authorization, change } = issue();
    await ask({ authorization });
    for (const members of [{ state: 'disabled' } as const, undefined]) {
      change({});
      await ask({ authorization });
      const before = spent();
      change(members);
      expect(await ask({ authorization })).toMatchObject({ outcome: 'invalid_key' });
      expect(spent()).toEqual(before);
    }
  });

  test('stays refused however often it is tried, and the operator hears of it', async () => {
    const { ask, lines } = bench();
    for (let index = 0; index < 25; index += 1) {
      const authorization = index % 2 === 0 ? `Bearer ${newApiKey()}` : 'Bearer nonsense';
      expect(await ask({ authorization, address: BOB })).toMatchObject({ outcome: 'invalid_key' });
    }
    const line = { level: 'warn', event: 'repeated_invalid_key', caller: expect.stringMatching(/^[\w-]{22}$/) };
    expect(lines).toEqual([
      { ...line, rejections: 10 },
      { ...line, rejections: 20 },
    ]);
  });

  test('is counted once, whatever is asked of the caller', async () => {
    const { access, lines } = bench();
    const caller = access.identify({ authorization: `Bearer ${newApiKey()}`, address: ADA });
    for (let index = 0; index < 12; index += 1) {
      await caller.status;
      await caller.chargeAllowance('search', 'tide').catch(() => undefined);
      await caller.settle('answered');
    }
    expect(lines).toEqual([]);
  });
});

describe('allowances', () => {
  test('[spec 8.1 #53] of keys and of addresses are apart: what one has spent is the other’s still', async () => {
    const { outcomes, issue, spent } = bench();
    const key = issue();
    expect(await outcomes(4)).toEqual([...served(3), 'rate_limited']);
    expect(await outcomes(6, key)).toEqual([...served(5), 'rate_limited']);
    expect(await outcomes(3, { address: BOB })).toEqual(served(3));
    expect(Object.keys(spent())).toEqual([
      expect.stringMatching(/^search#a:[\w-]{22}$/),
      'search#k:k1',
      expect.stringMatching(/^search#a:[\w-]{22}$/),
    ]);
  });

  test('[spec 8.1 #53] a key is the same caller from wherever', async () => {
    const { outcomes, issue } = bench();
    const key = issue();
    expect(await outcomes(3, { ...key, address: ADA })).toEqual(served(3));
    expect(await outcomes(3, { ...key, address: BOB })).toEqual([...served(2), 'rate_limited']);
  });

  test('[decision 6 #56] of searches and of profiles are apart', async () => {
    const { outcomes, issue } = bench();
    const key = issue();
    expect(await outcomes(4)).toEqual([...served(3), 'rate_limited']);
    expect(await outcomes(5, { name: 'browse' })).toEqual([...served(4), 'rate_limited']);
    expect(await outcomes(5, { ...key, name: 'browse' })).toEqual([...served(4), 'rate_limited']);
    expect(await outcomes(6, key)).toEqual([...served(5), 'rate_limited']);
  });

  test('a key raises that of searches only', async () => {
    const { outcomes, issue } = bench();
    const key = issue({ search: limit('7/60') });
    expect(await outcomes(8, key)).toEqual([...served(7), 'rate_limited']);
    expect(await outcomes(5, { ...key, name: 'browse' })).toEqual([...served(4), 'rate_limited']);
  });

  test('[spec 8.1 #53] of one customer are one, whatever address of his he uses', async () => {
    const { outcomes, ask } = bench();
    for (const address of [BOB, '[2001:db8:1:2:aaaa::1]:443', '2001:0DB8:0001:0002::']) {
      expect(await ask({ address })).toMatchObject({ outcome: 'served' });
    }
    expect(await outcomes(1, { address: '2001:db8:1:2:ffff:ffff:ffff:ffff' })).toEqual(['rate_limited']);
    expect(await outcomes(1, { address: '2001:db8:1:3::9' })).toEqual(['served']);
  });

  test('[spec 8.1 #53] whoever has no address shares one with all who have none', async () => {
    const { outcomes, access } = bench();
    expect(await outcomes(1, { address: '' })).toEqual(served(1));
    expect(await outcomes(1, { address: 'nonsense' })).toEqual(served(1));
    const nobody = access.identify({ authorization: undefined, address: undefined });
    await expect(nobody.chargeAllowance('search', 'tide')).resolves.toBeUndefined();
    expect(await outcomes(1, { address: '198.51.100.7, 203.0.113.9' })).toEqual(['rate_limited']);
  });

  test('[spec 8.2 #54] however often a request asks for leave, it pays once', async () => {
    const { access, spent } = bench();
    const caller = access.identify({ authorization: undefined, address: ADA });
    await Promise.all(Array.from({ length: 9 }, () => caller.chargeAllowance('search', 'tide')));
    await caller.chargeAllowance('search', 'tide');
    await caller.settle('answered');
    expect(Object.values(spent())).toEqual([1]);
  });

  test('a verdict that nobody waits for is nobody’s unhandled rejection', async () => {
    const { access, outcomes } = bench();
    await outcomes(3);
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    access.identify({ authorization: undefined, address: ADA }).chargeAllowance('search', 'tide');
    await new Promise((done) => setImmediate(done));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  test('[spec 8.2 #50] that is spent says when it is not: waiting exactly so long is enough, a second less is not', async () => {
    const { clock, ask, outcomes } = bench();
    clock.wait(12_345);
    await outcomes(3);
    const { outcome, retryAfter = 0, detail } = await ask();
    expect(outcome).toBe('rate_limited');
    expect(Number.isInteger(retryAfter) && retryAfter >= 1).toBe(true);
    expect(detail).toBe(
      `The search allowance of this caller, 3 in 60 seconds, is spent for another ${retryAfter} seconds.`,
    );
    clock.wait((retryAfter - 1) * 1000);
    expect(await outcomes(1)).toEqual(['rate_limited']);
    clock.wait(1000);
    expect(await outcomes(4)).toEqual([...served(3), 'rate_limited']);
  });

  test('[spec 8.2 #50] names the limit that is spent: the burst limit where it is that one', async () => {
    const { ask, outcomes, issue } = bench();
    const key = issue({ search: limit('9/900,2/60') });
    await outcomes(2, key);
    const { detail, retryAfter, limit: left } = await ask(key);
    expect(detail).toBe(
      `The search allowance of this caller, 2 in 60 seconds, is spent for another ${retryAfter} seconds.`,
    );
    expect(left).toBe(`"search-burst";r=0;t=${retryAfter}`);
  });
});

describe('[decision 6 #51] what an answer says of the allowance', () => {
  test('is what is left after it', async () => {
    const { ask, issue } = bench();
    expect((await ask()).limit).toMatch(/^"search";r=2;t=\d+$/);
    expect((await ask()).limit).toMatch(/^"search";r=1;t=\d+$/);
    expect(await ask(issue({ search: limit('9/900,5/60') }))).toMatchObject({
      policy: '"search";q=9;w=900, "search-burst";q=5;w=60',
      limit: expect.stringMatching(/^"search";r=8;t=\d+, "search-burst";r=4;t=\d+$/),
    });
  });

  test('is nothing left, for as long as Retry-After says', async () => {
    const { ask, outcomes } = bench();
    await outcomes(3);
    const { limit: left, retryAfter } = await ask();
    expect(left).toBe(`"search";r=0;t=${retryAfter}`);
  });

  test('is the policy of who asks', async () => {
    const { access, ask, issue } = bench(small('100/60'));
    const anonymous = '"search";q=3;w=60, "search-pool";q=100;w=60';
    expect(access.anonymousPolicy('search')).toBe(anonymous);
    expect(access.anonymousPolicy('browse')).toBe('"browse";q=4;w=60');
    expect(await ask()).toMatchObject({ policy: anonymous });
    expect(await ask(issue())).toMatchObject({ policy: '"search";q=5;w=60' });
    expect(await ask({ authorization: 'Bearer nonsense' })).toMatchObject({ policy: anonymous, limit: undefined });
  });

  test('[decision 6 #55] is nothing before anything was spent, and after it was given back', async () => {
    const { access } = bench();
    const caller = access.identify({ authorization: undefined, address: ADA });
    expect(caller.allowanceState('search')).toEqual({ policy: '"search";q=3;w=60' });
    await caller.chargeAllowance('search', 'tide');
    expect(caller.allowanceState('search')).toHaveProperty('limit');
    await caller.settle('failed');
    expect(caller.allowanceState('search')).toEqual({ policy: '"search";q=3;w=60' });
  });
});

describe('[spec 8.2 #54] an answer that failed', () => {
  test('costs nothing, with a key or without', async () => {
    const { outcomes, issue, spent } = bench();
    expect(await outcomes(1, { hasFailed: true })).toEqual(served(1));
    expect(await outcomes(1, { ...issue(), hasFailed: true })).toEqual(served(1));
    expect(spent()).toEqual({});
    expect(await outcomes(4)).toEqual([...served(3), 'rate_limited']);
  });

  test('is given back once a minute for what was read', async () => {
    const { outcomes, clock, spent } = bench();
    expect(await outcomes(5, { hasFailed: true })).toEqual([...served(4), 'rate_limited']);
    expect(await outcomes(1, { hasFailed: true, subject: 'ebb', address: BOB })).toEqual(served(1));
    expect(Object.values(spent())).toEqual([3]);
    clock.wait(60_000);
    expect(await outcomes(4, { hasFailed: true })).toEqual(served(4));
  });

  test('is given back for each thing that was read, and to each caller', async () => {
    const { outcomes, issue, spent } = bench();
    const callers = [{ address: ADA }, { address: BOB }, issue({ id: 'k1' }), issue({ id: 'k2' })];
    for (const subject of ['ebb', 'flow']) {
      for (const caller of callers)
        expect(await outcomes(1, { ...caller, subject, hasFailed: true })).toEqual(served(1));
    }
    expect(spent()).toEqual({});
  });

  test('is given back in a window no more often than the allowance has reads', async () => {
    const { ask, clock } = bench();
    const statuses: string[] = [];
    for (let index = 0; index < 8; index += 1) {
      statuses.push((await ask({ subject: `tide ${index}`, hasFailed: true })).outcome);
    }
    expect(statuses).toEqual([...served(6), 'rate_limited', 'rate_limited']);
    clock.wait(60_000);
    expect(await ask({ subject: 'another', hasFailed: true })).toMatchObject({ outcome: 'served' });
  });

  test('is given back once, though it is concluded twice', async () => {
    const { access, store } = bench();
    const caller = access.identify({ authorization: undefined, address: ADA });
    await caller.chargeAllowance('search', 'tide');
    await Promise.all([caller.settle('failed'), caller.settle('failed')]);
    expect(store.verbs()).toEqual(['charge', 'refund']);
  });

  test('before the charge is through is given back as well', async () => {
    const { access, spent } = bench();
    const caller = access.identify({ authorization: undefined, address: ADA });
    void caller.chargeAllowance('search', 'tide');
    await caller.settle('failed');
    expect(spent()).toEqual({});
  });

  test('gives nothing back of a request that was refused, or that spent nothing', async () => {
    const { access, ask, outcomes, store } = bench();
    await outcomes(3);
    await ask({ hasFailed: true });
    await access.identify({ authorization: undefined, address: ADA }).settle('failed');
    expect(store.verbs()).not.toContain('refund');
  });
});

describe('[key #4] the day on which a key was used', () => {
  const conclude = async (
    access: AccessControl,
    authorization: string | undefined,
    hasFailed = false,
  ): Promise<void> => {
    const caller = access.identify({ authorization, address: ADA });
    await caller.status;
    await caller.settle(hasFailed ? 'failed' : 'answered');
  };

  test('is noted once, where nothing was spent', async () => {
    const { access, issue, store, clock } = bench();
    const { authorization } = issue();
    await conclude(access, authorization);
    await conclude(access, authorization, true);
    expect(store.asked.map(({ verb, counter }) => [verb, counter.partition, counter.usedOn])).toEqual([
      ['touch', 'search#k:k1', '2026-11-21'],
    ]);
    clock.wait(86_400_000);
    await conclude(access, authorization);
    expect(store.verbs()).toEqual(['touch', 'touch']);
  });

  test('is noted by what was spent, and not again', async () => {
    const { access, ask, issue, store } = bench();
    const key = issue();
    await ask(key);
    await conclude(access, key.authorization);
    expect(store.verbs()).toEqual(['charge']);
    expect(store.asked[0]?.counter.usedOn).toBe('2026-11-21');
  });

  test('is not noted of keys that are none, nor of callers without', async () => {
    const { access, issue, store, faults } = bench();
    const { authorization } = issue({ state: 'disabled' });
    await conclude(access, authorization);
    await conclude(access, `Bearer ${newApiKey()}`);
    await conclude(access, 'Bearer nonsense');
    await conclude(access, undefined);
    faults.reads = 2;
    await conclude(access, issue().authorization);
    expect(store.asked).toEqual([]);
  });

  test('is noted though the answer was there before the key was read', async () => {
    const { access, issue, store } = bench();
    await access.identify({ ...issue(), address: ADA }).settle('answered');
    expect(store.verbs()).toEqual(['touch']);
  });

  test('is not waited for where the store does not answer, and nobody hears of it', async () => {
    const { access, issue, store } = bench();
    store.fail(new Error('LEAKY'));
    await expect(conclude(access, issue().authorization)).resolves.toBeUndefined();
  });
});

describe('[spec 5.5 #40] while the keys cannot be read', () => {
  test.each(['known', 'disabled', 'unknown'])('a key that is %s is served as its address would be', async (kind) => {
    const { ask, outcomes, issue, spent, faults } = bench();
    const key = issue(kind === 'disabled' ? { state: 'disabled' } : {});
    if (kind === 'unknown') key.change(undefined);
    faults.reads = 1000;
    expect(await ask(key)).toMatchObject({ status: 'unverified', outcome: 'served', policy: '"search";q=3;w=60' });
    expect(await outcomes(3, key)).toEqual([...served(2), 'rate_limited']);
    expect(await outcomes(1)).toEqual(['rate_limited']);
    expect(Object.keys(spent())).toEqual([expect.stringMatching(/^search#a:/)]);
  });

  test('what is no key is refused all the same', async () => {
    const { ask, faults } = bench();
    faults.reads = 1000;
    expect(await ask({ authorization: 'Bearer nonsense' })).toMatchObject({ status: 'invalid' });
  });

  test('one that the instance has seen is not charged', async () => {
    const { ask, issue, spent, faults } = bench();
    const key = issue();
    await ask(key);
    faults.reads = 2;
    expect(await ask(key)).toMatchObject({ status: 'unverified', outcome: 'served' });
    expect(spent()).toEqual({ 'search#k:k1': 1, [Object.keys(spent()).find((name) => name.includes('#a:')) ?? '']: 1 });
  });

  test('the outage ends with the first answer', async () => {
    const { clock, ask, issue, faults } = bench();
    const key = issue();
    faults.reads = 3;
    expect((await ask(key)).status).toBe('unverified');
    expect((await ask(key)).status).toBe('unverified');
    clock.wait(2000);
    expect((await ask(key)).status).toBe('valid');
    expect((await ask(key)).status).toBe('valid');
  });

  test('a caller waits for two attempts, the third for one, and the next ones for none', async () => {
    const { ask, issue, reads, faults } = bench();
    const key = issue();
    faults.reads = 1000;
    const asked: number[] = [];
    for (let caller = 0; caller < 4; caller += 1) {
      const before = reads.length;
      await ask({ ...key, address: `198.51.100.${caller}` });
      asked.push(reads.length - before);
    }
    expect(asked).toEqual([2, 1, 0, 0]);
  });

  test.each([
    [349, 1],
    [350, 0],
  ])(
    'both steps have 350 ms together: after %s ms of reading the charge is tried %s times',
    async (milliseconds, charges) => {
      const { ask, issue, store, faults, clock } = bench();
      const key = issue();
      // The first calls of an instance have a second more.
      await ask(key);
      clock.wait(1000);
      await ask(key);
      const { length } = store.asked;
      faults.milliseconds = milliseconds;
      expect(await ask(key)).toMatchObject({ status: 'valid', outcome: 'served' });
      expect(store.asked).toHaveLength(length + charges);
    },
  );
});

describe('[limiter #6] while nothing can be counted', () => {
  test('each instance admits a quarter, with a key or without, and says nothing of what is left', async () => {
    const { ask, outcomes, issue, store } = bench(
      buildAllowances({ searchAnonymous: limit('10/60'), searchKeyed: limit('60/60'), browse: limit('4/60') }),
    );
    store.fail(new Error('LEAKY'));
    expect(await ask()).toMatchObject({ outcome: 'served', limit: undefined });
    expect(await outcomes(3)).toEqual([...served(2), 'rate_limited']);
    expect(await outcomes(16, issue())).toEqual([...served(15), 'rate_limited']);
    expect(await ask()).toMatchObject({ outcome: 'rate_limited', limit: undefined });
    store.fail(undefined);
  });

  test('the store is asked three times, and then left alone', async () => {
    const { outcomes, store } = bench();
    store.fail(new Error('LEAKY'));
    await outcomes(9);
    expect(store.asked).toHaveLength(3);
  });

  test('and no key can be read either, a request is answered all the same', async () => {
    const { ask, issue, store, faults } = bench();
    store.fail(new Error('LEAKY'));
    faults.reads = 1000;
    expect(await ask(issue())).toMatchObject({ status: 'unverified', outcome: 'served' });
  });

  test('nothing is thrown at the end of a request', async () => {
    const { access, store } = bench();
    const caller = access.identify({ authorization: undefined, address: ADA });
    await caller.chargeAllowance('search', 'tide');
    store.fail(new Error('LEAKY'));
    await expect(caller.settle('failed')).resolves.toBeUndefined();
  });
});

describe('what all callers without a key share', () => {
  const address = (index: number): string => `198.51.100.${index}`;

  test('is spent by all of them, and by nobody with a key', async () => {
    const { ask, outcomes, issue } = bench(small('4/60'));
    for (let index = 0; index < 4; index += 1) expect((await ask({ address: address(index) })).outcome).toBe('served');
    expect(await ask({ address: address(9) })).toMatchObject({ outcome: 'rate_limited' });
    expect(await outcomes(5, issue())).toEqual(served(5));
    expect(await outcomes(4, { name: 'browse' })).toEqual(served(4));
  });

  test('says so when it is spent', async () => {
    const { ask } = bench(small('1/60'));
    await ask({ address: address(1) });
    const { retryAfter, detail, limit: left } = await ask();
    expect(detail).toBe(
      `The search allowance that all callers without a key share, 1 in 60 seconds, is spent for another ${retryAfter} seconds.`,
    );
    expect(left).toBe(`"search-pool";r=0;t=${retryAfter}`);
  });

  test('is not this caller’s to see while there is some', async () => {
    const { ask } = bench(small('4/60'));
    expect((await ask()).limit).toMatch(/^"search";r=2;t=\d+$/);
  });

  test('gives back to the caller what it refuses him', async () => {
    const { ask, outcomes, spent, clock } = bench(small('1/60'));
    await ask({ address: address(1) });
    const before = spent();
    expect(await outcomes(1)).toEqual(['rate_limited']);
    expect(Object.entries(spent()).filter(([name]) => !name.endsWith('#pool'))).toEqual(
      Object.entries(before).filter(([name]) => !name.endsWith('#pool')),
    );
    clock.wait(60_000);
    expect((await ask()).limit).toMatch(/^"search";r=2;t=\d+$/);
  });

  test('that is known to be spent is asked for no more, and nothing is charged', async () => {
    const { ask, outcomes, store } = bench(small('1/60'));
    await outcomes(2);
    const { length } = store.asked;
    expect(await outcomes(5, { address: BOB })).toEqual(Array.from({ length: 5 }, () => 'rate_limited'));
    expect(store.asked).toHaveLength(length);
    expect((await ask()).limit).toMatch(/^"search-pool";r=0/);
  });

  test('is not spent by who has spent his own', async () => {
    const { outcomes, spent } = bench(small('9/60'));
    expect(await outcomes(5)).toEqual([...served(3), 'rate_limited', 'rate_limited']);
    expect(spent()).toMatchObject({ 'search#pool': 3 });
  });

  test('[spec 8.2 #54] is given back what failed', async () => {
    const { outcomes } = bench(small('2/60'));
    expect(await outcomes(1, { address: address(1) })).toEqual(served(1));
    expect(await outcomes(1, { address: address(2), hasFailed: true })).toEqual(served(1));
    expect(await outcomes(2, { address: address(3) })).toEqual([...served(1), 'rate_limited']);
  });

  test('[spec 8.2 #54] may be spent again when the last of it was given back', async () => {
    const { access, outcomes } = bench(small('1/60'));
    const caller: Caller = access.identify({ authorization: undefined, address: ADA });
    await caller.chargeAllowance('search', 'tide');
    expect(await outcomes(1, { address: address(1) })).toEqual(['rate_limited']);
    await caller.settle('failed');
    expect(await outcomes(2, { address: address(1) })).toEqual([...served(1), 'rate_limited']);
  });

  test('[spec 5.5 #40] is shared by who could not be verified', async () => {
    const { ask, issue, faults, spent } = bench(small('9/60'));
    faults.reads = 2;
    expect(await ask(issue())).toMatchObject({ status: 'unverified', outcome: 'served' });
    expect(spent()).toMatchObject({ 'search#pool': 1 });
  });
});

describe('[spec 5.4 #46] nothing that is kept or logged', () => {
  test('holds a key, its hash or an address', async () => {
    const { ask, issue, faults, store, lines } = bench(small('9/60'));
    const good = issue();
    const presented = [good, issue({ state: 'disabled' }), { authorization: `Bearer ${newApiKey()}` }];
    for (let round = 0; round < 12; round += 1) {
      for (const { authorization } of presented) await ask({ authorization, address: BOB, hasFailed: round % 3 === 0 });
      await ask({ address: ADA });
      if (round === 9) faults.reads = 1000;
      if (round === 10)
        store.fail(Object.assign(new Error(`LEAKY ${good.authorization}`), { name: 'ValidationException' }));
    }
    expect(lines.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['repeated_invalid_key', 'store_failed', 'store_misused']),
    );
    const kept = JSON.stringify([lines, store.asked]);
    expect(kept).not.toContain('LEAKY');
    expect(kept).not.toContain('pstn_');
    for (const { authorization } of presented) {
      const key = authorization.slice('Bearer '.length);
      for (const secret of [key, key.slice(5, 20), sha256Hex(key)]) expect(kept).not.toContain(secret);
    }
    for (const address of [ADA, BOB, '2001:db8']) expect(kept).not.toContain(address);
  });

  test('tells who a caller is to whom has not the secret: an address is no plain hash', async () => {
    const counters = recordingStore(createMemoryCounterStore(() => START));
    const partition = async (addressSecret: string): Promise<string | undefined> => {
      await visit(createTestAccessControl({ counters, addressSecret }));
      return counters.asked.at(-1)?.counter.partition;
    };
    const [one, same, other] = [await partition('a'), await partition('a'), await partition('b')];
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });
});
