// Takes medians of interleaved rounds. Absolute times on a shared machine vary; ratios within one run are comparable.
import { Bench } from 'tinybench';

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** Returns the microseconds per call of each task: the median over rounds of the median of a round. */
export const microseconds = async <Name extends string>(
  tasks: Readonly<Record<Name, () => unknown>>,
  rounds = 7,
  milliseconds = 120,
): Promise<Record<Name, number>> => {
  const names = Object.keys(tasks) as Name[];
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 4 });
      bench.add(name, () => tasks[name]());
      const [task] = await bench.run();
      const result = task?.result;
      if (result !== undefined && 'latency' in result) samples.get(name)?.push(result.latency.p50 * 1000);
      else throw new Error(`${name} did not run`);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<Name, number>;
};

export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ratio' | 'us' | 's' | 'kB' | 'calls';
  /** The upper bound of the value. */
  readonly bar?: number;
}
