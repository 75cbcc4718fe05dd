import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Two cores are common; suites that bundle or start processes need their time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
