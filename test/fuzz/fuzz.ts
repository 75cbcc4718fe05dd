// A coverage-guided fuzzer: an input that reaches a new branch, or a branch a new number of times, joins the corpus, and
// further inputs are made from the corpus. Everything depends on the seed, except how many inputs fit into the time.
import fc from 'fast-check';
import { seededRandom } from '../support/random.ts';
import { COUNTERS, type CompiledTarget } from './instrument.ts';
import { minimized, mutated } from './mutate.ts';
import type { FuzzTarget } from './target.ts';

const SEEDS = 300;
const MAX_FINDINGS = 5;
/** Branches count apart when they are reached 1, 2, 3, 4, 8, 16, 32 and 128 times. */
const BUCKETS = [1, 2, 3, 4, 8, 16, 32, 128] as const;

/** A bit for each number of times; 0 for none. */
const bucketOf = (times: number): number => {
  let bit = 0;
  for (const [index, bound] of BUCKETS.entries()) if (times >= bound) bit = 1 << index;
  return bit;
};

export interface Finding {
  readonly input: string;
  readonly error: string;
}

export interface FuzzResult {
  readonly executions: number;
  readonly branches: number;
  /** Branches that any input reached. */
  readonly reached: number;
  /** Inputs that reached something new, among them the seeds. */
  readonly corpus: readonly string[];
  readonly findings: readonly Finding[];
}

export interface FuzzOptions {
  readonly seed: number;
  /** Returns false when the fuzzer must end. */
  readonly goesOn: (executions: number) => boolean;
  /** The number of inputs that the target generates first. @default 300 */
  readonly seeds?: number;
}

const errorOf = (judge: FuzzTarget['judge'], input: string): string | undefined => {
  try {
    judge(input);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

/** Errors with the same words have one cause, whatever input they quote. */
const causeOf = (error: string): string => error.replaceAll(/[^A-Za-z ]+/g, ' ').slice(0, 60);

export const fuzz = (
  { judge, seeds }: FuzzTarget,
  counters: Uint32Array,
  { dictionary }: CompiledTarget,
  { seed, goesOn, seeds: first = SEEDS }: FuzzOptions,
): FuzzResult => {
  const random = seededRandom(seed);
  Reflect.set(globalThis, COUNTERS, counters);
  const seen = new Uint8Array(counters.length);
  const corpus: string[] = [];
  const findings: Finding[] = [];
  let executions = 0;
  /** Branches at module load are not reached by an input. */
  const run = (input: string): void => {
    counters.fill(0);
    executions += 1;
    const error = errorOf(judge, input);
    let isNew = false;
    for (let branch = 0; branch < counters.length; branch += 1) {
      const times = counters[branch] ?? 0;
      if (times === 0) continue;
      const bit = bucketOf(times);
      const before = seen[branch] ?? 0;
      if ((before & bit) !== 0) continue;
      seen[branch] = before | bit;
      isNew = true;
    }
    if (isNew) corpus.push(input);
    if (error === undefined || findings.length >= MAX_FINDINGS) return;
    if (findings.some((finding) => causeOf(finding.error) === causeOf(error))) return;
    const shortest = minimized(input, (shorter) => causeOf(errorOf(judge, shorter) ?? '') === causeOf(error));
    findings.push({ input: shortest, error });
  };
  for (const input of ['', ...fc.sample(seeds, { seed, numRuns: first })]) run(input);
  while (goesOn(executions)) {
    // Younger inputs reached what is rare, so half of the choices fall on the last tenth.
    const from = random() < 0.5 ? Math.floor(corpus.length * 0.9) : 0;
    const parent = corpus[from + Math.floor(random() * (corpus.length - from))] ?? '';
    run(mutated(parent, { random, dictionary, corpus }));
  }
  const reached = seen.reduce((sum, bits) => sum + (bits === 0 ? 0 : 1), 0);
  return { executions, branches: counters.length, reached, corpus, findings };
};
