import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Allowance, parseAllowance } from '../../../shared/contract/allowances.ts';
import { NEVER_BEFORE } from '../../../shared/model/time.ts';
import type { Counter, CounterStore } from '../../../shared/ports/stores.ts';
import {
  type ChargeDecision,
  createFixedWindowLimiter,
  type FixedWindowLimiter,
} from '../../../shared/rate-limit/fixed-window-limiter.ts';
import { secondsUntil, windowAt } from '../../../shared/rate-limit/window.ts';
import { countInProcess, createProcessCounters } from '../../../shared/stores/process-counters.ts';
import { createStoreGuard, type StoreGuard } from '../../../shared/stores/store-guard.ts';
import { clocksOf } from '../../support/clocks.ts';
import {
  createLimiterFixture,
  expectAdmitted,
  expectDenied,
  NO_DEADLINE,
  START,
  subjectFor,
  testClock,
} from '../../support/limiter.ts';
import { seededRandom } from '../../support/random.ts';

const allowanceOf = (text: string): Allowance => {
  const allowance = parseAllowance(text);
  if (allowance === undefined) throw new Error(`not an allowance: ${text}`);
  return allowance;
};

const TEN = allowanceOf('10/60');
const BURSTY = allowanceOf('10/900,5/60');

describe('a window of the fixed-window limiter', () => {
  test('[limiter 2] ends after its last millisecond, and each window admits the same number', async () => {
    const subject = subjectFor(TEN);
    const { clock, admitted } = createLimiterFixture(subject);
    const end = clock.now() + 60_000;
    const counts: number[] = [];
    for (const now of [end - 1, end, end + 1, end + 59_999, end + 60_000]) {
      clock.set(now);
      counts.push(await admitted(15));
    }
    expect(counts).toEqual([10, 10, 0, 0, 10]);
  });

  test('[limiter 2] has burst parts that each admit the burst limit', async () => {
    const { clock, admitted } = createLimiterFixture(subjectFor(BURSTY));
    const start = clock.now();
    const counts: number[] = [];
    for (const after of [0, 59_999, 60_000, 60_001, 120_000, 899_999, 900_000, 959_999, 960_000]) {
      clock.set(start + after);
      counts.push(await admitted(7));
    }
    expect(counts).toEqual([5, 0, 5, 0, 0, 0, 5, 0, 5]);
  });

  test('reports the units that are left, and its end', async () => {
    const { clock, charge } = createLimiterFixture(subjectFor(BURSTY));
    const start = clock.now();
    clock.wait(61_000);
    expect(await charge(2)).toMatchObject({
      endsAt: start + 900_000,
      remaining: { count: 8, burst: { count: 3, endsAt: start + 120_000 } },
    });
    clock.wait(60_000);
    expect(await charge(2)).toMatchObject({
      endsAt: start + 900_000,
      remaining: { count: 6, burst: { count: 3, endsAt: start + 180_000 } },
    });
  });
});

describe('[allowances 1] [limiter 3] Retry-After', () => {
  const cases = fc.record({
    seconds: fc.integer({ min: 1, max: 100 }),
    parts: fc.integer({ min: 1, max: 20 }),
    count: fc.integer({ min: 2, max: 4 }),
    isBursty: fc.boolean(),
    after: fc.nat(),
    caller: fc.nat(),
  });

  test('is enough, and one second less is not, for every limit, instant and caller', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ seconds, parts, count, isBursty, after, caller }) => {
        const burst = isBursty && parts > 1 && { burst: { count: count - 1, seconds } };
        const subject = subjectFor({ count, seconds: seconds * parts, ...burst }, { partition: `search#a:${caller}` });
        const { clock, charge, admitted } = createLimiterFixture(subject);
        clock.wait(after % (seconds * parts * 1000));
        await admitted(count);
        const refused = expectDenied(await charge());
        const wait = secondsUntil(refused.endsAt, clock.now());
        clock.wait((wait - 1) * 1000);
        if (clock.now() < refused.endsAt) expect((await charge()).admitted).toBe(false);
        else expect(clock.now() - refused.endsAt).toBeLessThan(100);
        clock.wait(1000);
        expect((await charge()).admitted).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('[limiter 4] clocks that differ between instances', () => {
  const pair = (subject: ReturnType<typeof subjectFor>, skew: number) => {
    const bench = createLimiterFixture(subject);
    return { ...bench, instances: [bench.another(-skew), bench.another(skew)] as const };
  };

  test('by 250 ms never make a window admit more than its limit', async () => {
    const random = seededRandom();
    const subject = subjectFor(allowanceOf('5/2'));
    const { clock, store, instances } = pair(subject, 250);
    const admitted = new Map<number, number>();
    for (let call = 0; call < 3000; call += 1) {
      clock.wait(Math.floor(random() * 300));
      const decision = await instances[random() < 0.5 ? 0 : 1].charge(subject, NO_DEADLINE);
      if (decision.admitted) admitted.set(decision.endsAt, (admitted.get(decision.endsAt) ?? 0) + 1);
    }
    expect(Math.max(...admitted.values())).toBe(5);
    expect(store.calls.length).toBeLessThan(3000);
  });

  test('by 100 ms never cause a second denial for a client that waits Retry-After', async () => {
    const random = seededRandom();
    let refusedAgain = 0;
    let refusals = 0;
    for (let round = 0; round < 1000; round += 1) {
      const subject = subjectFor(round % 2 === 0 ? allowanceOf('2/60') : allowanceOf('8/120,2/10'), {
        partition: `search#a:${round}`,
      });
      const { clock, instances } = pair(subject, 50);
      clock.wait(Math.floor(random() * 60_000));
      const [here, there] = random() < 0.5 ? instances : ([instances[1], instances[0]] as const);
      const clockHere = clock.now() + (here === instances[0] ? -50 : 50);
      for (let call = 0; call < 3; call += 1) {
        const decision = await here.charge(subject, NO_DEADLINE);
        if (decision.admitted) continue;
        refusals += 1;
        clock.wait(secondsUntil(decision.endsAt, clockHere) * 1000);
        if (!(await there.charge(subject, NO_DEADLINE)).admitted) refusedAgain += 1;
      }
    }
    expect(refusals).toBeGreaterThan(900);
    expect(refusedAgain).toBe(0);
  });
});

test.each([
  ['[limiter 2] of the window', TEN, 11, 11, 'window'],
  ['of the burst part', BURSTY, 9, 6, 'burst'],
] as const)(
  'a denial %s is remembered without a store write until its end',
  async (_, allowance, charges, calls, full) => {
    const { clock, store, charge, admitted } = createLimiterFixture(subjectFor(allowance));
    await admitted(charges);
    expect(store.calls).toHaveLength(calls);
    clock.wait(59_999);
    expect(await charge()).toEqual({ admitted: false, full, endsAt: clock.now() + 1, isCertain: true });
    expect(store.calls).toHaveLength(calls);
    clock.wait(1);
    expect(await charge()).toMatchObject({ admitted: true });
  },
);

test('a denied charge of several units is not remembered, and all units of a charge are refunded', async () => {
  const { store, charge } = createLimiterFixture(subjectFor(TEN));
  const eight = expectAdmitted(await charge(8));
  expect(await charge(5)).toMatchObject({ admitted: false, full: 'window' });
  expect(await charge(2)).toMatchObject({ admitted: true, remaining: { count: 0 } });
  expect(store.verbs()).toEqual(['charge', 'charge', 'charge']);
  await eight.refund();
  expect(await charge(1)).toMatchObject({ remaining: { count: 7 } });
});

describe('[limiter 5] a refund', () => {
  test('is sent once, as is a charge, because a second attempt could count twice', async () => {
    const { store, charge } = createLimiterFixture(subjectFor(TEN), createStoreGuard('counters', guardOptions()));
    const first = expectAdmitted(await charge());
    store.fail(new Error('lost'));
    await expect(first.refund()).resolves.toBeUndefined();
    expect(await charge()).toMatchObject({ admitted: true });
    expect(store.verbs()).toEqual(['charge', 'refund', 'charge']);
  });

  test('in any mix with charges of two instances never makes a window admit more', async () => {
    const step = fc.record({
      kind: fc.constantFrom('charge', 'charge', 'charge', 'refund', 'wait'),
      which: fc.nat(),
    });
    const allowances = fc.constantFrom('3/10', '4/20,2/5');
    await fc.assert(
      fc.asyncProperty(allowances, fc.array(step, { minLength: 10, maxLength: 60 }), async (text, steps) => {
        const allowance = allowanceOf(text);
        const subject = subjectFor(allowance);
        const { clock, another } = createLimiterFixture(subject);
        const instances: readonly FixedWindowLimiter[] = [another(), another()];
        const held: { readonly window: number; readonly part: number; refund(): Promise<void> }[] = [];
        for (const { kind, which } of steps) {
          if (kind === 'wait') clock.wait((which % 40) * 100);
          if (kind === 'refund') await held.splice(which % Math.max(1, held.length), 1)[0]?.refund();
          if (kind !== 'charge') continue;
          const decision = await instances[which % 2]?.charge(subject, NO_DEADLINE);
          if (!decision?.admitted) continue;
          const { endsAt, burst } = windowAt(clock.now(), allowance, subject.partition);
          held.push({ window: endsAt, part: burst?.endsAt ?? 0, refund: decision.refund });
          expect(held.filter(({ window }) => window === endsAt).length).toBeLessThanOrEqual(allowance.count);
          if (burst === undefined) continue;
          expect(held.filter(({ part }) => part === burst.endsAt).length).toBeLessThanOrEqual(
            allowance.burst?.count ?? 0,
          );
        }
      }),
      { numRuns: 1000 },
    );
  });
});

const guardOptions = () => ({ ...clocksOf(() => START), log: () => undefined, random: () => 0.5 });

describe('[limiter 6] the fixed-window limiter while the store does not answer', () => {
  const DOWN = new Error('down');

  test.each([
    ['1/60', false, 1],
    ['61/60', false, 61],
    ['60/60,8/10', false, 8],
    ['1/60', true, 1],
    ['4/60', true, 1],
    ['5/60', true, 2],
    ['60/60,8/10', true, 2],
  ])('with %s, which all callers share: %s, admits %i per instance and window', async (text, isShared, count) => {
    const { clock, store, charge, admitted } = createLimiterFixture(subjectFor(allowanceOf(text), { isShared }));
    store.fail(DOWN);
    await expectAdmitted(await charge()).refund();
    expect(await admitted(70)).toBe(count);
    expect(await charge()).toMatchObject({ admitted: false, isCertain: false });
    clock.wait(60_000);
    expect(await admitted(70)).toBe(count);
  });

  test('names the limit that denied, until it ends', async () => {
    const { clock, store, charge, admitted } = createLimiterFixture(subjectFor(allowanceOf('4/120,2/60')));
    store.fail(DOWN);
    const start = clock.now();
    expect(await admitted(5)).toBe(2);
    expect(await charge()).toEqual({ admitted: false, full: 'burst', endsAt: start + 60_000, isCertain: false });
    clock.wait(60_000);
    expect(await admitted(5)).toBe(2);
    clock.wait(59_999);
    expect(await charge()).toEqual({ admitted: false, full: 'window', endsAt: start + 120_000, isCertain: false });
  });

  test('keeps denying what the store has denied', async () => {
    const { store, admitted, charge } = createLimiterFixture(subjectFor(TEN));
    await admitted(11);
    store.fail(DOWN);
    expect(await charge()).toMatchObject({ admitted: false, isCertain: true });
  });
});

describe('[keys 19] the day of use', () => {
  const keyed = subjectFor(TEN, { partition: 'search#k:k1', isKeyed: true });
  const TODAY = '2026-11-21';

  test('changes at midnight UTC', async () => {
    const { clock, store, charge } = createLimiterFixture(keyed);
    await charge();
    clock.set(Date.parse('2026-11-21T23:59:59.999Z'));
    await charge();
    clock.wait(1);
    await charge();
    await charge();
    expect(store.calls.map(({ counter: { usedOn, extendsExpiry } }) => [usedOn, extendsExpiry])).toEqual([
      [TODAY, true],
      [TODAY, false],
      ['2026-11-22', true],
      ['2026-11-22', false],
    ]);
  });

  test('is recorded by the next use if the store did not answer', async () => {
    const { limiter, store } = createLimiterFixture(keyed);
    store.fail(new Error('down'));
    await expect(limiter.recordUse(keyed)).resolves.toBeUndefined();
    store.fail(undefined);
    await limiter.recordUse(keyed);
    await limiter.recordUse(keyed);
    expect(store.verbs()).toEqual(['touch', 'touch']);
  });
});

describe('[allowances 10] a limiter whose counters are in this process', () => {
  const keyed = subjectFor(TEN, { partition: 'search#k:k1', isKeyed: true });

  const bench = () => {
    const clock = testClock();
    const touched: Counter[] = [];
    const table: CounterStore = {
      charge: () => Promise.reject(new Error('a charge reached the table')),
      refund: () => Promise.reject(new Error('a refund reached the table')),
      touch: async (counter) => void touched.push(counter),
    };
    const store = countInProcess(createProcessCounters({ now: clock.now }), table);
    const guard: StoreGuard = async () => ({ ok: false });
    /** The limiters of two functions. */
    const limiters = [0, 1].map(() => createFixedWindowLimiter({ store, guard, ...clock }));
    const charge = (index: number): Promise<ChargeDecision> | undefined =>
      limiters[index % 2]?.charge(keyed, NEVER_BEFORE);
    return { clock, limiters, charge, touched };
  };

  test('admits exactly the limit to all functions together, with certain figures, although no time is left for a store', async () => {
    const { charge } = bench();
    const all = await Promise.all(Array.from({ length: 150 }, (_, index) => charge(index)));
    expect(all.filter((decision) => decision?.admitted)).toHaveLength(TEN.count);
    expect(all[0]).toMatchObject({ admitted: true, remaining: { count: TEN.count - 1 } });
    expect(all.at(-1)).toMatchObject({ admitted: false, full: 'window', isCertain: true });
  });

  test('[keys 19] records the day of use apart from a charge, once', async () => {
    const { charge, limiters, touched } = bench();
    await charge(0);
    expect([touched, limiters[0]?.recordsUse]).toEqual([[], false]);
    for (const limiter of [...limiters, ...limiters]) await limiter.recordUse(keyed);
    expect(touched).toMatchObject([{ partition: 'search#k:k1', usedOn: '2026-11-21', extendsExpiry: true }]);
  });
});
