// Measures CPU time, which other programs on the machine hardly change. Only ratios within one run are comparable.
import { clocksOf } from '../../test/support/clocks.ts';

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** A sample is as many calls as take this time, because one call can be shorter than the resolution of the CPU clock. */
const SAMPLE_MICROSECONDS = 1000;
/** Calls before the first sample, until the code is compiled. */
const WARM_UP_MICROSECONDS = 400_000;

/** User and system time of all threads of this process, with garbage collection. */
const cpuMicroseconds = async (task: () => unknown, calls: number): Promise<number> => {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await task();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/** @returns the number of calls in a sample */
const warmUp = async (task: () => unknown): Promise<number> => {
  let calls = 0;
  let spent = 0;
  for (let next = 1; spent < WARM_UP_MICROSECONDS; next = Math.min(2 * next, 1000)) {
    calls = next;
    spent += await cpuMicroseconds(task, calls);
  }
  const perCall = (await cpuMicroseconds(task, calls)) / calls;
  return Math.max(1, Math.ceil(SAMPLE_MICROSECONDS / perCall));
};

/**
 * Measures tasks in turns, so that a change of the machine concerns all of them.
 *
 * @param milliseconds of CPU time for each task in a round
 * @returns microseconds per call of each task: the median of the samples of all rounds
 */
export const microseconds = async <Name extends string>(
  tasks: Readonly<Record<Name, () => unknown>>,
  rounds = 10,
  milliseconds = 80,
): Promise<Record<Name, number>> => {
  const names = Object.keys(tasks) as Name[];
  const calls = new Map<Name, number>();
  for (const name of names) calls.set(name, await warmUp(tasks[name]));
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const count = calls.get(name) ?? 1;
      for (let spent = 0; spent < milliseconds * 1000; ) {
        const sample = await cpuMicroseconds(tasks[name], count);
        spent += sample;
        samples.get(name)?.push(sample / count);
      }
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<Name, number>;
};

/** @throws an error if an answer lacks the text: a ratio to the time of an error says nothing */
export const requireText = (text: string, answers: Readonly<Record<string, unknown>>): void => {
  for (const [name, answer] of Object.entries(answers)) {
    const written = JSON.stringify(answer) ?? '';
    if (!written.includes(text)) throw new Error(`${name} answered ${written.slice(0, 300)}`);
  }
};

/** Every handler that is measured has them. */
export const BENCH_PORTS = {
  ...clocksOf(Date.now),
  log: () => undefined,
  settings: { originSecrets: ['local'], baseUrl: 'https://postern.example', cacheTtlSeconds: 300 },
};

export interface Row {
  readonly name: string;
  /** The median, if there are several runs. */
  readonly value: number;
  readonly unit: 'ratio' | 'us' | 's' | 'kB' | 'calls';
  /** The upper bound of the value. */
  readonly bar?: number;
  /** The smallest and the largest value of several runs. */
  readonly spread?: readonly [number, number];
}

export const microsecondsRow = (name: string, value: number): Row => ({ name, value, unit: 'us' });

export const ratioRow = (name: string, value: number, bar?: number): Row => ({
  name,
  value,
  unit: 'ratio',
  ...(bar !== undefined && { bar }),
});
