// What signs cursors on one machine: made up once and kept, so that a cursor outlives a restart.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '../../shared/env.ts';
import { type Environment, setting } from '../../shared/live/settings.ts';

const DEFAULT_DATA_DIR = '.local';
/** Nothing is kept. */
const IN_MEMORY = 'memory';
const FILE = 'cursor-secret';

const makeUp = (): string => randomBytes(32).toString('base64url');

const readKept = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined; // the first start in this folder
  }
};

const kept = (folder: string): string => {
  const file = join(folder, FILE);
  const known = readKept(file);
  if (known !== undefined) return known;
  const secret = makeUp();
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
};

/** What functions must be told. @throws when the folder cannot be written */
export const cursorSecret = (given: Environment): Readonly<Record<string, string>> => {
  const set = setting(given, env.cursorSecrets);
  if (set !== undefined) return { [env.cursorSecrets]: set };
  const folder = setting(given, 'DATA_DIR') ?? DEFAULT_DATA_DIR;
  return { [env.cursorSecrets]: folder === IN_MEMORY ? makeUp() : kept(folder) };
};
