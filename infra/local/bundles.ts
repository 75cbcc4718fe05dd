// Provides the bundles of the present sources to one use.
import { rm } from 'node:fs/promises';
import { keptBuild } from '../build/kept-build.ts';

/** The build is loaded only if it has to run: the packages that it needs take longer than the start of the service. */
const build = async (directory: string): Promise<void> => {
  const { buildAll } = await import('../build/build.ts');
  await buildAll(directory);
};

/** @param use gets the directory, laid out as dist/, to which it adds nothing but compiled code; it may disappear after the use */
export const withBundles = async <T>(use: (directory: string) => Promise<T>): Promise<T> => {
  const { directory, isTemporary } = await keptBuild(build);
  try {
    return await use(directory);
  } finally {
    if (isTemporary) await rm(directory, { recursive: true, force: true });
  }
};
