// Replaces modules of the commands in the package, which has neither the sources nor npm scripts.
import { join } from 'node:path';
import { ROOT } from '../build/dist-layout.ts';

/** In place of infra/command/command-line.ts. */
export const commandLine = (...words: readonly string[]): string => ['postern', ...words].join(' ');

/** In place of infra/build/kept-build.ts, which builds the sources. */
export const withBundles = <T>(use: (directory: string) => Promise<T>): Promise<T> => use(join(ROOT, 'dist'));

/** In place of infra/verify/edge-engine.ts, which bundles the edge function. */
export const verifyEdge = async (): Promise<never> => {
  throw new Error('verify --edge compares with the sources. Run it in a clone of the repository.');
};
