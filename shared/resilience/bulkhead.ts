// A bound on calls in flight, shared among callers: the more slots are taken, the fewer one caller may hold, so that calls
// that hang hold up mostly the caller who sent them. The rule is that of dynamic queue thresholds in packet switches: a caller
// may hold twice as many slots as are free. One caller alone gets two thirds of them, and some are always left for the
// next one. A call that finds no slot waits a while for one, in order of arrival.

/** How many slots a caller may hold for each free one. */
const MAX_SLOTS_PER_FREE_SLOT = 2;

export interface Bulkhead {
  /**
   * @param caller whose calls share a part of the slots; unset: bounded by their number alone
   * @returns whether a slot was had within the time; it must then be left
   */
  acquire(milliseconds: number, caller?: string): Promise<boolean>;
  release(caller?: string): void;
}

interface Waiting {
  readonly caller: string | undefined;
  settle(entered: boolean): void;
}

export const createBulkhead = (count: number): Bulkhead => {
  let free = count;
  const held = new Map<string, number>();
  const queue = new Set<Waiting>();

  const mayTake = (caller: string | undefined): boolean =>
    free > 0 && (caller === undefined || (held.get(caller) ?? 0) < MAX_SLOTS_PER_FREE_SLOT * free);

  const hold = (caller: string | undefined, change: 1 | -1): void => {
    free -= change;
    if (caller === undefined) return;
    const calls = (held.get(caller) ?? 0) + change;
    if (calls === 0) held.delete(caller);
    else held.set(caller, calls);
  };

  const serveQueue = (): void => {
    for (const waiting of queue) {
      if (free === 0) return;
      if (!mayTake(waiting.caller)) continue;
      hold(waiting.caller, 1);
      waiting.settle(true);
    }
  };

  return {
    async acquire(milliseconds, caller) {
      if (mayTake(caller)) {
        hold(caller, 1);
        return true;
      }
      return new Promise((resolve) => {
        const waiting: Waiting = {
          caller,
          settle(entered) {
            clearTimeout(timer);
            queue.delete(waiting);
            resolve(entered);
          },
        };
        const timer = setTimeout(() => waiting.settle(false), milliseconds);
        queue.add(waiting);
      });
    },
    release(caller) {
      hold(caller, -1);
      serveQueue();
    },
  };
};
