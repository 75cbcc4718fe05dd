// Runs in each worker of a mutation run, before the tests: activates one mutant, or records which mutants the tests
// reach. Ends the process if a mutant keeps the tests from ending.
import { appendFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, inject } from 'vitest';

declare global {
  var $mutant: ((id: number) => boolean) | undefined;
}

export interface ProvidedMutation {
  /** The id of the active mutant, or 0. */
  readonly active: number;
  /** The file to which each test file appends the mutants that it reaches. */
  readonly log?: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    mutation: ProvidedMutation;
  }
}

/** No test file needs that long; a mutant that loops forever does. */
const LIMIT_MILLISECONDS = 180_000;

const { active, log } = inject('mutation');

if (log !== undefined) {
  const reached = new Set<number>();
  globalThis.$mutant = (id) => {
    reached.add(id);
    return false;
  };
  afterAll(() => appendFileSync(log, `${JSON.stringify({ test: expect.getState().testPath, ids: [...reached] })}\n`));
} else {
  globalThis.$mutant = (id) => id === active;
  const watchdog = new Worker(`setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${LIMIT_MILLISECONDS})`, {
    eval: true,
  });
  watchdog.unref();
  afterAll(() => watchdog.terminate());
}
