// Bounds the calls to a pool of addresses while no address answers one kind of query. Without it every address has its own
// probes, so with ten addresses nearly every request finds one to wait for, and an outage of the provider occupies the
// service.
//
// Start. No address is trusted any more: each one is closed by its breaker, or its last calls failed. The failures that are
// needed of an address are those of a breaker, shared by the addresses that are not closed: one each if all ten fail
// together, and all five if one of them was the last that worked. So one failed call of that one is no outage.
//
// Probe. One call at a time asks one address, the one that was asked the longest ago. The next probe waits for 2.5 to 5 s
// after a failed one, at random, so that a caller waits for at most one, and the provider gets no more calls than with one
// address. All other calls are not sent. If the provider answers again at all addresses, the next probe finds it; if only at
// one of them, as many probes as there are addresses do.
//
// End. Any success ends it, and the breaker of each address decides again.
import type { Clock } from '../ports/system.ts';
import { QUERY_BREAKER } from './client-limits.ts';

/** The consecutive failures of an address; infinite: it is closed by a breaker. */
type Failures = number;

export interface PoolOutageOptions<Address> {
  readonly addresses: readonly Address[];
  failuresOf(address: Address): Failures;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** One call to the pool, which asks one address after the other. */
export interface PoolCall<Address> {
  /** @returns those of the candidates that the call may ask now */
  admitted(candidates: readonly Address[]): readonly Address[];
  /** Call it after an address got the call. */
  recordAsked(address: Address): void;
  /** Call it exactly once. */
  end(): void;
}

/** @returns a function that starts a call */
export const createPoolOutage = <Address>(options: PoolOutageOptions<Address>): (() => PoolCall<Address>) => {
  const { addresses, failuresOf, clock, random } = options;
  const askedAt = new Map<Address, number>();
  let asked = 0;
  let isOutage = false;
  let nextProbeAt = 0;
  let probe: PoolCall<Address> | undefined;

  const detect = (): boolean => {
    const failures = addresses.map(failuresOf);
    const unclosed = failures.filter(Number.isFinite);
    const needed = isOutage ? 1 : QUERY_BREAKER.failureThreshold / unclosed.length;
    isOutage = unclosed.every((count) => count >= needed);
    return isOutage;
  };

  return () => {
    let hasAsked = false;
    const call: PoolCall<Address> = {
      admitted(candidates) {
        if (!detect()) return candidates;
        if (hasAsked || probe !== undefined || clock() < nextProbeAt) return [];
        const [first, ...others] = candidates;
        if (first === undefined) return [];
        probe = call;
        const order = (address: Address): number => askedAt.get(address) ?? 0;
        return [others.reduce((oldest, other) => (order(other) < order(oldest) ? other : oldest), first)];
      },
      recordAsked(address) {
        hasAsked = true;
        asked += 1;
        askedAt.set(address, asked);
      },
      end() {
        const isProbe = probe === call;
        if (isProbe) probe = undefined;
        const starts = !isOutage;
        // Calls from before the outage do not postpone its probes.
        if (hasAsked && detect() && (isProbe || starts))
          nextProbeAt = clock() + QUERY_BREAKER.openMilliseconds * (0.5 + random() / 2);
      },
    };
    return call;
  };
};
