// Loads the secret that signs cursors. It is generated once and saved, so that cursors stay valid after a restart.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { resolveDataFolder } from './data-folder.ts';

const FILE = 'cursor-secret';

const generate = (): string => randomBytes(32).toString('base64url');

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const readSaved = (folder: string): string => {
  const file = join(folder, FILE);
  mkdirSync(folder, { recursive: true });
  try {
    // The first service that starts in this folder generates the secret for all later ones.
    writeFileSync(file, `${generate()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  return readFileSync(file, 'utf8').trim();
};

/** @returns the variables for the functions @throws if the folder cannot be written */
export const loadCursorSecret = (given: Environment): Readonly<Record<string, string>> => {
  const set = readVariable(given, env.cursorSecrets);
  if (set !== undefined) return { [env.cursorSecrets]: set };
  const folder = resolveDataFolder(given);
  return { [env.cursorSecrets]: folder === undefined ? generate() : readSaved(folder) };
};
