import { describe, expect, test } from 'vitest';
import { parseAllowance } from '../../../shared/contract/allowances.ts';
import { type AllowancePool, createAllowancePool } from '../../../shared/rate-limit/allowance-pool.ts';
import type { ChargeDecision } from '../../../shared/rate-limit/fixed-window-limiter.ts';
import { createLimiterFixture, expectAdmitted, NO_DEADLINE, subjectFor } from '../../support/limiter.ts';
import { seededRandom } from '../../support/random.ts';

const poolSpender = (text: string) => {
  const allowance = parseAllowance(text);
  if (allowance === undefined) throw new Error(`not an allowance: ${text}`);
  return subjectFor(allowance, { partition: 'search#pool', isShared: true });
};

const bench = (text: string) => {
  const subject = poolSpender(text);
  const at = createLimiterFixture(subject);
  const another = (): AllowancePool => createAllowancePool(at.another(), at.clock.clock, at.clock.wall);
  const pool = another();
  const take = (from = pool): Promise<ChargeDecision> => from.take(subject, NO_DEADLINE);
  const taken = async (times: number, from = pool): Promise<number> => {
    let count = 0;
    for (let index = 0; index < times; index += 1) if ((await take(from)).admitted) count += 1;
    return count;
  };
  const units = () => at.store.calls.filter(({ verb }) => verb === 'charge').map(({ units: charged }) => charged);
  return { ...at, another, take, taken, units };
};

const isAdmitted = ({ admitted }: ChargeDecision): boolean => admitted;

describe('the allowance pool', () => {
  test.each([
    ['1/60', 1],
    ['39/60', 1],
    ['40/60', 2],
    ['100/60', 5],
    ['200/60', 10],
    ['100000/60', 10],
  ])('with %s leases %s units at a time', async (text, size) => {
    const { taken, units } = bench(text);
    await taken(1);
    expect(units()).toEqual([size]);
  });

  test('admits every unit of the window: no instance keeps units at the end', async () => {
    const { taken, units } = bench('47/60');
    expect(await taken(60)).toBe(47);
    // Denied twice at the end: a lease, and 1 unit.
    expect(units().slice(-5)).toEqual([2, 2, 1, 2, 1]);
  });

  test('denies without a store call until the window ends', async () => {
    const { clock, store, take, taken } = bench('47/60');
    await taken(48);
    const { length } = store.calls;
    clock.wait(59_999);
    expect(await take()).toEqual({ admitted: false, full: 'window', endsAt: clock.now() + 1, isCertain: true });
    expect(store.calls).toHaveLength(length);
    clock.wait(1);
    expect(await taken(60)).toBe(47);
  });

  test('leases the last units one by one', async () => {
    const { taken, store, units, limiter, clock } = bench('200/60');
    await limiter.charge(poolSpender('200/60'), NO_DEADLINE, 197);
    expect(await taken(5)).toBe(3);
    expect(units()).toEqual([197, 10, 1, 10, 1, 10, 1, 10, 1]);
    expect(store.calls.every(({ counter }) => counter.startsAt <= clock.now())).toBe(true);
  });

  test('never admits more than its allowance to concurrent instances', async () => {
    const { another, take, clock } = bench('100/60');
    const random = seededRandom();
    const instances = Array.from({ length: 5 }, another);
    for (let window = 0; window < 3; window += 1) {
      const takes = Array.from({ length: 300 }, () => take(instances[Math.floor(random() * 5)]));
      const count = (await Promise.all(takes)).filter(isAdmitted).length;
      expect(count).toBe(100);
      clock.wait(60_000);
    }
  });

  test('writes the store once for concurrent charges', async () => {
    const { take, units } = bench('200/60');
    const decisions = await Promise.all(Array.from({ length: 10 }, () => take()));
    expect(decisions.every(isAdmitted)).toBe(true);
    expect(units()).toEqual([10]);
  });
});

describe('the allowance pool with a burst limit', () => {
  test('admits concurrent charges only up to the burst limit', async () => {
    const { clock, take } = bench('200/60,5/10');
    for (let part = 0; part < 3; part += 1) {
      const decisions = await Promise.all(Array.from({ length: 30 }, () => take()));
      expect(decisions.filter(isAdmitted)).toHaveLength(5);
      clock.wait(10_000);
    }
  });

  test('does not admit units of a lease after its burst part', async () => {
    const { clock, take } = bench('400/60,40/10');
    await take();
    clock.wait(10_000);
    const decisions = await Promise.all(Array.from({ length: 60 }, () => take()));
    expect(decisions.filter(isAdmitted)).toHaveLength(40);
  });
});

test('[limiter 5] a refund to the allowance pool frees units without a store write', async () => {
  const { take, taken, store } = bench('40/60');
  const decision = expectAdmitted(await take());
  expect(await taken(39)).toBe(39);
  const { length } = store.calls;
  await decision.refund();
  expect(store.calls).toHaveLength(length);
  expect(await taken(2)).toBe(1);
});

describe('[limiter 6] the allowance pool while the store does not answer', () => {
  test('admits a bounded share per instance and window', async () => {
    const { clock, store, another, taken } = bench('100/60');
    store.fail(new Error('down'));
    for (const pool of [another(), another()]) expect(await taken(60, pool)).toBe(25);
    clock.wait(60_000);
    const pool = another();
    expect(await taken(60, pool)).toBe(25);
    store.fail(undefined);
    expect(await taken(200, pool)).toBe(100);
  });

  test('spends a share that is smaller than a lease one by one', async () => {
    const { store, taken } = bench('7/60');
    store.fail(new Error('down'));
    expect(await taken(20)).toBe(2);
  });
});
