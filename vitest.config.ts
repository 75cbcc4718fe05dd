import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Half of the cores, and at least two.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    // No test asserts a duration. The limit only ends a test that hangs, also on a machine that is busy with other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
