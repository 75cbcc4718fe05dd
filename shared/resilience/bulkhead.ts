// Bounds the concurrent calls to one provider and their retries, and shares both between callers.
import { createBoundedMap } from './bounded-map.ts';

// The retry budget bounds retries as a share of requests, so that retries never double the load of a failing provider.
// Requests deposit, a retry withdraws; a retry needs balance in the common budget and in the caller's own, so no caller
// spends the retries of others. Budgets of 1000 callers are kept; an evicted caller starts again as a new one.

export interface RetryBudgetOptions {
  /** Requests that pay for one retry. */
  readonly requestsPerRetry: number;
  /** Upper bound of the retries that a budget saves. */
  readonly maxSavedRetries: number;
}

export interface RetryBudget {
  /** Call it for each request. @param caller unset: only the common budget counts */
  deposit(caller?: string): void;
  /** @returns true if a retry was withdrawn */
  withdraw(caller?: string): boolean;
}

const MAX_CALLERS = 1000;

/** Each budget starts with one retry. */
export const createRetryBudget = ({ requestsPerRetry, maxSavedRetries }: RetryBudgetOptions): RetryBudget => {
  let requests = requestsPerRetry;
  const requestsByCaller = createBoundedMap<number>(MAX_CALLERS);
  const maxRequests = requestsPerRetry * maxSavedRetries;
  const requestsOf = (caller: string): number => requestsByCaller.get(caller) ?? requestsPerRetry;
  return {
    deposit(caller) {
      requests = Math.min(requests + 1, maxRequests);
      if (caller !== undefined) requestsByCaller.set(caller, Math.min(requestsOf(caller) + 1, maxRequests));
    },
    withdraw(caller) {
      if (requests < requestsPerRetry || (caller !== undefined && requestsOf(caller) < requestsPerRetry)) return false;
      requests -= requestsPerRetry;
      if (caller !== undefined) requestsByCaller.set(caller, requestsOf(caller) - requestsPerRetry);
      return true;
    },
  };
};

// The bulkhead bounds the concurrent calls to one provider.
//
// Half of the slots are for callers who hold none, and a tenth for callers whose surrounding network holds none. Of the
// other half, a caller may hold at most twice as many as are free (the dynamic threshold of packet switches). So one caller
// gets a third of the slots, and calls that hang delay the callers who sent them. Of 20 slots one is free for a further
// caller while 10 networks begin to send calls that hang, and while 19 networks have sent them for longer than a call takes.
// A call without a slot waits for one in order of arrival, up to its own time limit; a caller at the threshold does not
// block the callers behind. The queue is not bounded in length: each call in it ends within its time limit.

const MAX_SLOTS_PER_FREE_SLOT = 2;
const SLOTS_PER_SLOT_FOR_NEW_CALLERS = 2;
const SLOTS_PER_SLOT_FOR_NEW_NETWORKS = 10;

/** The /24 of an IPv4 address and the /48 of an IPv6 /64: the name of the caller's network without its last part. */
export const surroundingNetwork = (caller: string): string => caller.replace(/[.:][^.:]*$/, '');

export interface Bulkhead {
  /**
   * @param caller network whose calls share the threshold; unset: only the number of slots counts
   * @param signal ends the waiting
   * @returns true if a slot was acquired within the time; `release` must then follow once
   */
  acquire(milliseconds: number, caller?: string, signal?: AbortSignal): Promise<boolean>;
  release(caller?: string): void;
}

interface WaitingCall {
  readonly caller: string | undefined;
  settle(isAcquired: boolean): void;
}

export const createBulkhead = (count: number): Bulkhead => {
  let free = count;
  const forNewCallers = Math.floor(count / SLOTS_PER_SLOT_FOR_NEW_CALLERS);
  const forNewNetworks = Math.floor(count / SLOTS_PER_SLOT_FOR_NEW_NETWORKS);
  const held = new Map<string, number>();
  const queue = new Set<WaitingCall>();

  const heldBy = (name: string): number => held.get(name) ?? 0;

  const mayTake = (caller: string | undefined): boolean => {
    if (caller === undefined) return free > 0;
    const own = heldBy(caller);
    if (own > 0) return own < MAX_SLOTS_PER_FREE_SLOT * (free - forNewCallers);
    return free > (heldBy(surroundingNetwork(caller)) > 0 ? forNewNetworks : 0);
  };

  const hold = (caller: string | undefined, change: 1 | -1): void => {
    free -= change;
    for (const name of caller === undefined ? [] : new Set([caller, surroundingNetwork(caller)])) {
      const calls = heldBy(name) + change;
      if (calls === 0) held.delete(name);
      else held.set(name, calls);
    }
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
    async acquire(milliseconds, caller, signal) {
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
        signal?.addEventListener('abort', () => waiting.settle(false), { once: true });
        queue.add(waiting);
      });
    },
    release(caller) {
      hold(caller, -1);
      serveQueue();
    },
  };
};
