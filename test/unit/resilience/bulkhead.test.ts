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

test('a caller gets two thirds of the slots, and another caller gets one of the rest', async () => {
  const slots = createBulkhead(6);
  for (const _ of Array.from({ length: 4 })) expect(await slots.acquire(0, 'one')).toBe(true);
  expect(slots.hasRoom('one')).toBe(false);
  expect(await slots.acquire(0, 'one')).toBe(false);
  expect(slots.hasRoom('two')).toBe(true);
  expect(await slots.acquire(0, 'two')).toBe(true);
  expect(slots.hasRoom()).toBe(true);
});

test('a slot that a caller releases is theirs again', async () => {
  const slots = createBulkhead(3);
  for (const _ of Array.from({ length: 2 })) expect(await slots.acquire(0, 'one')).toBe(true);
  expect(slots.hasRoom('one')).toBe(false);
  slots.release('one');
  expect(await slots.acquire(0, 'one')).toBe(true);
  slots.release('one');
  slots.release('one');
  for (const _ of Array.from({ length: 3 })) expect(await slots.acquire(0)).toBe(true);
  expect(slots.hasRoom()).toBe(false);
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
