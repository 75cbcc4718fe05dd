import { expect, onTestFinished, test, vi } from 'vitest';
import { createStoreConnection, createStoreGuard } from '../../../shared/stores/store-guard.ts';
import { testClock } from '../../support/limiter.ts';

test('the first calls of an instance share 1 s of extra time', () => {
  const clock = testClock();
  const { setupMilliseconds, recordCall } = createStoreConnection(clock.now);
  expect(setupMilliseconds()).toBe(1000);
  clock.wait(400);
  recordCall();
  expect(setupMilliseconds()).toBe(600);
  clock.wait(600);
  expect(setupMilliseconds()).toBe(0);
});

test('the first calls after 30 s without a call have extra time again', () => {
  const clock = testClock();
  const { setupMilliseconds, recordCall } = createStoreConnection(clock.now);
  setupMilliseconds();
  clock.wait(1000);
  recordCall();
  clock.wait(29_999);
  expect(setupMilliseconds()).toBe(0);
  clock.wait(1);
  expect(setupMilliseconds()).toBe(1000);
});

test('[keys 6] concurrent first calls on an instance without a connection are no failures of the store', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = testClock();
  const lines: unknown[] = [];
  const options = { clock: clock.now, log: (line: unknown) => void lines.push(line), random: () => 0.5 };
  // Longer than a call may take once connections exist.
  const slow = () => new Promise<string>((resolve) => setTimeout(() => resolve('an answer'), 200));
  const limits = { deadline: clock.now() + 1350, attempts: 1 };
  const cold = createStoreGuard('keys', { ...options, connection: createStoreConnection(clock.now) });
  const burst = Promise.all(Array.from({ length: 30 }, () => cold(slow, limits)));
  await vi.advanceTimersByTimeAsync(200);
  expect(await burst).toEqual(Array(30).fill({ ok: true, value: 'an answer' }));
  expect(lines).toEqual([]);
  const warm = createStoreGuard('keys', options);
  const late = warm(slow, limits);
  await vi.advanceTimersByTimeAsync(200);
  expect(await late).toEqual({ ok: false });
});
