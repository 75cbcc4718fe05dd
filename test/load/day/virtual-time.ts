// Runs events in the order of a virtual clock. Between two events all promises that are ready continue, so asynchronous
// code runs as in real time, as long as it waits only for promises that events resolve.
import { createEventQueue, type TimedEvent } from '../../support/event-queue.ts';

interface ScheduledEvent extends TimedEvent {
  /** @returns true if promises continue after the event */
  readonly run: () => boolean;
}

export interface VirtualTime {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** @param run returns true if promises continue after it */
  at(time: number, run: () => boolean): void;
  /** Resolves when the clock has advanced. */
  wait(milliseconds: number): Promise<void>;
  /** Runs the events before `end`, then sets the clock to `end`. */
  runUntil(end: number): Promise<void>;
}

/** The next turn of the event loop: all promises that were ready have continued. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const createVirtualTime = (start: number): VirtualTime => {
  const queue = createEventQueue<ScheduledEvent>();
  let clock = start;
  let order = 0;
  const at = (time: number, run: () => boolean): void => {
    order += 1;
    // Clocks of the service have whole milliseconds.
    queue.push({ at: Math.max(Math.ceil(time), clock), order, run });
  };
  return {
    now: () => clock,
    at,
    wait: (milliseconds) =>
      new Promise((resolve) => {
        at(clock + milliseconds, () => {
          resolve();
          return true;
        });
      }),
    async runUntil(end) {
      for (;;) {
        const event = queue.peek();
        if (event === undefined || event.at >= end) break;
        queue.pop();
        clock = event.at;
        if (event.run()) await nextTurn();
      }
      clock = end;
    },
  };
};
