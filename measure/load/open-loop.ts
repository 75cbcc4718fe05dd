// Sends requests at a fixed rate, whatever the service does: an open loop. A request is due at an instant of a Poisson
// process, and its latency counts from that instant, so a stall of the service or of this process counts for every request
// that was due during the stall. The generators that npm has pace connections, each of which waits for its answer before
// it sends again, and then estimate the missing latencies; autocannon also sends the requests of a second in one burst.
import { setTimeout as delay } from 'node:timers/promises';

export interface OpenLoopOptions {
  /** Requests per second, on average. */
  readonly rate: number;
  readonly seconds: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Never rejects. @param index from 0 @returns a status, or a status with what it means */
  readonly send: (index: number) => Promise<string>;
}

export interface OpenLoopResult {
  readonly sent: number;
  /** Requests that were due, but not sent, because too many others had no answer. */
  readonly leftOut: number;
  /** Milliseconds from the instant at which a request was due to the end of its answer, ascending. */
  readonly latencies: readonly number[];
  readonly results: ReadonlyMap<string, number>;
  /** Requests without an answer at the end of the schedule. */
  readonly inFlightAtEnd: number;
  /** The 99th percentile of the milliseconds that this process sent too late. */
  readonly lateness: number;
}

/** With more requests without an answer, requests that are due are left out: the service is far beyond its limit. */
const MAX_IN_FLIGHT = 4000;

/** @param sorted ascending @param share 0 to 1 @returns NaN without values */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN;

/** @returns how many answers have a result that the test accepts */
export const countWhere = (results: OpenLoopResult['results'], test: (result: string) => boolean): number =>
  [...results].reduce((sum, [result, count]) => (test(result) ? sum + count : sum), 0);

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

const dueTimes = ({ rate, seconds, random }: OpenLoopOptions): readonly number[] => {
  const times: number[] = [];
  let at = 0;
  for (;;) {
    at += (-Math.log(1 - random()) / rate) * 1000;
    if (at >= seconds * 1000) return times;
    times.push(at);
  }
};

export const runOpenLoop = async (options: OpenLoopOptions): Promise<OpenLoopResult> => {
  const latencies: number[] = [];
  const late: number[] = [];
  const results = new Map<string, number>();
  const pending = new Set<Promise<void>>();
  const startedAt = performance.now();
  let sent = 0;
  let leftOut = 0;
  for (const due of dueTimes(options)) {
    const dueAt = startedAt + due;
    const wait = dueAt - performance.now();
    if (wait > 0) await delay(wait);
    if (pending.size > MAX_IN_FLIGHT) {
      leftOut += 1;
      continue;
    }
    late.push(performance.now() - dueAt);
    const request = options.send(sent).then((result) => {
      latencies.push(performance.now() - dueAt);
      results.set(result, (results.get(result) ?? 0) + 1);
      pending.delete(request);
    });
    pending.add(request);
    sent += 1;
  }
  const rest = startedAt + options.seconds * 1000 - performance.now();
  if (rest > 0) await delay(rest);
  const inFlightAtEnd = pending.size;
  await Promise.all(pending);
  return {
    sent,
    leftOut,
    latencies: ascending(latencies),
    results,
    inFlightAtEnd,
    lateness: percentile(ascending(late), 0.99),
  };
};
