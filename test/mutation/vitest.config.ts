// The tests that meet mutants: those of `npm test` without the slow ones. Stryker reads what each test reaches.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: [`${import.meta.dirname}/../support/global-setup.ts`],
    setupFiles: [`${import.meta.dirname}/../support/setup.ts`],
    include: ['test/{functions,unit,verification}/**/*.test.ts', 'test/contract/published.test.ts'],
    // They start processes, bundle, or read the texts of sources.
    exclude: [
      'test/functions/{response-size,discovery/pages}*',
      'test/unit/{regular-expressions,rate-limit/multi-process,render/hostile*}.test.ts',
      'test/verification/{edge-engine,verify}.test.ts',
    ],
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
