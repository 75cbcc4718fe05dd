// Fresh bundles for one use, in a directory of their own: nobody else's build gets in the way, nothing stays behind.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../build/build.ts';

/** @param use gets the directory, laid out as dist/; it is gone afterwards */
export const withBundles = async <T>(use: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), 'postern-local-'));
  try {
    await buildAll(directory);
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
