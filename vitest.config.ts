import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isFullForm } from './test/support/full-form.ts';

/** They start services or other programs, or judge the stack: minutes, in `npm run check` and in CI. */
const SERVICES = [
  'test/{client,infra,local,npm-client,tools,verification}/**/*.test.ts',
  'test/measure/*.test.ts',
  'test/contract/{conformance,documentation,example-programs,examples,readme,runbook}.test.ts',
  'test/unit/rate-limit/multi-process.test.ts',
];
/** They judge by packages of their own, which CI installs. */
const OUTSIDE = ['test/outside/**/*.test.ts'];
const hasOutside = existsSync(new URL('test/outside/node_modules', import.meta.url));
if (!hasOutside) console.log('skipped: test/outside, which needs `npm ci --prefix test/outside`');
/** These replace a package, which must not reach other files, nor be loaded before. */
const ISOLATED = ['test/measure/week/*.test.ts'];

/** These wait for time limits, while other files use the processor. */
const WAITING = /\/(?:isolation|hostile-server)\.test\.ts$/;

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(WAITING.test(b.moduleId)) - Number(WAITING.test(a.moduleId)));
  }
}

export default defineConfig({
  test: {
    // `--sequence.shuffle` has no effect beside it.
    sequence: isFullForm ? { sequencer: WaitingFirst } : {},
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    projects: [
      {
        extends: true,
        // One module graph per worker: most of the time would go to imports. A test file leaves nothing behind.
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SERVICES, ...OUTSIDE, ...ISOLATED],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'services', include: hasOutside ? [...SERVICES, ...OUTSIDE] : SERVICES, isolate: false },
      },
      { extends: true, test: { name: 'week', include: ISOLATED } },
    ],
    // `npm ci` empties this folder, as it does node_modules, where the cache would be by default.
    fsModuleCachePath: '.cache/vitest',
    // Half of the cores, and at least three: some tests wait for time limits of the real clock.
    maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
    // No test asserts a duration. The limit only ends a test that hangs, also on a machine that is busy with other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
