// The events of a simulation in the order of their time.

export interface TimedEvent {
  readonly at: number;
  /** Breaks ties: events at the same time run in the order in which they were added. */
  readonly order: number;
}

export interface EventQueue<Event extends TimedEvent> {
  push(event: Event): void;
  /** The first event, which stays. */
  peek(): Event | undefined;
  /** Takes the first event out. */
  pop(): Event | undefined;
}

/** A binary heap. */
export const createEventQueue = <Event extends TimedEvent>(): EventQueue<Event> => {
  const heap: Event[] = [];
  const swap = (left: number, right: number): void => {
    const [a, b] = [heap[left], heap[right]];
    if (a === undefined || b === undefined) return;
    heap[left] = b;
    heap[right] = a;
  };
  const isBefore = (left: number, right: number): boolean => {
    const [a, b] = [heap[left], heap[right]];
    return a !== undefined && b !== undefined && (a.at < b.at || (a.at === b.at && a.order < b.order));
  };
  return {
    push(event) {
      heap.push(event);
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (!isBefore(index, parent)) return;
        swap(index, parent);
        index = parent;
      }
    },
    peek: () => heap[0],
    pop() {
      swap(0, heap.length - 1);
      const first = heap.pop();
      for (let index = 0; ; ) {
        const [left, right] = [2 * index + 1, 2 * index + 2];
        const child = isBefore(right, left) ? right : left;
        if (!isBefore(child, index)) return first;
        swap(child, index);
        index = child;
      }
    },
  };
};
