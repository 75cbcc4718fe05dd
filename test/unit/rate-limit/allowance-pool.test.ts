import { describe, expect, test } from 'vitest';
import { parseAllowance } from '../../../shared/contract/allowances.ts';
import { type AllowancePool, createAllowancePool } from '../../../shared/rate-limit/allowance-pool.ts';
import type { ChargeDecision } from '../../../shared/rate-limit/fixed-window-limiter.ts';
import { createLimiterFixture, expectAdmitted, NO_DEADLINE, seededRandom, subjectFor } from '../../support/limiter.ts';

const poolSpender = (text: string) => {
  const allowance = parseAllowance(text);
  if (allowance === undefined) throw new Error(`not an allowance: ${text}`);
  return subjectFor(allowance, { partition: 'search#pool' });
};

const bench = (text: string) => {
  const spender = poolSpender(text);
  const at = createLimiterFixture(spender);
  const another = (): AllowancePool => createAllowancePool(at.another(), at.clock.now);
  const pool = another();
  const take = (from = pool): Promise<ChargeDecision> => from.take(spender, NO_DEADLINE);
  const taken = async (times: number, from = pool): Promise<number> => {
    let count = 0;
    for (let index = 0; index < times; index += 1) if ((await take(from)).admitted) count += 1;
    return count;
  };
  const units = () => at.store.asked.filter(({ verb }) => verb === 'charge').map((asked) => asked.units);
  return { ...at, another, take, taken, units };
};

const isAdmitted = ({ admitted }: ChargeDecision): boolean => admitted;

describe('a pool', () => {
  test.each([
    ['1/60', 1],
    ['39/60', 1],
    ['40/60', 2],
    ['100/60', 5],
    ['200/60', 10],
    ['100000/60', 10],
  ])('of %s is taken from by %s at a time', async (text, size) => {
    const { taken, units } = bench(text);
    await taken(1);
    expect(units()).toEqual([size]);
  });

  test('is written once for so many', async () => {
    const { taken, units } = bench('200/60');
    expect(await taken(30)).toBe(30);
    expect(units()).toEqual([10, 10, 10]);
  });

  test('is spent to the last unit, of which no instance holds any back at the end', async () => {
    const { taken, units } = bench('47/60');
    expect(await taken(60)).toBe(47);
    // Refused twice at the end: a lease, and the single unit.
    expect(units().slice(-5)).toEqual([2, 2, 1, 2, 1]);
  });

  test('then refuses for the rest of the window without being asked', async () => {
    const { clock, store, take, taken } = bench('47/60');
    await taken(48);
    const { length } = store.asked;
    clock.wait(59_999);
    expect(await take()).toEqual({ admitted: false, full: 'window', endsAt: clock.now() + 1, isCertain: true });
    expect(store.asked).toHaveLength(length);
    clock.wait(1);
    expect(await taken(60)).toBe(47);
  });

  test('the last units are taken one by one', async () => {
    const { taken, store, units, limiter, clock } = bench('200/60');
    await limiter.charge(poolSpender('200/60'), NO_DEADLINE, 197);
    expect(await taken(5)).toBe(3);
    expect(units()).toEqual([197, 10, 1, 10, 1, 10, 1, 10, 1]);
    expect(store.asked.every(({ counter }) => counter.startsAt <= clock.now())).toBe(true);
  });

  test('is never spent beyond what it is, by however many instances at once', async () => {
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

  test('is asked once for those who come at once', async () => {
    const { take, units } = bench('200/60');
    const decisions = await Promise.all(Array.from({ length: 10 }, () => take()));
    expect(decisions.every(isAdmitted)).toBe(true);
    expect(units()).toEqual([10]);
  });

  test('and once more for each lease that they need', async () => {
    const { take, units } = bench('200/60');
    const decisions = await Promise.all(Array.from({ length: 25 }, () => take()));
    expect(decisions.every(isAdmitted)).toBe(true);
    expect(units()).toEqual([10, 10, 10]);
  });

  test('what an instance did not hand out when the window ends is void', async () => {
    const { clock, taken, units } = bench('200/60');
    await taken(1);
    clock.wait(59_999);
    await taken(1);
    expect(units()).toEqual([10]);
    clock.wait(1);
    expect(await taken(300)).toBe(200);
    expect(units().slice(0, 3)).toEqual([10, 10, 10]);
  });

  test('an instance strands less than a lease', async () => {
    const { another, taken } = bench('200/60');
    const idle = [another(), another(), another()];
    for (const pool of idle) await taken(1, pool);
    expect(await taken(300)).toBe(200 - 3 * 10);
    for (const pool of idle) expect(await taken(20, pool)).toBe(9);
  });

  test('says when its window ends, and nothing of what is left: that is not this caller’s', async () => {
    const { clock, take } = bench('200/60');
    const decision = expectAdmitted(await take());
    expect(decision.endsAt).toBe(clock.now() + 60_000);
    expect(decision.remaining).toBeUndefined();
  });
});

describe('a pool with a burst limit', () => {
  test('is never spent faster than that, by those who come at once', async () => {
    const { clock, take } = bench('200/60,5/10');
    for (let part = 0; part < 3; part += 1) {
      const decisions = await Promise.all(Array.from({ length: 30 }, () => take()));
      expect(decisions.filter(isAdmitted)).toHaveLength(5);
      clock.wait(10_000);
    }
  });

  test('nor by what was left of a lease from before', async () => {
    const { clock, take } = bench('400/60,40/10');
    await take();
    clock.wait(10_000);
    const decisions = await Promise.all(Array.from({ length: 60 }, () => take()));
    expect(decisions.filter(isAdmitted)).toHaveLength(40);
  });
});

describe('[limiter #5] what is given back to a pool', () => {
  test('may be taken again, without a write', async () => {
    const { take, taken, store } = bench('40/60');
    const decision = expectAdmitted(await take());
    expect(await taken(39)).toBe(39);
    const { length } = store.asked;
    await decision.refund();
    expect(store.asked).toHaveLength(length);
    expect(await taken(2)).toBe(1);
  });

  test('after the window is over does not make the next one larger', async () => {
    const { clock, take, taken } = bench('40/60');
    const decision = expectAdmitted(await take());
    clock.wait(60_000);
    expect(await taken(1)).toBe(1);
    await decision.refund();
    expect(await taken(60)).toBe(39);
  });
});

describe('[limiter #6] without the store', () => {
  test('each instance has a bounded share, and the next window another', async () => {
    const { clock, store, another, taken } = bench('100/60');
    store.fail(new Error('down'));
    for (const pool of [another(), another()]) expect(await taken(60, pool)).toBe(25);
    clock.wait(60_000);
    const pool = another();
    expect(await taken(60, pool)).toBe(25);
    store.fail(undefined);
    expect(await taken(200, pool)).toBe(100);
  });

  test('a share smaller than a lease is spent one by one', async () => {
    const { store, taken } = bench('7/60');
    store.fail(new Error('down'));
    expect(await taken(20)).toBe(2);
  });
});
