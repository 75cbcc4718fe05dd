// Builds the bundles in a temporary directory for one use, so that concurrent builds do not interfere.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../build/build.ts';

/** @param use gets the directory, laid out as dist/; the directory is removed afterwards */
export const withBundles = async <T>(use: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), 'postern-local-'));
  try {
    await buildAll(directory);
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
