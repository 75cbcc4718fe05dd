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

const served = (times: number): readonly string[] => Array.from({ length: times }, () => 'served');

const { cases } = JSON.parse(readFileSync(new URL('../../fixtures/vectors/bearer.json', import.meta.url), 'utf8')) as {
  cases: readonly { readonly value: string | null; readonly expect: string }[];
};

describe('the credentials of a request', () => {
  test.each(cases)(
    '[keys 5] $value: a value that is not a well-formed key reads no store and charges nothing',
    async (vector) => {
      const { ask, reads, spent } = bench();
      const { status, outcome } = await ask({ authorization: vector.value ?? undefined });
      const isAnonymous = vector.expect === 'anonymous';
      expect([status, outcome]).toEqual(isAnonymous ? ['anonymous', 'served'] : ['invalid', 'invalid_key']);
      expect(reads).toEqual([]);
      expect(Object.keys(spent())).toHaveLength(isAnonymous ? 1 : 0);
    },
  );

  test('[keys 5] a mistyped key is rejected at once, without a store read', () => {
    const { access, reads, issue } = bench();
    const { authorization } = issue();
    const wrong = `${authorization.slice(0, -1)}${authorization.endsWith('0') ? '1' : '0'}`;
    for (const value of [wrong, `${authorization}, ${authorization}`, `${authorization} `.repeat(2)]) {
      expect(access.identify({ authorization: value, address: ADA }).status).toBe('invalid');
    }
    expect(reads).toEqual([]);
  });

  test('[keys 5] only a well-formed key is looked up, whatever the field is', async () => {
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

  test.each(['Bearer ', 'bearer ', 'BEARER ', 'bEaReR    '])('[keys 2] a key is valid after %j', async (scheme) => {
    const { ask, issue } = bench();
    const { authorization } = issue();
    const presented = authorization.replace('Bearer ', scheme);
    expect(await ask({ authorization: presented })).toMatchObject({ status: 'valid', outcome: 'served' });
  });

  test('[keys 3] an unknown or disabled key is invalid', async () => {
    const { ask, issue, spent } = bench();
    const { authorization } = issue({ state: 'disabled' });
    for (const value of [`Bearer ${newApiKey()}`, authorization]) {
      expect(await ask({ authorization: value })).toMatchObject({ status: 'invalid', outcome: 'invalid_key' });
    }
    expect(spent()).toEqual({});
  });

  test('[keys 1] a request without credentials is anonymous at once, without a promise', () => {
    const { access } = bench();
    expect(access.identify({ authorization: undefined, address: ADA }).status).toBe('anonymous');
  });
});

describe('[keys 7] a change by the operator', () => {
  test('[keys 17] [keys 18] a change of a key holds for the next request on every instance', async () => {
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

  test('[keys 20] two keys are valid while both exist', async () => {
    const { ask, issue } = bench();
    const [old, next] = [issue({ id: 'k1' }), issue({ id: 'k2' })];
    expect(await ask(old)).toMatchObject({ status: 'valid' });
    expect(await ask(next)).toMatchObject({ status: 'valid' });
    old.change(undefined);
    expect(await ask(old)).toMatchObject({ status: 'invalid' });
    expect(await ask(next)).toMatchObject({ status: 'valid' });
  });

  test('each request reads the key once, even if the key was valid before', async () => {
    const { outcomes, reads, issue } = bench();
    expect(await outcomes(4, issue())).toEqual(served(4));
    expect(reads).toHaveLength(4);
  });

  test('a changed allowance holds at once and keeps the units that were charged before', async () => {
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

  test('a smaller allowance admits callers who have not spent it', async () => {
    const { outcomes, issue, spent } = bench();
    const key = issue();
    expect(await outcomes(2, key)).toEqual(served(2));
    key.change({ search: limit('3/60') });
    expect(await outcomes(2, key)).toEqual([...served(1), 'rate_limited']);
    expect(spent()).toEqual({ 'search#k:k1': 3 });
  });

  test('a changed key id is charged to the new id', async () => {
    const { outcomes, issue, spent } = bench();
    const key = issue({ id: 'k1' });
    expect(await outcomes(2, key)).toEqual(served(2));
    key.change({ id: 'k2' });
    expect(await outcomes(1, key)).toEqual(served(1));
    expect(spent()).toEqual({ 'search#k:k1': 2, 'search#k:k2': 1 });
  });
});

describe('the order of store calls', () => {
  /** A store whose calls the test ends. */
  const slowBench = () => {
    const clock = testClock();
    const counters = createMemoryCounterStore(clock.now);
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const slowly = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      started.push(name);
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
    /** Lets all pending calls end. */
    const proceed = async (): Promise<readonly string[]> => {
      const pending = started.splice(0);
      for (const end of ends.splice(0)) end();
      await new Promise((done) => setImmediate(done));
      return pending;
    };
    const begin = (): Promise<void> =>
      access.identify({ authorization: `Bearer ${KEY}`, address: ADA }).chargeAllowance('search', 'tide');
    return { begin, proceed };
  };
  const KEY = newApiKey();

  test('the key is read before the charge, and an unknown key is not charged', async () => {
    const { begin, proceed } = slowBench();
    for (let times = 0; times < 2; times += 1) {
      const verdict = begin();
      expect(await proceed()).toEqual(['read']);
      expect(await proceed()).toEqual(['charge']);
      expect(await proceed()).toEqual([]);
      await verdict;
    }
  });

  test('the key is read once for all use cases of a request, and each use case is charged', async () => {
    const { access, issue, spent, reads } = bench();
    const { authorization } = issue();
    const caller = access.identify({ authorization, address: ADA });
    const callers = [caller, ...Array.from({ length: 6 }, () => caller.forAnotherRead())];
    const verdicts = await Promise.allSettled(callers.map((caller) => caller.chargeAllowance('search', 'tide')));
    await Promise.all(callers.map((caller) => caller.settle('answered')));
    expect(verdicts.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(spent()).toEqual({ 'search#k:k1': 5 });
    expect(reads).toHaveLength(1);
  });
});

describe('[keys 11] a request with an invalid key', () => {
  test('an invalid key spends no units of the client network', async () => {
    const { ask, outcomes, spent } = bench();
    for (let index = 0; index < 10; index += 1) await ask({ authorization: `Bearer ${newApiKey()}` });
    for (let index = 0; index < 10; index += 1) await ask({ authorization: 'Bearer nonsense' });
    expect(spent()).toEqual({});
    expect(await outcomes(4)).toEqual([...served(3), 'rate_limited']);
  });

  test('a disabled key spends no units, even if the instance has seen it enabled', async () => {
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

  test('an invalid key stays rejected, and the operator gets a warning', async () => {
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

  test('an invalid key is counted once per request', async () => {
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

describe('separate allowances', () => {
  test('[allowances 4] keys and client networks spend separate allowances', async () => {
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

  test('[allowances 4] a key spends one allowance from every client network', async () => {
    const { outcomes, issue } = bench();
    const key = issue();
    expect(await outcomes(3, { ...key, address: ADA })).toEqual(served(3));
    expect(await outcomes(3, { ...key, address: BOB })).toEqual([...served(2), 'rate_limited']);
  });

  test('[allowances 7] searches and profiles spend separate allowances', async () => {
    const { outcomes, issue } = bench();
    const key = issue();
    expect(await outcomes(4)).toEqual([...served(3), 'rate_limited']);
    expect(await outcomes(5, { name: 'browse' })).toEqual([...served(4), 'rate_limited']);
    expect(await outcomes(5, { ...key, name: 'browse' })).toEqual([...served(4), 'rate_limited']);
    expect(await outcomes(6, key)).toEqual([...served(5), 'rate_limited']);
  });

  test('a key raises only the search allowance', async () => {
    const { outcomes, issue } = bench();
    const key = issue({ search: limit('7/60') });
    expect(await outcomes(8, key)).toEqual([...served(7), 'rate_limited']);
    expect(await outcomes(5, { ...key, name: 'browse' })).toEqual([...served(4), 'rate_limited']);
  });

  test('[allowances 4] all addresses of one /64 spend one allowance', async () => {
    const { outcomes, ask } = bench();
    for (const address of [BOB, '[2001:db8:1:2:aaaa::1]:443', '2001:0DB8:0001:0002::']) {
      expect(await ask({ address })).toMatchObject({ outcome: 'served' });
    }
    expect(await outcomes(1, { address: '2001:db8:1:2:ffff:ffff:ffff:ffff' })).toEqual(['rate_limited']);
    expect(await outcomes(1, { address: '2001:db8:1:3::9' })).toEqual(['served']);
  });

  test('[allowances 4] callers without a readable address share one allowance', async () => {
    const { outcomes, access } = bench();
    expect(await outcomes(1, { address: '' })).toEqual(served(1));
    expect(await outcomes(1, { address: 'nonsense' })).toEqual(served(1));
    const anonymous = access.identify({ authorization: undefined, address: undefined });
    await expect(anonymous.chargeAllowance('search', 'tide')).resolves.toBeUndefined();
    expect(await outcomes(1, { address: '198.51.100.7, 203.0.113.9' })).toEqual(['rate_limited']);
  });

  test('[allowances 5] repeated calls of chargeAllowance charge a request once', async () => {
    const { access, spent } = bench();
    const caller = access.identify({ authorization: undefined, address: ADA });
    await Promise.all(Array.from({ length: 9 }, () => caller.chargeAllowance('search', 'tide')));
    await caller.chargeAllowance('search', 'tide');
    await caller.settle('answered');
    expect(Object.values(spent())).toEqual([1]);
  });

  test('a charge that is denied after the request ended causes no unhandled rejection', async () => {
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

  test('[allowances 1] a denied charge names a wait that is enough, and one second less is not', async () => {
    const { clock, ask, outcomes } = bench();
    clock.wait(12_345);
    await outcomes(3);
    const { outcome, retryAfter = 0, detail } = await ask();
    expect(outcome).toBe('rate_limited');
    expect(Number.isInteger(retryAfter) && retryAfter >= 1).toBe(true);
    expect(detail).toBe(`The search allowance is 3 requests per 60 seconds. Retry in ${retryAfter} seconds.`);
    clock.wait((retryAfter - 1) * 1000);
    expect(await outcomes(1)).toEqual(['rate_limited']);
    clock.wait(1000);
    expect(await outcomes(4)).toEqual([...served(3), 'rate_limited']);
  });

  test('[allowances 1] the problem names the burst limit when the burst limit denied', async () => {
    const { ask, outcomes, issue } = bench();
    const key = issue({ search: limit('9/900,2/60') });
    await outcomes(2, key);
    const { detail, retryAfter, limit: left } = await ask(key);
    expect(detail).toBe(`The search allowance is 2 requests per 60 seconds. Retry in ${retryAfter} seconds.`);
    expect(left).toBe(`"search-burst";r=0;t=${retryAfter}`);
  });
});

describe('[allowances 2] the rate-limit fields of an answer', () => {
  test('RateLimit shows the units that are left after the charge', async () => {
    const { ask, issue } = bench();
    expect((await ask()).limit).toMatch(/^"search";r=2;t=\d+$/);
    expect((await ask()).limit).toMatch(/^"search";r=1;t=\d+$/);
    expect(await ask(issue({ search: limit('9/900,5/60') }))).toMatchObject({
      policy: '"search";q=9;w=900, "search-burst";q=5;w=60',
      limit: expect.stringMatching(/^"search";r=8;t=\d+, "search-burst";r=4;t=\d+$/),
    });
  });

  test('RateLimit shows 0 units for as long as Retry-After says', async () => {
    const { ask, outcomes } = bench();
    await outcomes(3);
    const { limit: left, retryAfter } = await ask();
    expect(left).toBe(`"search";r=0;t=${retryAfter}`);
  });

  test('RateLimit-Policy is that of the caller', async () => {
    const { access, ask, issue } = bench(small('100/60'));
    const anonymous = '"search";q=3;w=60, "search-pool";q=100;w=60';
    expect(access.anonymousPolicy('search')).toBe(anonymous);
    expect(access.anonymousPolicy('browse')).toBe('"browse";q=4;w=60');
    expect(await ask()).toMatchObject({ policy: anonymous });
    expect(await ask(issue())).toMatchObject({ policy: '"search";q=5;w=60' });
    expect(await ask({ authorization: 'Bearer nonsense' })).toMatchObject({ policy: anonymous, limit: undefined });
  });

  test('[allowances 6] RateLimit is unset before a charge and after a refund', async () => {
    const { access } = bench();
    const caller = access.identify({ authorization: undefined, address: ADA });
    expect(caller.allowanceState('search')).toEqual({ policy: '"search";q=3;w=60' });
    await caller.chargeAllowance('search', 'tide');
    expect(caller.allowanceState('search')).toHaveProperty('limit');
    await caller.settle('failed');
    expect(caller.allowanceState('search')).toEqual({ policy: '"search";q=3;w=60' });
  });
});

describe('[allowances 5] a failed request', () => {
  test('a failed request costs nothing, with and without a key', async () => {
    const { outcomes, issue, spent } = bench();
    expect(await outcomes(1, { hasFailed: true })).toEqual(served(1));
    expect(await outcomes(1, { ...issue(), hasFailed: true })).toEqual(served(1));
    expect(spent()).toEqual({});
    expect(await outcomes(4)).toEqual([...served(3), 'rate_limited']);
  });

  test('a failed request is refunded once a minute per subject', async () => {
    const { outcomes, clock, spent } = bench();
    expect(await outcomes(5, { hasFailed: true })).toEqual([...served(4), 'rate_limited']);
    expect(await outcomes(1, { hasFailed: true, subject: 'ebb', address: BOB })).toEqual(served(1));
    expect(Object.values(spent())).toEqual([3]);
    clock.wait(60_000);
    expect(await outcomes(4, { hasFailed: true })).toEqual(served(4));
  });

  test('refunds are counted separately for each subject and each caller', async () => {
    const { outcomes, issue, spent } = bench();
    const callers = [{ address: ADA }, { address: BOB }, issue({ id: 'k1' }), issue({ id: 'k2' })];
    for (const subject of ['ebb', 'flow']) {
      for (const caller of callers)
        expect(await outcomes(1, { ...caller, subject, hasFailed: true })).toEqual(served(1));
    }
    expect(spent()).toEqual({});
  });

  test('refunds in a window are at most as many as the allowance has units', async () => {
    const { ask, clock } = bench();
    const statuses: string[] = [];
    for (let index = 0; index < 8; index += 1) {
      statuses.push((await ask({ subject: `tide ${index}`, hasFailed: true })).outcome);
    }
    expect(statuses).toEqual([...served(6), 'rate_limited', 'rate_limited']);
    clock.wait(60_000);
    expect(await ask({ subject: 'another', hasFailed: true })).toMatchObject({ outcome: 'served' });
  });

  test('a request that is settled twice is refunded once', async () => {
    const { access, store } = bench();
    const caller = access.identify({ authorization: undefined, address: ADA });
    await caller.chargeAllowance('search', 'tide');
    await Promise.all([caller.settle('failed'), caller.settle('failed')]);
    expect(store.verbs()).toEqual(['charge', 'refund']);
  });

  test('a request that is settled before its charge is decided is refunded', async () => {
    const { access, spent } = bench();
    const caller = access.identify({ authorization: undefined, address: ADA });
    void caller.chargeAllowance('search', 'tide');
    await caller.settle('failed');
    expect(spent()).toEqual({});
  });

  test('a denied request and a request without a charge are not refunded', async () => {
    const { access, ask, outcomes, store } = bench();
    await outcomes(3);
    await ask({ hasFailed: true });
    await access.identify({ authorization: undefined, address: ADA }).settle('failed');
    expect(store.verbs()).not.toContain('refund');
  });
});

describe('[keys 19] the day of use of a key', () => {
  const conclude = async (
    access: AccessControl,
    authorization: string | undefined,
    hasFailed = false,
  ): Promise<void> => {
    const caller = access.identify({ authorization, address: ADA });
    await caller.status;
    await caller.settle(hasFailed ? 'failed' : 'answered');
  };

  test('a use without a charge is recorded once a day', async () => {
    const { access, issue, store, clock } = bench();
    const { authorization } = issue();
    await conclude(access, authorization);
    await conclude(access, authorization, true);
    expect(store.calls.map(({ verb, counter }) => [verb, counter.partition, counter.usedOn])).toEqual([
      ['touch', 'search#k:k1', '2026-11-21'],
    ]);
    clock.wait(86_400_000);
    await conclude(access, authorization);
    expect(store.verbs()).toEqual(['touch', 'touch']);
  });

  test('a charge records the day, and a later use does not', async () => {
    const { access, ask, issue, store } = bench();
    const key = issue();
    await ask(key);
    await conclude(access, key.authorization);
    expect(store.verbs()).toEqual(['charge']);
    expect(store.calls[0]?.counter.usedOn).toBe('2026-11-21');
  });

  test('no day is recorded for invalid keys or anonymous callers', async () => {
    const { access, issue, store, faults } = bench();
    const { authorization } = issue({ state: 'disabled' });
    await conclude(access, authorization);
    await conclude(access, `Bearer ${newApiKey()}`);
    await conclude(access, 'Bearer nonsense');
    await conclude(access, undefined);
    faults.reads = 2;
    await conclude(access, issue().authorization);
    expect(store.calls).toEqual([]);
  });

  test('the day is recorded even if the request ended before the key was read', async () => {
    const { access, issue, store } = bench();
    await access.identify({ ...issue(), address: ADA }).settle('answered');
    expect(store.verbs()).toEqual(['touch']);
  });

  test('a request does not wait for a store that cannot record the day, and does not fail', async () => {
    const { access, issue, store } = bench();
    store.fail(new Error('LEAKY'));
    await expect(conclude(access, issue().authorization)).resolves.toBeUndefined();
  });
});

describe('[keys 6] access control while the key store does not answer', () => {
  test.each(['known', 'disabled', 'unknown'])(
    'a key that is %s is unverified and charged to its client network',
    async (kind) => {
      const { ask, outcomes, issue, spent, faults } = bench();
      const key = issue(kind === 'disabled' ? { state: 'disabled' } : {});
      if (kind === 'unknown') key.change(undefined);
      faults.reads = 1000;
      expect(await ask(key)).toMatchObject({ status: 'unverified', outcome: 'served', policy: '"search";q=3;w=60' });
      expect(await outcomes(3, key)).toEqual([...served(2), 'rate_limited']);
      expect(await outcomes(1)).toEqual(['rate_limited']);
      expect(Object.keys(spent())).toEqual([expect.stringMatching(/^search#a:/)]);
    },
  );

  test('a malformed key is still invalid', async () => {
    const { ask, faults } = bench();
    faults.reads = 1000;
    expect(await ask({ authorization: 'Bearer nonsense' })).toMatchObject({ status: 'invalid' });
  });

  test('a key that was valid before is not charged', async () => {
    const { ask, issue, spent, faults } = bench();
    const key = issue();
    await ask(key);
    faults.reads = 2;
    expect(await ask(key)).toMatchObject({ status: 'unverified', outcome: 'served' });
    expect(spent()).toEqual({ 'search#k:k1': 1, [Object.keys(spent()).find((name) => name.includes('#a:')) ?? '']: 1 });
  });

  test('keys are verified again after the first answer of the store', async () => {
    const { clock, ask, issue, faults } = bench();
    const key = issue();
    faults.reads = 3;
    expect((await ask(key)).status).toBe('unverified');
    expect((await ask(key)).status).toBe('unverified');
    clock.wait(2000);
    expect((await ask(key)).status).toBe('valid');
    expect((await ask(key)).status).toBe('valid');
  });

  test('the first caller waits for two attempts, the second for one, and the next for none', async () => {
    const { ask, issue, reads, faults } = bench();
    const key = issue();
    faults.reads = 1000;
    const readCounts: number[] = [];
    for (let caller = 0; caller < 4; caller += 1) {
      const before = reads.length;
      await ask({ ...key, address: `198.51.100.${caller}` });
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
    access.identify({ authorization: undefined, address: `198.51.100.${index}` }),
  );
  clock.wait(5000);
  await Promise.all(callers.map((caller) => caller.chargeAllowance('search', 'tide')));
  expect(new Set(callers.map((caller) => caller.chargeResult()?.decision))).toEqual(new Set(['admitted']));
  expect(counters.calls).toHaveLength(40);
});

describe('[limiter 6] access control while the counter store does not answer', () => {
  test('each instance admits the limit, with and without a key, and sends no RateLimit', async () => {
    const { ask, outcomes, issue, store } = bench(
      buildAllowances({ searchAnonymous: limit('10/60'), searchKeyed: limit('60/60'), browse: limit('4/60') }),
    );
    store.fail(new Error('LEAKY'));
    expect(await ask()).toMatchObject({ outcome: 'served', limit: undefined });
    expect(await outcomes(10)).toEqual([...served(9), 'rate_limited']);
    expect(await outcomes(61, issue())).toEqual([...served(60), 'rate_limited']);
    expect(await ask()).toMatchObject({ outcome: 'rate_limited', limit: undefined });
    store.fail(undefined);
  });

  test('the counter store is called three times before the breaker opens', async () => {
    const { outcomes, store } = bench();
    store.fail(new Error('LEAKY'));
    await outcomes(9);
    expect(store.calls).toHaveLength(3);
  });

  test('a request is served when the key store does not answer either', async () => {
    const { ask, issue, store, faults } = bench();
    store.fail(new Error('LEAKY'));
    faults.reads = 1000;
    expect(await ask(issue())).toMatchObject({ status: 'unverified', outcome: 'served' });
  });

  test('settle does not reject', async () => {
    const { access, store } = bench();
    const caller = access.identify({ authorization: undefined, address: ADA });
    await caller.chargeAllowance('search', 'tide');
    store.fail(new Error('LEAKY'));
    await expect(caller.settle('failed')).resolves.toBeUndefined();
  });
});

describe('the pool of all callers without a key', () => {
  const address = (index: number): string => `198.51.100.${index}`;

  test('callers without a key spend the pool, callers with a key do not', async () => {
    const { ask, outcomes, issue } = bench(small('4/60'));
    for (let index = 0; index < 4; index += 1) expect((await ask({ address: address(index) })).outcome).toBe('served');
    expect(await ask({ address: address(9) })).toMatchObject({ outcome: 'rate_limited' });
    expect(await outcomes(5, issue())).toEqual(served(5));
    expect(await outcomes(4, { name: 'browse' })).toEqual(served(4));
  });

  test('the problem says that the pool is spent', async () => {
    const { ask } = bench(small('1/60'));
    await ask({ address: address(1) });
    const { retryAfter, detail, limit: left } = await ask();
    expect(detail).toBe(
      `The search allowance that all callers without an API key share is 1 requests per 60 seconds. Retry in ${retryAfter} seconds.`,
    );
    expect(left).toBe(`"search-pool";r=0;t=${retryAfter}`);
  });

  test('RateLimit does not show the pool while units are left', async () => {
    const { ask } = bench(small('4/60'));
    expect((await ask()).limit).toMatch(/^"search";r=2;t=\d+$/);
  });

  test('a denial by the pool refunds the caller', async () => {
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

  test('a pool that is known to be spent is not charged again, and no caller is charged', async () => {
    const { ask, outcomes, store } = bench(small('1/60'));
    await outcomes(2);
    const { length } = store.calls;
    expect(await outcomes(5, { address: BOB })).toEqual(Array.from({ length: 5 }, () => 'rate_limited'));
    expect(store.calls).toHaveLength(length);
    expect((await ask()).limit).toMatch(/^"search-pool";r=0/);
  });

  test('a caller whose own allowance is spent does not spend the pool', async () => {
    const { outcomes, spent } = bench(small('9/60'));
    expect(await outcomes(5)).toEqual([...served(3), 'rate_limited', 'rate_limited']);
    expect(spent()).toMatchObject({ 'search#pool': 3 });
  });

  test('[allowances 5] a failed request refunds the pool', async () => {
    const { outcomes } = bench(small('2/60'));
    expect(await outcomes(1, { address: address(1) })).toEqual(served(1));
    expect(await outcomes(1, { address: address(2), hasFailed: true })).toEqual(served(1));
    expect(await outcomes(2, { address: address(3) })).toEqual([...served(1), 'rate_limited']);
  });

  test('[allowances 5] the last unit of the pool can be spent again after its refund', async () => {
    const { access, outcomes } = bench(small('1/60'));
    const caller: Caller = access.identify({ authorization: undefined, address: ADA });
    await caller.chargeAllowance('search', 'tide');
    expect(await outcomes(1, { address: address(1) })).toEqual(['rate_limited']);
    await caller.settle('failed');
    expect(await outcomes(2, { address: address(1) })).toEqual([...served(1), 'rate_limited']);
  });

  test('[keys 6] callers with an unverified key spend the pool', async () => {
    const { ask, issue, faults, spent } = bench(small('9/60'));
    faults.reads = 2;
    expect(await ask(issue())).toMatchObject({ status: 'unverified', outcome: 'served' });
    expect(spent()).toMatchObject({ 'search#pool': 1 });
  });
});

describe('[keys 12] stored and logged values', () => {
  test('no key, hash of a key or address is stored or logged', async () => {
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
    const kept = JSON.stringify([lines, store.calls]);
    expect(kept).not.toContain('LEAKY');
    expect(kept).not.toContain('pstn_');
    for (const { authorization } of presented) {
      const key = authorization.slice('Bearer '.length);
      for (const secret of [key, key.slice(5, 20), sha256Hex(key)]) expect(kept).not.toContain(secret);
    }
    for (const address of [ADA, BOB, '2001:db8']) expect(kept).not.toContain(address);
  });

  test('an address cannot be found by a plain hash of it', async () => {
    const counters = recordingStore(createMemoryCounterStore(() => START));
    const partition = async (addressSecret: string): Promise<string | undefined> => {
      await visit(createTestAccessControl({ counters, addressSecret }));
      return counters.calls.at(-1)?.counter.partition;
    };
    const [one, same, other] = [await partition('a'), await partition('a'), await partition('b')];
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });
});
