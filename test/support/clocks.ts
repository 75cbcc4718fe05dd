// Makes the two clocks of ports from one time. As in a service that has just started, a reading of the monotonic clock is far
// from every instant.
import { type Monotonic, monotonic } from '../../shared/model/time.ts';
import type { Clock, WallClock } from '../../shared/ports/system.ts';

/** When the process of the tests began to count. */
const PROCESS_START = Date.parse('2026-11-21T11:58:30Z');

export interface Clocks {
  readonly clock: Clock;
  readonly wall: WallClock;
}

/** The reading of the monotonic clock at an instant. */
export const readingAt = (instant: number): Monotonic => monotonic(instant - PROCESS_START);

/** @param now in milliseconds since 1970 */
export const clocksOf = (now: () => number): Clocks => ({
  clock: () => readingAt(now()),
  wall: { now },
});
