// Tests the write after a call that bills: it is never repeated, because a repeated one could give rows back twice.
import { expect, test } from 'vitest';
import type { PaidRowStore } from '../../../shared/ports/stores.ts';
import { createPaidRows } from '../../../shared/rate-limit/paid-rows.ts';
import { createStoreGuard } from '../../../shared/stores/store-guard.ts';
import { testClock } from '../../support/limiter.ts';

test('settle() writes once when the store loses the answer', async () => {
  const { now } = testClock();
  const calls = { reserve: 0, correct: 0 };
  const store: PaidRowStore = {
    reserve: async () => {
      calls.reserve += 1;
      return undefined;
    },
    correct: async () => {
      calls.correct += 1;
      throw new Error('the answer is lost');
    },
  };
  const log = (): void => undefined;
  const guard = createStoreGuard('counters', { clock: now, log, random: () => 0 });
  const rows = createPaidRows({ store, guard, ceiling: 2000, clock: now, log });
  const reservation = await rows.reserve(100, now() + 1000);
  await reservation?.settle(20);
  expect(calls).toEqual({ reserve: 1, correct: 1 });
});
