// Whether an instance has connections to the store. Its first calls set them up, which may take longer than a call may
// otherwise take: for a moment all calls have more time, and being slow is not yet a failure of the store.
import type { Clock } from '../ports/system.ts';

const SETUP_MILLISECONDS = 1000;
/** After so long without a call the connection may be gone: Lambda freezes instances, and stores close idle sockets. */
const IDLE_MILLISECONDS = 30_000;

export interface StoreConnection {
  /** How much longer than otherwise a call may take that begins now. */
  setupMilliseconds(): number;
  /** To be told when a call ends, in whatever way. */
  recordCall(): void;
}

export const createStoreConnection = (clock: Clock): StoreConnection => {
  let lastCallAt = Number.NEGATIVE_INFINITY;
  let setupUntil = Number.NEGATIVE_INFINITY;
  return {
    setupMilliseconds() {
      const now = clock();
      if (now - lastCallAt >= IDLE_MILLISECONDS && now >= setupUntil) setupUntil = now + SETUP_MILLISECONDS;
      return Math.max(0, setupUntil - now);
    },
    recordCall() {
      lastCallAt = clock();
    },
  };
};
