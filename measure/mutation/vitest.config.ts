// The tests that meet mutants: those of `npm test` without the slow ones. Stryker reads what each test reaches.
import { defineConfig } from 'vitest/config';

const { SOURCES = '' } = process.env;

/** Bundles the edge function without mutants: its sandbox forbids the code that selects one, and CloudFront its size. */
const edgeWithoutMutants = {
  name: 'edge-without-mutants',
  enforce: 'pre' as const,
  transform: (code: string, id: string): string | undefined =>
    id.endsWith('/infra/build/bundle-edge.ts')
      ? code.replace('resolveDir: ROOT', `resolveDir: ${JSON.stringify(SOURCES)}`)
      : undefined,
};

export default defineConfig({
  plugins: [edgeWithoutMutants],
  test: {
    globalSetup: [`${import.meta.dirname}/../../test/support/global-setup.ts`],
    setupFiles: [`${import.meta.dirname}/../../test/support/setup.ts`],
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
