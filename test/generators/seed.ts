// Chooses generated input, and makes it reproducible: every case depends only on a seed and its number. A command
// prints both for each finding, so that `FUZZ_SEED=… npm run measure -- hostile --only NUMBER` generates the case
// again.
import fc from 'fast-check';

const DEFAULT_SEED = '20261121';

/** @returns FUZZ_SEED; a new seed if it is `random` */
export const readSeed = (text = process.env['FUZZ_SEED'] ?? DEFAULT_SEED): number =>
  text === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(text);

/** FUZZ_RUNS, the number of generated cases of a property. */
export const readRuns = (standard: number): number => Number(process.env['FUZZ_RUNS'] ?? standard);

/** One call of the library generates this many cases, because each call has a fixed cost. */
const CASES_AT_ONCE = 64;

/** @returns a function from the number of a case, counted from 0, to the case; fast for increasing numbers */
export const casesOf = <Case>(arbitrary: fc.Arbitrary<Case>, seed: number): ((number: number) => Case) => {
  let generated: { readonly block: number; readonly cases: readonly Case[] } | undefined;
  return (number) => {
    const block = Math.floor(number / CASES_AT_ONCE);
    if (generated?.block !== block)
      generated = { block, cases: fc.sample(arbitrary, { seed: seed + block * 7919, numRuns: CASES_AT_ONCE }) };
    const chosen = generated.cases[number % CASES_AT_ONCE];
    if (chosen === undefined) throw new Error(`no case ${number}`);
    return chosen;
  };
};

/** Chooses an arbitrary in proportion to its weight. */
export const weighted = <T>(
  ...choices: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]
): fc.Arbitrary<T> => fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
