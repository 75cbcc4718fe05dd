import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Half of the cores, but both of two.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    // Two cores are common; suites that bundle or start processes need their time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
