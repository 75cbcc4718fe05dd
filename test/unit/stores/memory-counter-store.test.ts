import { describe, expect, test } from 'vitest';
import type { Counter } from '../../../shared/ports/stores.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import { START, testClock } from '../../support/limiter.ts';

const counterOf = (caller: number, members: Partial<Counter> = {}): Counter => ({
  partition: `search#a:${caller}`,
  startsAt: START,
  limit: 1,
  expiresAt: START / 1000 + 60,
  ...members,
});

const bench = (maxCounters?: number) => {
  const clock = testClock();
  const counters = createMemoryCounterStore(clock.now, maxCounters);
  const isAdmitted = async (counter: Counter): Promise<boolean> => (await counters.charge(counter, 1)).admitted;
  return { clock, counters, isAdmitted };
};

describe('the memory counter store', () => {
  test('evicts expired counters first', async () => {
    const { clock, isAdmitted } = bench(2);
    const long = { expiresAt: START / 1000 + 3600 };
    await isAdmitted(counterOf(1, long));
    await isAdmitted(counterOf(2));
    clock.wait(60_000);
    await isAdmitted(counterOf(3, long));
    expect(await isAdmitted(counterOf(1, long))).toBe(false);
    expect(await isAdmitted(counterOf(3, long))).toBe(false);
  });

  test('holds at most 10,000 counters', async () => {
    const { isAdmitted } = bench();
    for (let caller = 0; caller < 10_000; caller += 1) await isAdmitted(counterOf(caller));
    expect(await isAdmitted(counterOf(0))).toBe(false);
    await isAdmitted(counterOf(10_000));
    expect(await isAdmitted(counterOf(1))).toBe(false);
    expect(await isAdmitted(counterOf(0))).toBe(true);
  });
});
