import { expect, test } from 'vitest';
import { createSlots } from '../../../shared/upstream/slots.ts';

test('as many enter at once as there are slots, the rest in order of arrival', async () => {
  const slots = createSlots(2);
  const order: number[] = [];
  const enter = async (number: number) => {
    expect(await slots.enter(10_000)).toBe(true);
    order.push(number);
  };
  const all = [1, 2, 3, 4].map(enter);
  await Promise.all(all.slice(0, 2));
  expect(order).toEqual([1, 2]);
  slots.leave();
  await all[2];
  slots.leave();
  await all[3];
  expect(order).toEqual([1, 2, 3, 4]);
});

test('who waits too long gives up and takes no slot', async () => {
  const slots = createSlots(1);
  expect(await slots.enter(10_000)).toBe(true);
  expect(await slots.enter(5)).toBe(false);
  slots.leave();
  expect(await slots.enter(5)).toBe(true);
  expect(await slots.enter(5)).toBe(false);
});
