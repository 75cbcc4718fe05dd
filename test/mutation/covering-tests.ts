// Finds the tests that import a source file, directly or through other files, the nearest first.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Suites that start processes, bundle, synthesize or measure: too slow to run once for each mutant. */
const SLOW =
  /^test\/(?:(?:local|infra|tools|browser|exact|client)\/|contract\/(?:readme|documentation)|functions\/response-size|unit\/(?:regular-expressions|rate-limit\/multi-process|render\/hostile))/;

const SPECIFIER = /from '(\.[^']+\.ts)'/g;

export type FindCoveringTests = (file: string) => readonly string[];

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
    return [...reached].filter((each) => each.endsWith('.test.ts') && !SLOW.test(each));
  };
};
