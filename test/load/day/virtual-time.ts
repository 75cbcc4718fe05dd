// Runs events in the order of a virtual clock. Between two events all promises that are ready continue, so asynchronous
// code runs as in real time, as long as it waits only for promises that events resolve.

interface TimedEvent {
  readonly at: number;
  /** Breaks ties: events at the same time run in the order in which they were added. */
  readonly order: number;
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

const isBefore = (a: TimedEvent, b: TimedEvent): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** A binary heap. */
const createQueue = () => {
  const heap: TimedEvent[] = [];
  const swap = (a: number, b: number): void => {
    const [first, second] = [heap[a], heap[b]];
    if (first === undefined || second === undefined) return;
    heap[a] = second;
    heap[b] = first;
  };
  const isLess = (a: number, b: number): boolean => {
    const [first, second] = [heap[a], heap[b]];
    return first !== undefined && second !== undefined && isBefore(first, second);
  };
  return {
    peek: (): TimedEvent | undefined => heap[0],
    push(event: TimedEvent): void {
      heap.push(event);
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (!isLess(index, parent)) return;
        swap(index, parent);
        index = parent;
      }
    },
    pop(): TimedEvent | undefined {
      const [first] = heap;
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return last;
      heap[0] = last;
      for (let index = 0; ; ) {
        const left = 2 * index + 1;
        const child = isLess(left + 1, left) ? left + 1 : left;
        if (!isLess(child, index)) return first;
        swap(index, child);
        index = child;
      }
    },
  };
};

/** The next turn of the event loop: all promises that were ready have continued. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const createVirtualTime = (start: number): VirtualTime => {
  const queue = createQueue();
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
