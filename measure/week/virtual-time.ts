// Replaces the timers of this process by virtual ones, so that a week passes in a second. Time moves only from one timer to
// the next, and only when all promises have settled, so a run depends on nothing but its seed.

type Callback = (...args: readonly unknown[]) => void;

interface Timer {
  readonly at: number;
  /** Identifies the timer. Timers of one instant fire in this order. */
  readonly order: number;
  readonly fire: () => void;
}

export interface VirtualTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `fire` after some milliseconds. */
  after(milliseconds: number, fire: () => void): void;
  /** Resolves after some milliseconds of virtual time. */
  sleep(milliseconds: number): Promise<void>;
  /** Fires the timers in their order until the instant. */
  runUntil(instant: number): Promise<void>;
  /** Timers that are not fired and not cleared. */
  pending(): number;
  /** Puts the timers of the process back. */
  uninstall(): void;
}

/** A turn of the event loop settles all promises; a function may wait for two turns itself. */
const TURNS = 3;

/** @param start milliseconds since the epoch */
export const installVirtualTime = (start: number): VirtualTime => {
  const originals = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    timeout: AbortSignal.timeout,
  };
  const { setImmediate } = globalThis;
  /** The next one last. */
  const timers: Timer[] = [];
  const active = new Set<number>();
  let now = start;
  let orders = 0;

  const schedule = (milliseconds: number, fire: () => void): number => {
    orders += 1;
    const order = orders;
    active.add(order);
    // A clock has whole milliseconds.
    const at = now + Math.max(0, Math.ceil(milliseconds));
    let [low, high] = [0, timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((timers[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, { at, order, fire });
    return order;
  };

  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  Object.assign(globalThis, {
    setTimeout: (callback: Callback, milliseconds = 0, ...args: readonly unknown[]) =>
      schedule(milliseconds, () => callback(...args)),
    clearTimeout: (order: unknown) => void (typeof order === 'number' && active.delete(order)),
  });
  const timedOut = new DOMException('The operation timed out', 'TimeoutError');
  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    schedule(milliseconds, () => controller.abort(timedOut));
    return controller.signal;
  };

  return {
    now: () => now,
    after: (milliseconds, fire) => void schedule(milliseconds, fire),
    sleep: (milliseconds) => new Promise((resolve) => void schedule(milliseconds, resolve)),
    async runUntil(instant) {
      for (let turn = 0; turn < TURNS; turn += 1) await settle();
      for (let next = timers.at(-1); next !== undefined && next.at <= instant; next = timers.at(-1)) {
        timers.pop();
        if (!active.delete(next.order)) continue;
        now = next.at;
        next.fire();
        await settle();
        const following = timers.at(-1);
        if (following === undefined || following.at > now) for (let turn = 1; turn < TURNS; turn += 1) await settle();
      }
      now = Math.max(now, instant);
    },
    pending: () => active.size,
    uninstall() {
      Object.assign(globalThis, { setTimeout: originals.setTimeout, clearTimeout: originals.clearTimeout });
      AbortSignal.timeout = originals.timeout;
    },
  };
};
