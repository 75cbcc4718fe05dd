// Runs test files in one vitest that stays alive, so that a file is transformed once for all mutants.
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createVitest, type TestProject } from 'vitest/node';
import type { ProvidedMutation } from './setup.ts';

export interface TestFileResult {
  /** Relative to the repository. */
  readonly test: string;
  /** `failed`: also if the file started and did not end; `unstarted`: no test ran, which says nothing about the mutant. */
  readonly state: 'passed' | 'failed' | 'unstarted';
  readonly milliseconds: number;
}

export interface TestRun {
  /** One result per file, in their order. */
  readonly results: readonly TestFileResult[];
  readonly hasOtherErrors: boolean;
}

export interface TestRunner {
  /** Ends with the first failure of a mutant. @param mutant id of the active mutant, or 0 */
  readonly run: (mutant: number, tests: readonly string[]) => Promise<TestRun>;
  /** Runs the tests without a mutant. @returns the tests that reach each mutant, by id, too */
  readonly survey: (tests: readonly string[]) => Promise<TestRun & { readonly reached: ReachedMutants }>;
  readonly close: () => Promise<void>;
}

/** Test files by the id of the mutant that they reach. */
export type ReachedMutants = ReadonlyMap<number, readonly string[]>;

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

type ProjectName = 'own modules' | 'shared modules';

const PROJECTS: readonly { readonly name: ProjectName; readonly isolate: boolean }[] = [
  // Each file evaluates all modules, so that it is known what the file reaches.
  { name: 'own modules', isolate: true },
  // As in `npm test`: most of the time would go to imports.
  { name: 'shared modules', isolate: false },
];

export const createTestRunner = async ({ root, sources, workers }: TestRunnerOptions): Promise<TestRunner> => {
  const copy = createWorkCopy(root, sources);
  const log = join(copy, 'reached.jsonl');
  writeFileSync(log, '');
  /** The files of the current run: vitest returns the former result of a file that did not start. */
  const started = new Set<string>();
  const ended = new Set<string>();
  let active = 0;
  let hasFailure = false;
  const vitest = await createVitest('test', {
    root: copy,
    config: false,
    watch: false,
    update: 'none',
    reporters: [
      {
        onTestModuleQueued: ({ moduleId }) => void started.add(moduleId),
        onTestModuleEnd: ({ moduleId }) => void ended.add(moduleId),
        // One failure is enough to notice a mutant.
        onTestCaseResult: (test) => {
          if (active === 0 || hasFailure || test.result().state !== 'failed') return;
          hasFailure = true;
          void vitest.cancelCurrentRun('test-failure');
        },
      },
    ],
    maxWorkers: workers,
    globalSetup: ['test/support/global-setup.ts'],
    projects: PROJECTS.map(({ name, isolate }) => ({
      test: {
        name,
        isolate,
        include: ['test/**/*.test.ts'],
        setupFiles: ['test/mutation/setup.ts', 'test/support/setup.ts'],
        testTimeout: TEST_TIMEOUT_MILLISECONDS,
        hookTimeout: TEST_TIMEOUT_MILLISECONDS,
        expect: { poll: { timeout: 20_000 } },
      },
    })),
  });
  await vitest.standalone();
  const projectOf = (name: ProjectName): TestProject => {
    const project = vitest.projects.find((candidate) => candidate.name === name);
    if (project === undefined) throw new Error(`vitest has no project ${name}`);
    return project;
  };
  const run = async (name: ProjectName, mutation: ProvidedMutation, tests: readonly string[]): Promise<TestRun> => {
    active = mutation.active;
    hasFailure = false;
    const project = projectOf(name);
    project.provide('mutation', mutation);
    started.clear();
    ended.clear();
    const specifications = tests.map((test) => project.createSpecification(join(copy, test)));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    const results = tests.map((test): TestFileResult => {
      const module = testModules.find((one) => one.project === project && relative(copy, one.moduleId) === test);
      // The files behind the first failure are skipped.
      if (module === undefined || !started.has(module.moduleId) || module.state() === 'skipped')
        return { test, state: 'unstarted', milliseconds: 0 };
      const { duration, setupDuration, collectDuration } = module.diagnostic();
      return {
        test,
        state: ended.has(module.moduleId) && module.ok() ? 'passed' : 'failed',
        milliseconds: duration + setupDuration + collectDuration,
      };
    });
    return { results, hasOtherErrors: unhandledErrors.length > 0 };
  };
  return {
    run: (mutant, tests) => run('shared modules', { active: mutant }, tests),
    survey: async (tests) => {
      const { results, hasOtherErrors } = await run('own modules', { active: 0, log }, tests);
      const reached = new Map<number, string[]>();
      for (const line of readFileSync(log, 'utf8').split('\n').filter(Boolean)) {
        const { test, ids }: { readonly test: string; readonly ids: readonly number[] } = JSON.parse(line);
        for (const id of ids) reached.set(id, [...(reached.get(id) ?? []), relative(copy, test)]);
      }
      return { results, hasOtherErrors, reached };
    },
    close: async () => {
      await vitest.close();
      rmSync(copy, { recursive: true, force: true });
    },
  };
};
