import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Allowance, parseAllowance } from '../../../shared/contract/allowances.ts';
import {
  type ChargeDecision,
  createFixedWindowLimiter,
  type FixedWindowLimiter,
} from '../../../shared/rate-limit/fixed-window-limiter.ts';
import { secondsUntil, windowAt } from '../../../shared/rate-limit/window.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import { createStoreGuard } from '../../../shared/stores/store-guard.ts';
import {
  createLimiterFixture,
  expectAdmitted,
  expectDenied,
  NO_DEADLINE,
  recordingStore,
  START,
  seededRandom,
  subjectFor,
  testClock,
  waitingGuard,
  windowStart,
} from '../../support/limiter.ts';

const allowanceOf = (text: string): Allowance => {
  const allowance = parseAllowance(text);
  if (allowance === undefined) throw new Error(`not an allowance: ${text}`);
  return allowance;
};

const TEN = allowanceOf('10/60');
const BURSTY = allowanceOf('10/900,5/60');
const DAY = 86_400;

describe('[limiter #1] a window', () => {
  test.each([50, 200, 1000])('admits what it holds of %s calls at once, and no more', async (calls) => {
    const spender = subjectFor(TEN);
    const { limiter } = createLimiterFixture(spender);
    const decisions = await Promise.all(Array.from({ length: calls }, () => limiter.charge(spender, NO_DEADLINE)));
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(10);
  });

  test('is one for all instances', async () => {
    const spender = subjectFor(TEN);
    const { another } = createLimiterFixture(spender);
    const instances = Array.from({ length: 8 }, () => another());
    const decisions = await Promise.all(
      Array.from({ length: 200 }, (_, index) => (instances[index % 8] ?? another()).charge(spender, NO_DEADLINE)),
    );
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(10);
  });

  test('[limiter #2] is over at its last millisecond and not before; each admits the same', async () => {
    const spender = subjectFor(TEN);
    const { clock, admitted } = createLimiterFixture(spender);
    const end = clock.now() + 60_000;
    const counts: number[] = [];
    for (const now of [end - 1, end, end + 1, end + 59_999, end + 60_000]) {
      clock.set(now);
      counts.push(await admitted(15));
    }
    expect(counts).toEqual([10, 10, 0, 0, 10]);
  });

  test('[limiter #2] has parts, each of which admits what a burst may be', async () => {
    const { clock, admitted } = createLimiterFixture(subjectFor(BURSTY));
    const start = clock.now();
    const counts: number[] = [];
    for (const after of [0, 59_999, 60_000, 60_001, 120_000, 899_999, 900_000, 959_999, 960_000]) {
      clock.set(start + after);
      counts.push(await admitted(7));
    }
    expect(counts).toEqual([5, 0, 5, 0, 0, 0, 5, 0, 5]);
  });

  test('[spec 8.1 #53] is each caller’s own', async () => {
    const { limiter, admitted } = createLimiterFixture(subjectFor(TEN));
    expect(await admitted(12)).toBe(10);
    for (const partition of ['search#a:another', 'browse#a:somebody', 'search#k:somebody']) {
      expect(await limiter.charge(subjectFor(TEN, { partition }), NO_DEADLINE)).toMatchObject({ admitted: true });
    }
  });

  test('says what is left of it, and until when', async () => {
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

  test('without a burst limit says nothing of one', async () => {
    const { charge } = createLimiterFixture(subjectFor(TEN));
    expect(expectAdmitted(await charge()).remaining).toEqual({ count: 9 });
  });

  test('says which of two limits is full', async () => {
    const { clock, charge, admitted } = createLimiterFixture(subjectFor(BURSTY));
    const start = clock.now();
    expect(await admitted(5)).toBe(5);
    expect(await charge()).toMatchObject({ full: 'burst', endsAt: start + 60_000, isCertain: true });
    clock.wait(60_000);
    expect(await admitted(5)).toBe(5);
    expect(await charge()).toMatchObject({ full: 'window', endsAt: start + 900_000, isCertain: true });
  });
});

describe('[spec 8.2 #50] [limiter #3] Retry-After', () => {
  const cases = fc.record({
    seconds: fc.integer({ min: 1, max: 100 }),
    parts: fc.integer({ min: 1, max: 20 }),
    count: fc.integer({ min: 2, max: 4 }),
    isBursty: fc.boolean(),
    after: fc.nat(),
    caller: fc.nat(),
  });

  test('is enough, and a second less is not: the same of every limit, moment and caller', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ seconds, parts, count, isBursty, after, caller }) => {
        const burst = isBursty && parts > 1 && { burst: { count: count - 1, seconds } };
        const spender = subjectFor({ count, seconds: seconds * parts, ...burst }, { partition: `search#a:${caller}` });
        const { clock, charge, admitted } = createLimiterFixture(spender);
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

describe('[limiter #4] clocks of instances differ', () => {
  const pair = (spender: ReturnType<typeof subjectFor>, skew: number) => {
    const bench = createLimiterFixture(spender);
    return { ...bench, instances: [bench.another(-skew), bench.another(skew)] as const };
  };

  test('by a quarter of a second: no window ever holds more than it may', async () => {
    const random = seededRandom();
    const spender = subjectFor(allowanceOf('5/2'));
    const { clock, store, instances } = pair(spender, 250);
    const admitted = new Map<number, number>();
    for (let call = 0; call < 3000; call += 1) {
      clock.wait(Math.floor(random() * 300));
      const decision = await instances[random() < 0.5 ? 0 : 1].charge(spender, NO_DEADLINE);
      if (decision.admitted) admitted.set(decision.endsAt, (admitted.get(decision.endsAt) ?? 0) + 1);
    }
    expect(Math.max(...admitted.values())).toBe(5);
    expect(store.asked.length).toBeLessThan(3000);
  });

  test('by a tenth: who waits as he was told is never refused again, wherever he asks', async () => {
    const random = seededRandom();
    let refusedAgain = 0;
    let refusals = 0;
    for (let round = 0; round < 1000; round += 1) {
      const spender = subjectFor(round % 2 === 0 ? allowanceOf('2/60') : allowanceOf('8/120,2/10'), {
        partition: `search#a:${round}`,
      });
      const { clock, instances } = pair(spender, 50);
      clock.wait(Math.floor(random() * 60_000));
      const [here, there] = random() < 0.5 ? instances : ([instances[1], instances[0]] as const);
      const clockHere = clock.now() + (here === instances[0] ? -50 : 50);
      for (let call = 0; call < 3; call += 1) {
        const decision = await here.charge(spender, NO_DEADLINE);
        if (decision.admitted) continue;
        refusals += 1;
        clock.wait(secondsUntil(decision.endsAt, clockHere) * 1000);
        if (!(await there.charge(spender, NO_DEADLINE)).admitted) refusedAgain += 1;
      }
    }
    expect(refusals).toBeGreaterThan(900);
    expect(refusedAgain).toBe(0);
  });
});

describe('a decision', () => {
  test('is one write', async () => {
    const { store, admitted } = createLimiterFixture(subjectFor(TEN));
    await admitted(10);
    expect(store.verbs()).toEqual(Array.from({ length: 10 }, () => 'charge'));
  });

  test('[limiter #2] is no write at all while the answer is known: a full window stays full', async () => {
    const { clock, store, charge, admitted } = createLimiterFixture(subjectFor(TEN));
    await admitted(11);
    expect(store.asked).toHaveLength(11);
    clock.wait(59_999);
    expect(await charge()).toMatchObject({ admitted: false, full: 'window', endsAt: clock.now() + 1, isCertain: true });
    expect(store.asked).toHaveLength(11);
    clock.wait(1);
    expect(await charge()).toMatchObject({ admitted: true });
    expect(store.asked).toHaveLength(12);
  });

  test('is no write for a full burst either, until its part of the window is over', async () => {
    const { clock, store, charge, admitted } = createLimiterFixture(subjectFor(BURSTY));
    await admitted(9);
    expect(store.asked).toHaveLength(6);
    clock.wait(59_999);
    expect(await charge()).toMatchObject({ admitted: false, full: 'burst', endsAt: clock.now() + 1 });
    expect(store.asked).toHaveLength(6);
    clock.wait(1);
    expect(await charge()).toMatchObject({ admitted: true });
  });

  test('that an instance remembers is that of one caller', async () => {
    const { limiter, store, admitted } = createLimiterFixture(subjectFor(TEN));
    await admitted(11);
    expect(limiter.knownDenial(subjectFor(TEN))).toMatchObject({ full: 'window' });
    expect(limiter.knownDenial(subjectFor(TEN, { partition: 'search#a:another' }))).toBeUndefined();
    expect(store.asked).toHaveLength(11);
  });

  test('that an instance remembers is forgotten for newer ones: 10,000 are kept', async () => {
    const one = allowanceOf('1/60');
    const callerOf = (index: number) => subjectFor(one, { partition: `search#a:${index}` });
    const { limiter, store } = createLimiterFixture(callerOf(0));
    const refuse = async (index: number): Promise<void> => {
      await limiter.charge(callerOf(index), NO_DEADLINE);
      await limiter.charge(callerOf(index), NO_DEADLINE);
    };
    for (let index = 0; index <= 10_000; index += 1) await refuse(index);
    const writes = store.asked.length;
    expect(limiter.knownDenial(callerOf(1))).toBeDefined();
    expect(limiter.knownDenial(callerOf(0))).toBeUndefined();
    await limiter.charge(callerOf(0), NO_DEADLINE);
    expect(store.asked).toHaveLength(writes + 1);
  });
});

describe('a changed allowance', () => {
  const changed = async (before: string, after: string) => {
    const bench = createLimiterFixture(subjectFor(allowanceOf(before)));
    const count = await bench.admitted(12);
    return { ...bench, count, charge: () => bench.limiter.charge(subjectFor(allowanceOf(after)), NO_DEADLINE) };
  };

  test('that is larger holds at once, although its refusal is remembered', async () => {
    const { count, charge } = await changed('10/60', '12/60');
    expect(count).toBe(10);
    expect(await charge()).toMatchObject({ remaining: { count: 1 } });
    expect(await charge()).toMatchObject({ remaining: { count: 0 } });
    expect(await charge()).toMatchObject({ admitted: false });
  });

  test('that is smaller holds at once', async () => {
    const { charge } = await changed('20/60', '5/60');
    expect(await charge()).toMatchObject({ admitted: false, full: 'window' });
  });

  test('of another length has windows of its own', async () => {
    const { charge } = await changed('10/60', '10/900');
    expect(await charge()).toMatchObject({ remaining: { count: 9 } });
  });

  test('with or without a burst limit is another', async () => {
    const { charge } = await changed('10/900,5/60', '10/900');
    expect(await charge()).toMatchObject({ remaining: { count: 4 } });
  });
});

describe('[limiter #5] what is given back', () => {
  test('may be spent again, though the refusal was remembered here', async () => {
    const { limiter, charge, admitted } = createLimiterFixture(subjectFor(TEN));
    const first = expectAdmitted(await charge());
    expect(await admitted(12)).toBe(9);
    await first.refund();
    expect(limiter.knownDenial(subjectFor(TEN))).toBeUndefined();
    expect(await admitted(3)).toBe(1);
  });

  test('counts for the burst limit as well', async () => {
    const { charge, admitted } = createLimiterFixture(subjectFor(BURSTY));
    const first = expectAdmitted(await charge());
    expect(await admitted(7)).toBe(4);
    await first.refund();
    expect(await admitted(3)).toBe(1);
  });

  test('is as much as was taken', async () => {
    const { charge } = createLimiterFixture(subjectFor(TEN));
    const four = expectAdmitted(await charge(4));
    await charge(6);
    await four.refund();
    expect(await charge(4)).toMatchObject({ remaining: { count: 0 } });
  });

  test('after the window is over does not make the next one larger', async () => {
    const { clock, charge, admitted } = createLimiterFixture(subjectFor(TEN));
    const late = [expectAdmitted(await charge()), expectAdmitted(await charge())];
    clock.wait(60_000);
    for (const { refund } of late) await refund();
    expect(await admitted(5)).toBe(5);
    clock.wait(1);
    expect(await admitted(12)).toBe(5);
  });

  test('after its part of the window is over does not make the next part larger', async () => {
    const { clock, charge, admitted } = createLimiterFixture(subjectFor(BURSTY));
    const late = expectAdmitted(await charge());
    clock.wait(60_000);
    await charge();
    await late.refund();
    expect(await admitted(12)).toBe(4);
  });

  test('is tried once: a second attempt could give back twice', async () => {
    const { store, charge } = createLimiterFixture(subjectFor(TEN), createStoreGuard('counters', guardOptions()));
    const first = expectAdmitted(await charge());
    store.fail(new Error('lost'));
    await expect(first.refund()).resolves.toBeUndefined();
    expect(store.verbs()).toEqual(['charge', 'refund']);
  });

  test('in any mix of successes and failures, of two instances, never makes a window hold more', async () => {
    const step = fc.record({
      kind: fc.constantFrom('charge', 'charge', 'charge', 'refund', 'wait'),
      which: fc.nat(),
    });
    const allowances = fc.constantFrom('3/10', '4/20,2/5');
    await fc.assert(
      fc.asyncProperty(allowances, fc.array(step, { minLength: 10, maxLength: 60 }), async (text, steps) => {
        const allowance = allowanceOf(text);
        const spender = subjectFor(allowance);
        const { clock, another } = createLimiterFixture(spender);
        const instances: readonly FixedWindowLimiter[] = [another(), another()];
        const held: { readonly window: number; readonly part: number; refund(): Promise<void> }[] = [];
        for (const { kind, which } of steps) {
          if (kind === 'wait') clock.wait((which % 40) * 100);
          if (kind === 'refund') await held.splice(which % Math.max(1, held.length), 1)[0]?.refund();
          if (kind !== 'charge') continue;
          const decision = await instances[which % 2]?.charge(spender, NO_DEADLINE);
          if (!decision?.admitted) continue;
          const { endsAt, burst } = windowAt(clock.now(), allowance, spender.partition);
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

const guardOptions = () => ({ clock: () => START, log: () => undefined, random: () => 0.5 });

describe('[limiter #6] without the store', () => {
  const DOWN = new Error('down');

  const outage = (text: string) => {
    const bench = createLimiterFixture(subjectFor(allowanceOf(text)));
    bench.store.fail(DOWN);
    return bench;
  };

  test.each([
    ['1/60', 1],
    ['2/60', 1],
    ['4/60', 1],
    ['5/60', 2],
    ['10/60', 3],
    ['60/60', 15],
    ['61/60', 16],
    ['60/60,8/10', 2],
  ])('of %s an instance admits %s', async (text, count) => {
    const { clock, charge, admitted } = outage(text);
    expect(await admitted(70)).toBe(count);
    expect(await charge()).toMatchObject({ admitted: false, isCertain: false });
    clock.wait(59_999);
    clock.wait(1);
    expect(await admitted(70)).toBe(count);
  });

  test('each of several instances does, and says nothing of what is left', async () => {
    const { store, another, charge } = outage('10/60');
    expect(await charge()).not.toHaveProperty('remaining');
    const other = another();
    const decisions = await Promise.all(Array.from({ length: 20 }, () => other.charge(subjectFor(TEN), NO_DEADLINE)));
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(3);
    expect(new Set(store.verbs())).toEqual(new Set(['charge']));
  });

  test('a refusal says which limit, and holds until that ends', async () => {
    const { clock, charge, admitted } = outage('16/120,8/60');
    const start = clock.now();
    expect(await admitted(5)).toBe(2);
    expect(await charge()).toEqual({ admitted: false, full: 'burst', endsAt: start + 60_000, isCertain: false });
    clock.wait(60_000);
    expect(await admitted(5)).toBe(2);
    clock.wait(59_999);
    expect(await charge()).toEqual({ admitted: false, full: 'window', endsAt: start + 120_000, isCertain: false });
  });

  test('nothing is refused for longer than the store is away', async () => {
    const { store, admitted } = outage('10/60');
    expect(await admitted(12)).toBe(3);
    store.fail(undefined);
    expect(await admitted(12)).toBe(10);
  });

  test('windows that are over are forgotten first: a long one is counted to its end', async () => {
    const day = subjectFor(allowanceOf('4/86400'), { partition: 'search#k:k1' });
    const { clock, store, limiter } = createLimiterFixture(day);
    store.fail(DOWN);
    expect(await limiter.charge(day, NO_DEADLINE)).toMatchObject({ admitted: true });
    for (let caller = 1; caller <= 10_000; caller += 1) {
      await limiter.charge(subjectFor(allowanceOf('4/1'), { partition: `search#a:${caller}` }), NO_DEADLINE);
      if (caller % 1000 === 0) clock.wait(1000);
    }
    expect(await limiter.charge(day, NO_DEADLINE)).toMatchObject({ admitted: false });
  });

  test('what was refused by its count stays refused', async () => {
    const { store, admitted, charge } = createLimiterFixture(subjectFor(TEN));
    await admitted(11);
    store.fail(DOWN);
    expect(await charge()).toMatchObject({ admitted: false, isCertain: true });
  });

  test('[limiter #5] what is given back may be spent again, in memory alone', async () => {
    const { store, charge, admitted } = outage('10/60');
    const first = expectAdmitted(await charge());
    expect(await admitted(5)).toBe(2);
    await first.refund();
    expect(await admitted(5)).toBe(1);
    expect(store.verbs()).not.toContain('refund');
  });

  test('its answers that are lost are counted there and here: never above the limit and a quarter', async () => {
    const random = seededRandom();
    const clock = testClock(windowStart(subjectFor(TEN)));
    const memory = createMemoryCounterStore(clock.now);
    const lossy = recordingStore({
      ...memory,
      async charge(counter, units) {
        const charge = await memory.charge(counter, units);
        if (random() < 0.3) throw new Error('lost');
        return charge;
      },
    });
    const limiter = createFixedWindowLimiter({ store: lossy, guard: waitingGuard, clock: clock.now });
    const decisions: ChargeDecision[] = [];
    for (let call = 0; call < 200; call += 1) decisions.push(await limiter.charge(subjectFor(TEN), NO_DEADLINE));
    const admitted = decisions.filter((decision) => decision.admitted);
    expect(admitted.filter(({ remaining }) => remaining).length).toBeLessThanOrEqual(10);
    expect(admitted.filter(({ remaining }) => !remaining)).toHaveLength(3);
  });
});

describe('[key #4] the day on which a key was used', () => {
  const keyed = subjectFor(TEN, { partition: 'search#k:k1', isKeyed: true });
  const TODAY = '2026-11-21';
  const KEPT_FOR = 400 * DAY;

  test('is noted with the charge, and kept once a day and instance', async () => {
    const { clock, store, another, charge } = createLimiterFixture(keyed);
    const windowEnd = clock.now() / 1000 + 60;
    await charge();
    await charge();
    await another().charge(keyed, NO_DEADLINE);
    const [first, second, others] = store.asked.map(({ counter }) => counter);
    expect(first).toMatchObject({ usedOn: TODAY, extendsExpiry: true, expiresAt: Math.ceil(windowEnd) + KEPT_FOR });
    expect(second).toMatchObject({ usedOn: TODAY, extendsExpiry: false, expiresAt: Math.ceil(windowEnd) + DAY });
    expect(others).toMatchObject({ usedOn: TODAY, extendsExpiry: true });
  });

  test('changes at midnight, UTC', async () => {
    const { clock, store, charge } = createLimiterFixture(keyed);
    await charge();
    clock.set(Date.parse('2026-11-21T23:59:59.999Z'));
    await charge();
    clock.wait(1);
    await charge();
    await charge();
    expect(store.asked.map(({ counter: { usedOn, extendsExpiry } }) => [usedOn, extendsExpiry])).toEqual([
      [TODAY, true],
      [TODAY, false],
      ['2026-11-22', true],
      ['2026-11-22', false],
    ]);
  });

  test('is tried again where it was not noted: refused, or the store did not answer', async () => {
    const { store, charge } = createLimiterFixture(keyed);
    store.fail(new Error('down'));
    await charge();
    store.fail(undefined);
    await charge();
    await charge();
    expect(store.asked.map(({ counter }) => counter.extendsExpiry)).toEqual([true, true, false]);
  });

  test('is noted without counting, where the use cost nothing', async () => {
    const { limiter, store, charge } = createLimiterFixture(keyed);
    await limiter.recordUse(keyed);
    await limiter.recordUse(keyed);
    expect(store.asked.map(({ verb, counter }) => [verb, counter.usedOn, counter.extendsExpiry])).toEqual([
      ['touch', TODAY, true],
    ]);
    expect(await charge()).toMatchObject({ remaining: { count: 9 } });
  });

  test('is not noted a second time after a charge has', async () => {
    const { limiter, store, charge } = createLimiterFixture(keyed);
    await charge();
    await limiter.recordUse(keyed);
    expect(store.verbs()).toEqual(['charge']);
  });

  test('is noted the next time, where the store did not answer', async () => {
    const { limiter, store } = createLimiterFixture(keyed);
    store.fail(new Error('down'));
    await expect(limiter.recordUse(keyed)).resolves.toBeUndefined();
    store.fail(undefined);
    await limiter.recordUse(keyed);
    await limiter.recordUse(keyed);
    expect(store.verbs()).toEqual(['touch', 'touch']);
  });

  test('is nobody’s who has no key', async () => {
    const nobody = subjectFor(TEN, { partition: keyed.partition });
    const { limiter, store, charge } = createLimiterFixture(nobody);
    await charge();
    await limiter.recordUse(nobody);
    expect(store.verbs()).toEqual(['charge']);
    expect(store.asked[0]?.counter).not.toHaveProperty('usedOn');
    expect(store.asked[0]?.counter).not.toHaveProperty('extendsExpiry');
    expect(store.asked[0]?.counter.expiresAt).toBe(Math.ceil(windowStart(keyed) / 1000) + 60 + DAY);
  });
});

describe('a denied charge of several units', () => {
  test('is not remembered: a charge of fewer units is sent to the store', async () => {
    const spender = subjectFor(TEN);
    const { store, charge } = createLimiterFixture(spender);
    await charge(8);
    expect(await charge(5)).toMatchObject({ admitted: false, full: 'window' });
    expect(await charge(2)).toMatchObject({ admitted: true, remaining: { count: 0 } });
    expect(store.verbs()).toEqual(['charge', 'charge', 'charge']);
  });
});
