// Bounds the concurrent calls to one provider and shares the slots between callers.
//
// A caller may hold at most twice as many slots as are free (the dynamic threshold of packet switches). One caller gets
// two thirds of the slots, so calls that hang mostly delay the caller who sent them. A call without a slot waits for one
// in order of arrival, up to its own time limit; a caller at the threshold does not block the callers behind.
// The queue is not bounded in length: each call in it ends within its time limit.
const MAX_SLOTS_PER_FREE_SLOT = 2;

export interface Bulkhead {
  /**
   * @param caller identity whose calls share the threshold; unset: only the number of slots counts
   * @returns true if a slot was acquired within the time; `release` must then follow once
   */
  acquire(milliseconds: number, caller?: string): Promise<boolean>;
  release(caller?: string): void;
  /** @returns true if `acquire` would not wait */
  hasRoom(caller?: string): boolean;
}

interface WaitingCall {
  readonly caller: string | undefined;
  settle(isAcquired: boolean): void;
}

export const createBulkhead = (count: number): Bulkhead => {
  let free = count;
  const held = new Map<string, number>();
  const queue = new Set<WaitingCall>();

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
    hasRoom: mayTake,
    async acquire(milliseconds, caller) {
      if (mayTake(caller)) {
        hold(caller, 1);
        return true;
      }
      return new Promise((resolve) => {
        const waiting: WaitingCall = {
          caller,
          settle(isAcquired) {
            clearTimeout(timer);
            queue.delete(waiting);
            resolve(isAcquired);
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
