// Finds the process of the embedded store (infra/local/store-process.ts).
import { execFileSync } from 'node:child_process';

/** @param folder DATA_DIR @throws if there is none, or more than one */
export const storeProcessOf = (folder: string): number => {
  const found = execFileSync('pgrep', ['-f', `store-process.* ${folder}/`], { encoding: 'utf8' }).trim();
  if (!/^[0-9]+$/.test(found)) throw new Error(`the processes of the store are ${found}`);
  return Number(found);
};
