// Creates the clocks of all durations. They are monotonic, so a correction of the system's time changes no duration.
import { performance as nodePerformance } from 'node:perf_hooks';
import type { Clock } from '../ports/system.ts';

/** Smaller differences are corrections of the system's time in small steps. */
const STEP_MILLISECONDS = 1000;

/**
 * The monotonic clock can stop while Lambda has frozen the function, but what is kept in memory and connections grow older.
 * There a step of the system's time forwards is taken for such a pause. A step backwards never counts.
 *
 * @param countsPauses true in Lambda
 */
export const createElapsedClock = (countsPauses: boolean): Clock => {
  // Whole milliseconds, because windows are named by their start.
  const monotonic = (): number => Math.floor(performance.now());
  if (!countsPauses) return monotonic;
  let ahead = Date.now() - monotonic();
  let pauses = 0;
  return () => {
    const running = monotonic();
    const step = Date.now() - running - ahead;
    if (Math.abs(step) >= STEP_MILLISECONDS) {
      pauses += Math.max(0, step);
      ahead += step;
    }
    return running + pauses;
  };
};

/** One for all ports of the process, because they compare times. Lambda sets the variable. */
export const elapsedClock = createElapsedClock(process.env['AWS_LAMBDA_FUNCTION_NAME'] !== undefined);

/** Counts only the milliseconds in which the event loop of this process waits: it stands still while the process is busy. */
export const waitingClock: Clock = () => nodePerformance.eventLoopUtilization().idle;
