import { expect, test } from 'vitest';
import { createBulkhead } from '../../../shared/resilience/bulkhead.ts';

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
