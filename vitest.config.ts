import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    // One module graph per worker: most of the time would go to imports. A test file leaves nothing behind.
    isolate: false,
    // Half of the cores, and at least three: some tests wait for time limits of the real clock.
    maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
    // No test asserts a duration. The limit only ends a test that hangs, also on a machine that is busy with other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
