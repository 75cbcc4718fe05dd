import { describe, expect, test } from 'vitest';
import {
  type Bulkhead,
  createBulkhead,
  createRetryBudget,
  type RetryBudgetOptions,
} from '../../../shared/resilience/bulkhead.ts';

/** @returns true if a call would get a slot at once */
const hasRoom = async (slots: Bulkhead, caller?: string): Promise<boolean> => {
  const isAcquired = await slots.acquire(0, caller);
  if (isAcquired) slots.release(caller);
  return isAcquired;
};

test('the bulkhead admits as many calls as it has slots, and the rest in order of arrival', async () => {
  const slots = createBulkhead(2);
  const order: number[] = [];
  const enter = async (number: number) => {
    expect(await slots.acquire(10_000)).toBe(true);
    order.push(number);
  };
  const all = [1, 2, 3, 4].map(enter);
  await Promise.all(all.slice(0, 2));
  expect(order).toEqual([1, 2]);
  slots.release();
  await all[2];
  slots.release();
  await all[3];
  expect(order).toEqual([1, 2, 3, 4]);
});

test('a call that waits longer than its time limit gets no slot', async () => {
  const slots = createBulkhead(1);
  expect(await slots.acquire(10_000)).toBe(true);
  expect(await slots.acquire(5)).toBe(false);
  slots.release();
  expect(await slots.acquire(5)).toBe(true);
  expect(await slots.acquire(5)).toBe(false);
});

test('a caller gets a third of the slots, and another caller gets one of the rest', async () => {
  const slots = createBulkhead(6);
  for (const _ of Array.from({ length: 2 })) expect(await slots.acquire(0, 'one')).toBe(true);
  expect(await hasRoom(slots, 'one')).toBe(false);
  expect(await slots.acquire(0, 'one')).toBe(false);
  expect(await hasRoom(slots, 'two')).toBe(true);
  expect(await slots.acquire(0, 'two')).toBe(true);
  expect(await hasRoom(slots)).toBe(true);
});

test('a slot that a caller releases is theirs again', async () => {
  const slots = createBulkhead(3);
  for (const _ of Array.from({ length: 2 })) expect(await slots.acquire(0, 'one')).toBe(true);
  expect(await hasRoom(slots, 'one')).toBe(false);
  slots.release('one');
  expect(await slots.acquire(0, 'one')).toBe(true);
  slots.release('one');
  slots.release('one');
  for (const _ of Array.from({ length: 3 })) expect(await slots.acquire(0)).toBe(true);
  expect(await hasRoom(slots)).toBe(false);
});

test('a caller at the threshold does not block the callers behind', async () => {
  const slots = createBulkhead(3);
  for (const caller of ['one', 'one', 'two']) expect(await slots.acquire(0, caller)).toBe(true);
  const order: string[] = [];
  const wait = (caller: string) => slots.acquire(10_000, caller).then(() => order.push(caller));
  const waiting = [wait('one'), wait('three')];
  slots.release('two');
  await waiting[1];
  expect(order).toEqual(['three']);
  slots.release('one');
  slots.release('one');
  await waiting[0];
  expect(order).toEqual(['three', 'one']);
});

const networks = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => name(index));

/** Each caller has ten calls that hang: the oldest ends at last, and its caller sends another one. */
const hang = async (slots: Bulkhead, callers: readonly string[]) => {
  const holders: string[] = [];
  const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
  const send = (caller: string): void => void slots.acquire(600_000, caller).then(() => holders.push(caller));
  const endOldest = async (isRepeated: boolean): Promise<void> => {
    const caller = holders.shift() ?? '';
    slots.release(caller);
    if (isRepeated) send(caller);
    await settled();
  };
  for (const caller of callers) for (let call = 0; call < 10; call += 1) send(caller);
  await settled();
  return {
    /** Every call that has a slot ends once. */
    async endAll() {
      for (let calls = holders.length; calls > 0; calls -= 1) await endOldest(true);
    },
    async close() {
      while (holders.length > 0) await endOldest(false);
    },
  };
};

const VICTIM = '4:198.51.100.7';

test.each([
  ['10 networks', networks(10, (index) => `4:10.0.${index}.1`)],
  ['64 networks of one /24', networks(64, (index) => `4:10.0.0.${index}`)],
  ['64 networks of one /48', networks(64, (index) => `6:2001:db8:1:${index}`)],
])('a caller gets one of 20 slots at once while %s send calls that hang', async (_, callers) => {
  const slots = createBulkhead(20);
  const { endAll, close } = await hang(slots, callers);
  for (let round = 0; round < 3; round += 1) {
    expect(await hasRoom(slots, VICTIM)).toBe(true);
    await endAll();
  }
  await close();
});

test('a caller gets one of 20 slots at once after the first calls of 19 networks that hang, not of 20', async () => {
  for (const [count, isFree] of [
    [19, true],
    [20, false],
  ] as const) {
    const slots = createBulkhead(20);
    const { endAll, close } = await hang(
      slots,
      networks(count, (index) => `6:2001:db8:${index}:1`),
    );
    for (let round = 0; round < 3; round += 1) {
      await endAll();
      expect(await hasRoom(slots, VICTIM)).toBe(isFree);
    }
    await close();
  }
});

const createBudget = (options: Partial<RetryBudgetOptions> = {}) =>
  createRetryBudget({ requestsPerRetry: 3, maxSavedRetries: 2, ...options });

/** @returns the number of retries until the budget is empty */
const withdrawAll = (budget: ReturnType<typeof createBudget>, caller?: string): number => {
  let retries = 0;
  while (retries < 100 && budget.withdraw(caller)) retries += 1;
  return retries;
};

const deposit = (budget: ReturnType<typeof createBudget>, requests: number, caller?: string): void => {
  for (let index = 0; index < requests; index += 1) budget.deposit(caller);
};

test.each([
  [2, 0],
  [3, 1],
  [5, 1],
  [6, 2],
  [60, 2],
])(
  'the common budget after %i requests has %i retries: one per three requests, and no more than it saves',
  (requests, retries) => {
    const budget = createBudget();
    withdrawAll(budget);
    deposit(budget, requests);
    expect(withdrawAll(budget)).toBe(retries);
  },
);

describe('the budget of a caller', () => {
  test('grows by the requests of the caller only, and saves no more than the common one', () => {
    const budget = createBudget({ maxSavedRetries: 3 });
    deposit(budget, 3, 'b');
    expect([withdrawAll(budget, 'a'), withdrawAll(budget, 'b')]).toEqual([1, 1]);
    deposit(budget, 6, 'a');
    expect(withdrawAll(budget, 'a')).toBe(2);
    deposit(budget, 60, 'a');
    expect(withdrawAll(budget, 'a')).toBe(3);
  });

  test('is not charged for a retry that the common budget refuses', () => {
    const budget = createBudget();
    withdrawAll(budget);
    expect(budget.withdraw('a')).toBe(false);
    deposit(budget, 3);
    expect(budget.withdraw('a')).toBe(true);
  });
});
