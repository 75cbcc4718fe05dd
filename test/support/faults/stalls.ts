// Measures for how long this process waited for a processor of a busy machine.
//
// The providers, the service and the callers share the process, so a late timer alone proves nothing: the service itself may
// have occupied the processor. Only lateness beyond the processor time of the process counts. Threads of the process can
// hide a stall by their processor time, but no work of the service is ever a stall.

const TICK_MILLISECONDS = 20;

interface Stall {
  readonly endedAt: number;
  readonly milliseconds: number;
}

const stalls: Stall[] = [];

/**
 * @param elapsed milliseconds from one tick to the next
 * @param processor milliseconds that the process used in this time, on all processors
 * @returns 0 up to the length of a tick, because timers are not exact
 */
const stallIn = (elapsed: number, processor: number): number => {
  const unexplained = elapsed - TICK_MILLISECONDS - processor;
  return unexplained > TICK_MILLISECONDS ? unexplained : 0;
};

/** Milliseconds of all processors that this process has used. */
const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** @returns ends the measurement */
export const meterStalls = (): (() => void) => {
  let tickedAt = performance.now();
  let usedAtTick = processorTime();
  const timer = setInterval(() => {
    const now = performance.now();
    const used = processorTime();
    const milliseconds = stallIn(now - tickedAt, used - usedAtTick);
    if (milliseconds > 0) stalls.push({ endedAt: now, milliseconds });
    tickedAt = now;
    usedAtTick = used;
  }, TICK_MILLISECONDS);
  return () => clearInterval(timer);
};

/** @param startedAt a time of `performance.now` @returns the milliseconds of each stall that ended since then */
export const stallsSince = (startedAt: number): readonly number[] =>
  stalls.slice(stalls.findLastIndex(({ endedAt }) => endedAt <= startedAt) + 1).map(({ milliseconds }) => milliseconds);
