// Limits requests of posts, translations and pictures that call a provider to FAIR_USE per client network. Posts need no API key and spend no
// allowance. The count is in the memory of each instance, so the limit of the service is a multiple; in return, it needs
// no table, and no store can fail a post request.
import { FAIR_USE } from '../contract/allowances.ts';
import { problem } from '../contract/problems.ts';
import { elapsed } from '../model/time.ts';
import type { FairUse } from '../ports/access-control.ts';
import type { Counter } from '../ports/stores.ts';
import type { Clock } from '../ports/system.ts';
import type { Requester } from '../ports/upstream.ts';
import { createMemoryCounterStore } from '../stores/memory-counter-store.ts';
import { secondsUntil, windowAt } from './window.ts';

export const createFairUse = (clock: Clock, networkOf: (ip: string | undefined) => string): FairUse => {
  // The windows are of this process alone, so they start with it.
  const startedAt = clock();
  const age = (): number => elapsed(startedAt, clock());
  const counters = createMemoryCounterStore(age);

  const charge = async (caller: string, reads: number): Promise<void> => {
    const now = age();
    const { startsAt, endsAt } = windowAt(now, FAIR_USE, caller);
    const counter: Counter = {
      partition: caller,
      startsAt,
      limit: FAIR_USE.count,
      expiresAt: Math.ceil(endsAt / 1000),
    };
    const { admitted } = await counters.charge(counter, reads);
    if (admitted) return;
    const wait = secondsUntil(endsAt, now);
    throw problem('rate_limited', {
      retryAfter: wait,
      detail: `Fair use is ${FAIR_USE.count} posts per ${FAIR_USE.seconds} seconds for one client network. Retry in ${wait} seconds.`,
    });
  };

  const requesterOf = (caller: string, reads: number): Requester => {
    let charged: Promise<void> | undefined;
    return {
      caller,
      admit() {
        charged ??= charge(caller, reads);
        return charged;
      },
      forAnotherRead: () => requesterOf(caller, reads),
    };
  };

  return { requesterAt: (ip, reads = 1) => requesterOf(networkOf(ip), reads) };
};
