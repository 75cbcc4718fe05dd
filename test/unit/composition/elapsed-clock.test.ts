import { afterEach, expect, test, vi } from 'vitest';
import { createElapsedClock, waitingClock } from '../../../shared/composition/environment.ts';

const HOUR = 3_600_000;

afterEach(() => void vi.restoreAllMocks());

test.each([
  ['outside of Lambda', false, [0, 5000, 5000, 65_000]],
  // A frozen function cannot tell a pause from a jump, and forgets rather than keeps what is old.
  ['in Lambda', true, [0, 5000, 5000 + HOUR, 65_000 + HOUR]],
])(
  'a clock that jumps back, forth and back by an hour changes durations %s only by its pauses',
  (_, isLambda, seen) => {
    let [running, ahead] = [1_000_000, 1_795_000_000_000];
    vi.spyOn(performance, 'now').mockImplementation(() => running + 0.7);
    vi.spyOn(Date, 'now').mockImplementation(() => running + ahead);
    const clock = createElapsedClock(isLambda);
    const start = clock();
    const durations = [clock() - start];
    for (const [jump, milliseconds] of [
      [-HOUR, 5000],
      [HOUR, 0],
      [-HOUR, 60_000],
    ] as const) {
      ahead += jump;
      running += milliseconds;
      durations.push(clock() - start);
    }
    expect(durations).toEqual(seen);
  },
);

test('the clock of waiting stands still while the process is busy, and goes on while it waits', async () => {
  const start = waitingClock();
  const end = performance.now() + 100;
  while (performance.now() < end);
  expect(waitingClock()).toBe(start);
  // A loaded machine may suspend the process for the whole of one delay.
  while (waitingClock() === start) await new Promise((done) => setTimeout(done, 20));
  expect(waitingClock()).toBeGreaterThan(start);
});
