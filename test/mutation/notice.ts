// Decides whether tests notice a mutant. A failure counts only if the failed file passes again without the mutant: after
// hundreds of runs in one vitest, files also failed without a mutant.
import type { TestRunner } from './test-runner.ts';

/** `discarded`: a file did not start, or failed without the mutant as well, so the runner says nothing about the mutant. */
type TestResult = 'noticed' | 'not noticed' | 'discarded';

/** The first attempt and two in new runners. */
const MAX_ATTEMPTS = 3;

const passesWithoutMutant = async (runner: TestRunner, tests: readonly string[]): Promise<boolean> => {
  const { results, hasOtherErrors } = await runner.run(0, tests);
  return !hasOtherErrors && results.every(({ state }) => state === 'passed');
};

const verdictOf = async (runner: TestRunner, mutant: number, tests: readonly string[]): Promise<TestResult> => {
  const { results, hasOtherErrors } = await runner.run(mutant, tests);
  const failed = results.filter(({ state }) => state === 'failed').map(({ test }) => test);
  if (failed.length === 0 && results.some(({ state }) => state === 'unstarted')) return 'discarded';
  if (failed.length === 0 && !hasOtherErrors) return 'not noticed';
  // One file is enough. An error that belongs to no file can come from each.
  const suspects = failed.length > 0 ? failed.slice(0, 1) : tests;
  return (await passesWithoutMutant(runner, suspects)) ? 'noticed' : 'discarded';
};

const verdictOfAll = async (
  runner: TestRunner,
  mutant: number,
  batches: readonly (readonly string[])[],
): Promise<TestResult> => {
  for (const tests of batches) {
    const verdict = await verdictOf(runner, mutant, tests);
    if (verdict !== 'not noticed') return verdict;
  }
  return 'not noticed';
};

export interface RenewableRunner extends TestRunner {
  /** Replaces the runner by a new one. */
  readonly renew: () => Promise<void>;
}

export const createRenewableRunner = async (create: () => Promise<TestRunner>): Promise<RenewableRunner> => {
  let runner = await create();
  return {
    run: (mutant, tests) => runner.run(mutant, tests),
    survey: (tests) => runner.survey(tests),
    close: () => runner.close(),
    async renew() {
      await runner.close();
      runner = await create();
    },
  };
};

/**
 * @param batches of test files that run one after the other until one notices; the cheapest file of a batch is the first
 * @throws if each attempt is discarded
 */
export const isNoticed = async (
  runner: RenewableRunner,
  mutant: number,
  batches: readonly (readonly string[])[],
): Promise<boolean> => {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const verdict = await verdictOfAll(runner, mutant, batches);
    if (verdict !== 'discarded') return verdict === 'noticed';
    console.log(`discarded: attempt ${attempt} of mutant ${mutant}`);
    await runner.renew();
  }
  throw new Error(`tests fail with and without mutant ${mutant}`);
};
