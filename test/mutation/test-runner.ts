// Runs test files in one vitest that stays alive, so that a file is transformed once for all mutants.
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createVitest } from 'vitest/node';

export interface TestFileResult {
  /** Relative to the repository. */
  readonly test: string;
  /** `failed`: also if the file started and did not end; `unstarted`: it says nothing about the mutant. */
  readonly state: 'passed' | 'failed' | 'unstarted';
  readonly milliseconds: number;
}

export interface TestRunner {
  /** @param mutant id of the active mutant, or 0. @returns one result per file, in their order, and whether the run had other errors */
  readonly run: (
    mutant: number,
    tests: readonly string[],
  ) => Promise<{ readonly results: readonly TestFileResult[]; readonly hasOtherErrors: boolean }>;
  /** The tests that reached each mutant in runs without a mutant, by id. */
  readonly reached: () => ReadonlyMap<number, readonly string[]>;
  readonly close: () => Promise<void>;
}

export interface TestRunnerOptions {
  /** Absolute path of the repository, which stays untouched. */
  readonly root: string;
  /** Files that replace those of the repository, by relative path. */
  readonly sources: ReadonlyMap<string, string>;
  readonly workers: number;
}

const FOLDERS = ['shared', 'functions', 'client', 'infra', 'test', 'docs', '.ci', '.github'];

const createWorkCopy = (root: string, sources: ReadonlyMap<string, string>): string => {
  const copy = mkdtempSync(join(tmpdir(), 'postern-mutants-'));
  const folders = FOLDERS.filter((folder) => globSync(folder, { cwd: root }).length > 0);
  for (const name of [...folders, ...globSync('*.{json,ts,md}', { cwd: root }), 'LICENSE'])
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (source) => !source.endsWith('/node_modules'),
    });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  for (const [file, source] of sources) writeFileSync(join(copy, file), source);
  return copy;
};

/** A test that waits for something that a mutant prevents fails after this time. */
const TEST_TIMEOUT_MILLISECONDS = 90_000;

export const createTestRunner = async ({ root, sources, workers }: TestRunnerOptions): Promise<TestRunner> => {
  const copy = createWorkCopy(root, sources);
  const log = join(copy, 'reached.jsonl');
  writeFileSync(log, '');
  /** The files of the current run: vitest returns the former result of a file that did not start. */
  const started = new Set<string>();
  const ended = new Set<string>();
  const vitest = await createVitest('test', {
    root: copy,
    config: false,
    watch: false,
    update: 'none',
    reporters: [
      {
        onTestModuleQueued: ({ moduleId }) => void started.add(moduleId),
        onTestModuleEnd: ({ moduleId }) => void ended.add(moduleId),
      },
    ],
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/mutation/setup.ts', 'test/support/setup.ts'],
    maxWorkers: workers,
    testTimeout: TEST_TIMEOUT_MILLISECONDS,
    hookTimeout: TEST_TIMEOUT_MILLISECONDS,
    expect: { poll: { timeout: 20_000 } },
  });
  await vitest.standalone();
  const project = vitest.getRootProject();
  return {
    run: async (mutant, tests) => {
      project.provide('mutation', { active: mutant, log });
      started.clear();
      ended.clear();
      const specifications = tests.map((test) => project.createSpecification(join(copy, test)));
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
      const results = tests.map((test): TestFileResult => {
        const module = testModules.find(({ moduleId }) => relative(copy, moduleId) === test);
        if (module === undefined || !started.has(module.moduleId)) return { test, state: 'unstarted', milliseconds: 0 };
        const { duration, setupDuration, collectDuration } = module.diagnostic();
        return {
          test,
          state: ended.has(module.moduleId) && module.ok() ? 'passed' : 'failed',
          milliseconds: duration + setupDuration + collectDuration,
        };
      });
      return { results, hasOtherErrors: unhandledErrors.length > 0 };
    },
    reached: () => {
      const tests = new Map<number, string[]>();
      for (const line of readFileSync(log, 'utf8').split('\n').filter(Boolean)) {
        const { test, ids }: { readonly test: string; readonly ids: readonly number[] } = JSON.parse(line);
        for (const id of ids) tests.set(id, [...(tests.get(id) ?? []), relative(copy, test)]);
      }
      return tests;
    },
    close: async () => {
      await vitest.close();
      rmSync(copy, { recursive: true, force: true });
    },
  };
};
