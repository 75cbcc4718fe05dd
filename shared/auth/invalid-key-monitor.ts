// Who keeps trying keys that are none: the answer stays the same, but the operator hears of it.

import type { LogAlarmName } from '../contract/alarms.ts';
import type { Clock, Log } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';

const MAX_CALLERS = 10_000;
const PERIOD_MILLISECONDS = 900_000;
const EVENT: LogAlarmName = 'repeated_invalid_key';
/** Said again each time another so many have come. */
const LOG_EVERY = 10;

interface Count {
  readonly since: number;
  readonly rejections: number;
}

export interface InvalidKeyMonitor {
  /** @param identity of the caller: not readable as an address */
  record(identity: string): void;
}

export const createInvalidKeyMonitor = (clock: Clock, log: Log): InvalidKeyMonitor => {
  const counts = createBoundedMap<Count>(MAX_CALLERS);
  return {
    record(identity) {
      const known = counts.get(identity);
      const isRecent = known !== undefined && clock() - known.since < PERIOD_MILLISECONDS;
      const since = isRecent ? known.since : clock();
      const rejections = isRecent ? known.rejections + 1 : 1;
      counts.set(identity, { since, rejections });
      if (rejections % LOG_EVERY === 0) {
        log({ level: 'warn', event: EVENT, caller: identity, rejections });
      }
    },
  };
};
