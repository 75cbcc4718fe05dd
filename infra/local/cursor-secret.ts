// What signs cursors on one machine: made up once and kept, so that a cursor outlives a restart.
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
    // Whoever starts first in this folder makes it up for all who come later.
    writeFileSync(file, `${generate()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  return readFileSync(file, 'utf8').trim();
};

/** What functions must be told. @throws when the folder cannot be written */
export const loadCursorSecret = (given: Environment): Readonly<Record<string, string>> => {
  const set = readVariable(given, env.cursorSecrets);
  if (set !== undefined) return { [env.cursorSecrets]: set };
  const folder = resolveDataFolder(given);
  return { [env.cursorSecrets]: folder === undefined ? generate() : readSaved(folder) };
};
