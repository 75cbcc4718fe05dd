import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** These replace a package, which must not reach other files, nor be loaded before. */
const ISOLATED = ['test/week/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    projects: [
      {
        extends: true,
        // One module graph per worker: most of the time would go to imports. A test file leaves nothing behind.
        test: {
          name: 'shared modules',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ISOLATED],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'own modules', include: ISOLATED } },
    ],
    // Half of the cores, and at least three: some tests wait for time limits of the real clock.
    maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
    // No test asserts a duration. The limit only ends a test that hangs, also on a machine that is busy with other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
