// Counts invalid API keys per client network and logs a warning for every 10th within 15 minutes. Responses do not change.
import type { OperatorEvent } from '../contract/metrics.ts';
import { elapsed, type Monotonic } from '../model/time.ts';
import type { Clock, Log } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';

const MAX_CALLERS = 10_000;
const MONITOR_MILLISECONDS = 900_000;
const EVENT: OperatorEvent = 'repeated_invalid_key';
/** A network is logged at every 10th, 20th, ... invalid key of its period. */
const LOG_EVERY = 10;

interface Count {
  readonly since: Monotonic;
  readonly rejections: number;
}

/** @param identity hash of the client network */
export type RecordInvalidKey = (identity: string) => void;

export const createInvalidKeyMonitor = (clock: Clock, log: Log): RecordInvalidKey => {
  const counts = createBoundedMap<Count>(MAX_CALLERS);
  return (identity) => {
    const last = counts.get(identity);
    const isRecent = last !== undefined && elapsed(last.since, clock()) < MONITOR_MILLISECONDS;
    const since = isRecent ? last.since : clock();
    const rejections = isRecent ? last.rejections + 1 : 1;
    counts.set(identity, { since, rejections });
    if (rejections % LOG_EVERY === 0) log({ level: 'warn', event: EVENT, caller: identity, rejections });
  };
};
