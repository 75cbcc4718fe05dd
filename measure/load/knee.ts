// Searches the knee of a route: the highest rate that it serves.

import type { LoadRoute } from './load-routes.ts';
import { type Condition, countServed, type LoadSettings, type Measured, measure } from './measure-load.ts';
import { percentile } from './open-loop.ts';
import type { LoadStand } from './stand.ts';

/** The conditions in which the knee is searched. */
export const kneeConditions = ['cached', 'uncached', 'keyed'] as const satisfies readonly Condition[];

/** A rate is served if the 99th percentile stays below. */
export const KNEE_MILLISECONDS = 250;

/** The queue does not grow: no more requests wait at the end than arrive in the bound of the latency. */
const isServed = ({ rate, result }: Measured): boolean =>
  percentile(result.latencies, 0.99) <= KNEE_MILLISECONDS &&
  result.inFlightAtEnd <= Math.max(5, (rate * KNEE_MILLISECONDS) / 1000) &&
  countServed(result) === result.sent + result.leftOut;

export interface Knee {
  /** Requests per second; 0: not even the first rate was served. */
  readonly rate: number;
  /** The generator was late itself, or the search ended, so the service can serve more. */
  readonly isAtLeast: boolean;
  readonly cpuPerRequest: number;
}

const FIRST_RATE = 50;
const LAST_RATE = 6400;

/** A step that another program on the machine disturbed is measured once more. */
const isServedAt = async (
  stand: LoadStand,
  route: LoadRoute,
  condition: Condition,
  settings: LoadSettings,
  rate: number,
): Promise<readonly [Measured, boolean]> => {
  const first = await measure(stand, route, condition, settings, rate);
  if (isServed(first)) return [first, true];
  const second = await measure(stand, route, condition, settings, rate);
  return [second, isServed(second)];
};

/** Doubles the rate until it is not served, and then tries a rate between. */
export const findKnee = async (
  stand: LoadStand,
  route: LoadRoute,
  condition: Condition,
  settings: LoadSettings,
): Promise<Knee> => {
  let best: Measured | undefined;
  let failed: Measured | undefined;
  for (let rate = FIRST_RATE; rate <= LAST_RATE && failed === undefined; rate *= 2) {
    const [measured, served] = await isServedAt(stand, route, condition, settings, rate);
    if (served) best = measured;
    else failed = measured;
  }
  if (best !== undefined && failed !== undefined) {
    const between = Math.round(best.rate * Math.SQRT2);
    const [measured, served] = await isServedAt(stand, route, condition, settings, between);
    if (served) best = measured;
    else failed = measured;
  }
  const isGeneratorLate = failed !== undefined && failed.result.lateness > KNEE_MILLISECONDS / 2;
  return {
    rate: best?.rate ?? 0,
    isAtLeast: failed === undefined || isGeneratorLate,
    cpuPerRequest: best?.cpuPerRequest ?? Number.NaN,
  };
};
