// Grants extra time to store calls while an instance sets up its connections. The first calls include DNS, TCP and TLS, so
// without extra time a slow set-up would count as a failure of the store.
import type { Clock } from '../ports/system.ts';

const SETUP_MILLISECONDS = 1000;
/** After 30 s without a call the sockets may be closed: Lambda freezes instances, and DynamoDB closes idle sockets. */
const IDLE_MILLISECONDS = 30_000;

export interface StoreConnection {
  /** Extra milliseconds for a call that starts now: 0 to 1000. */
  setupMilliseconds(): number;
  /** Call it when a store call ends, with success or failure. */
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
