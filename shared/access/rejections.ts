// Who keeps trying keys that are none: the answer stays the same, but the operator hears of it.

import { createBoundedMap } from '../bounded-map.ts';
import type { AlarmingEventName } from '../contract/events.ts';
import type { Clock, Log } from '../ports.ts';

const MAX_CALLERS = 10_000;
const PERIOD_MILLISECONDS = 900_000;
const EVENT: AlarmingEventName = 'repeated_invalid_key';
/** Said again each time another so many have come. */
const REMARKABLE = 10;

interface Count {
  readonly since: number;
  readonly rejections: number;
}

export interface Rejections {
  /** @param identity of the caller: not readable as an address */
  note(identity: string): void;
}

export const createRejections = (clock: Clock, log: Log): Rejections => {
  const counts = createBoundedMap<Count>(MAX_CALLERS);
  return {
    note(identity) {
      const known = counts.get(identity);
      const isRecent = known !== undefined && clock() - known.since < PERIOD_MILLISECONDS;
      const since = isRecent ? known.since : clock();
      const rejections = isRecent ? known.rejections + 1 : 1;
      counts.set(identity, { since, rejections });
      if (rejections % REMARKABLE === 0) {
        log({ level: 'warn', event: EVENT, caller: identity, rejections });
      }
    },
  };
};
