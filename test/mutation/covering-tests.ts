// Finds the tests that import a source file, directly or through other files.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Suites that start processes, bundle, synthesize or measure: too slow to run once for each mutant. */
const SLOW =
  /^test\/(?:(?:local|tools|browser|exact|client|week)\/|functions\/response-size|unit\/(?:regular-expressions|rate-limit\/multi-process|render\/hostile))/;

const SPECIFIER = /from '(\.[^']+\.ts)'/g;

export interface CoveringTests {
  /** The tests of the folder, and the tests with the shortest chain of imports. */
  readonly nearest: readonly string[];
  readonly others: readonly string[];
}

/** Tests with the shortest chain of imports that count as nearest. */
const SHORTEST_CHAINS = 4;

/** @returns true for a test of the folder of the file: `test/unit/http/` and `test/verification/` */
export const isOfFolder = (test: string, file: string): boolean => {
  const folder = file.split('/')[1];
  return test.startsWith(`test/unit/${folder}/`) || test.startsWith(`test/${folder}/`);
};

export type FindCoveringTests = (file: string) => CoveringTests;

/** @param root absolute path of the repository */
export const createCoveringTestFinder = (root: string): FindCoveringTests => {
  const importersOf = new Map<string, string[]>();
  for (const file of globSync('{shared,functions,infra,test}/**/*.ts', { cwd: root })) {
    for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(SPECIFIER)) {
      const target = join(file, '..', specifier);
      importersOf.set(target, [...(importersOf.get(target) ?? []), file]);
    }
  }
  return (file) => {
    const reached = new Set([file]);
    for (const current of reached) for (const importer of importersOf.get(current) ?? []) reached.add(importer);
    const tests = [...reached].filter((test) => test.endsWith('.test.ts') && !SLOW.test(test));
    const nearest = tests.filter((test, index) => index < SHORTEST_CHAINS || isOfFolder(test, file));
    return { nearest, others: tests.filter((test) => !nearest.includes(test)) };
  };
};
