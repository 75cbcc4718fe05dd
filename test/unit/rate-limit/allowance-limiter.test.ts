// Tests what a request is charged, what a denial says, and what the fields and the log show of the charges.
import { describe, expect, test } from 'vitest';
import type { AllowanceName, Allowances } from '../../../shared/contract/allowances.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import {
  type AllowanceLimiter,
  createAllowanceLimiter,
  type RequestCharges,
} from '../../../shared/rate-limit/allowance-limiter.ts';
import { createFixedWindowLimiter } from '../../../shared/rate-limit/fixed-window-limiter.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import { keyRecord } from '../../support/access-control.ts';
import {
  NO_DEADLINE,
  recordingStore,
  subjectFor,
  testClock,
  waitingGuard,
  windowStart,
} from '../../support/limiter.ts';

const ALLOWANCES: Allowances = {
  search: {
    anonymous: { count: 3, seconds: 60 },
    keyed: { count: 5, seconds: 60 },
    pool: { count: 4, seconds: 60 },
  },
  browse: { anonymous: { count: 6, seconds: 900, burst: { count: 2, seconds: 60 } }, keyed: { count: 7, seconds: 60 } },
};

const KEY = keyRecord({ id: 'k1' });
const RAISED = keyRecord({ id: 'k2', search: { count: 9, seconds: 30 } });

/** Starts with a window of the caller `a`. */
const createBench = (name: AllowanceName = 'search') => {
  const { anonymous } = ALLOWANCES[name];
  const clock = testClock(windowStart(subjectFor(anonymous, { partition: `${name}#a:a` })));
  const store = recordingStore(createMemoryCounterStore(clock.now));
  const limiter = createAllowanceLimiter(
    ALLOWANCES,
    createFixedWindowLimiter({ store, guard: waitingGuard, clock: clock.now }),
    clock.now,
  );
  /** @returns the charges, and the detail of a denial */
  const charged = async (charge: (target: AllowanceLimiter, charges: RequestCharges) => Promise<void>) => {
    const charges: RequestCharges = { refunds: [] };
    const problem: unknown = await charge(limiter, charges).then(
      () => undefined,
      (error: unknown) => error,
    );
    const detail = problem instanceof Problem ? problem.options.detail : undefined;
    return { charges, detail, problem };
  };
  return {
    clock,
    store,
    limiter,
    search: (address: string) =>
      charged((target, charges) => target.chargeAddress('search', address, charges, NO_DEADLINE)),
    browse: (address: string) =>
      charged((target, charges) => target.chargeAddress('browse', address, charges, NO_DEADLINE)),
    searchWith: (key = KEY) => charged((target, charges) => target.chargeKey('search', key, charges, NO_DEADLINE)),
    stored: () => store.calls.map(({ verb, counter, units }) => `${verb} ${counter.partition} ${units}`),
  };
};

describe('a charge', () => {
  test('of a caller without a key is for the caller and for the pool of the allowance', async () => {
    const { search, browse, stored } = createBench();
    expect((await search('a')).charges.result).toEqual({ decision: 'admitted', isRefunded: false });
    await browse('a');
    expect(stored()).toEqual(['charge search#a:a 1', 'charge search#pool 1', 'charge browse#a:a 1']);
  });

  test('of a key is for the key', async () => {
    const { searchWith, stored, store } = createBench();
    await searchWith();
    expect(stored()).toEqual(['charge search#k:k1 1']);
    expect(store.calls[0]?.counter).toMatchObject({ limit: 5, usedOn: expect.any(String) });
  });

  test('is counted in memory while the store does not answer', async () => {
    const { search, store, limiter } = createBench();
    store.fail(new Error('no answer'));
    const { charges } = await search('a');
    expect(charges.result).toEqual({ decision: 'memory', isRefunded: false });
    expect(limiter.allowanceState('search', undefined, charges).limit).toBeUndefined();
  });
});

describe('a denial', () => {
  test('says the allowance and the wait', async () => {
    const { search, clock } = createBench();
    for (let count = 0; count < 3; count += 1) await search('a');
    clock.wait(15_000);
    const { charges, detail, problem } = await search('a');
    // The clocks of instances differ, so that a second is added.
    expect(detail).toBe('The search allowance is 3 requests per 60 seconds. Retry in 46 seconds.');
    expect(problem).toMatchObject({ code: 'rate_limited', options: { retryAfter: 46 } });
    expect(charges.result).toEqual({ decision: 'refused', isRefunded: false });
    expect(charges.refunds).toEqual([]);
  });

  test('of a burst part says the burst limit, and one of the window the limit of the window', async () => {
    const { browse, clock } = createBench('browse');
    const details: string[] = [];
    for (let minute = 0; minute < 5; minute += 1) {
      for (let count = 0; count < 3; count += 1) details.push((await browse('a')).detail ?? 'admitted');
      clock.wait(60_000);
    }
    const said = details.filter((detail) => detail !== 'admitted').map((detail) => detail.replace(/ Retry.*/, ''));
    expect(said[0]).toBe('The browse allowance is 2 requests per 60 seconds.');
    expect(said.at(-1)).toBe('The browse allowance is 6 requests per 900 seconds.');
  });

  test('of the pool says that all callers share it, and takes the charge of the caller back', async () => {
    const { search, stored, store, limiter } = createBench();
    for (const address of ['a', 'b', 'c', 'd']) await search(address);
    const { detail, charges } = await search('e');
    expect(detail).toMatch(
      /^The search allowance that all callers without an API key share is 4 requests per 60 seconds\. Retry in \d+ seconds\.$/,
    );
    expect(stored().slice(-3)).toEqual(['charge search#a:e 1', 'charge search#pool 1', 'refund search#a:e 1']);
    expect(charges).toMatchObject({ isPool: true, result: { decision: 'refused', isRefunded: false }, refunds: [] });
    expect(limiter.allowanceState('search', undefined, charges).limit).toMatch(/^"search-pool";r=0;t=\d+$/);
    const { length } = store.calls;
    expect((await search('f')).detail).toBe(detail);
    expect(store.calls).toHaveLength(length);
  });
});

describe('a refund', () => {
  const failed = { name: 'search', subject: '20' } as const;

  test('takes all charges of a request back, and the result says so', async () => {
    const { search, limiter, stored } = createBench();
    const { charges } = await search('a');
    await limiter.refund(failed, undefined, 'a', charges);
    expect(stored().slice(2)).toEqual(['refund search#a:a 1']);
    expect(charges).toEqual({ isPool: false, result: { decision: 'admitted', isRefunded: true }, refunds: [] });
    expect(limiter.allowanceState('search', undefined, charges).limit).toBeUndefined();
  });

  test('is for a caller and a subject once per minute, and nothing is left to refund afterwards', async () => {
    const { search, limiter, clock } = createBench();
    const first = await search('a');
    const second = await search('a');
    const other = await search('b');
    await limiter.refund(failed, undefined, 'a', first.charges);
    await limiter.refund(failed, undefined, 'a', second.charges);
    await limiter.refund(failed, undefined, 'b', other.charges);
    expect([first, second, other].map(({ charges }) => charges.result?.isRefunded)).toEqual([true, false, true]);
    clock.wait(60_000);
    await limiter.refund(failed, undefined, 'a', second.charges);
    expect(second.charges.result?.isRefunded).toBe(true);
    await limiter.refund(failed, undefined, 'a', { refunds: [] });
  });

  test('of a key counts for the key', async () => {
    const { searchWith, limiter, stored } = createBench();
    const { charges } = await searchWith();
    await limiter.refund(failed, KEY, 'a', charges);
    expect(stored()).toEqual(['charge search#k:k1 1', 'refund search#k:k1 1']);
    const again = await searchWith();
    await limiter.refund(failed, KEY, 'b', again.charges);
    expect(again.charges.result?.isRefunded).toBe(false);
  });
});

test('the use of a key is recorded without a charge', async () => {
  const { limiter, stored } = createBench();
  await limiter.recordUse(KEY);
  await limiter.recordUse(KEY);
  expect(stored()).toEqual(['touch search#k:k1 0']);
});

test.each([
  ['search', undefined, '"search";q=3;w=60, "search-pool";q=4;w=60'],
  ['search', KEY, '"search";q=5;w=60'],
  ['search', RAISED, '"search";q=9;w=30'],
  ['browse', undefined, '"browse";q=6;w=900, "browse-burst";q=2;w=60'],
  ['browse', RAISED, '"browse";q=7;w=60'],
] as const)('the policy of %s is that of the kind of caller', (name, key, policy) => {
  expect(createBench().limiter.allowanceState(name, key, undefined)).toEqual({ policy });
});

test('the limit shows the units of the caller that are left, not those of the pool', async () => {
  const { search, searchWith, limiter } = createBench();
  const { charges } = await search('a');
  expect(limiter.allowanceState('search', undefined, charges).limit).toMatch(/^"search";r=2;t=\d+$/);
  const keyed = await searchWith();
  expect(limiter.allowanceState('search', KEY, keyed.charges).limit).toMatch(/^"search";r=4;t=\d+$/);
});
