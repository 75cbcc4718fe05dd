// Resolves the environment of the functions in the local service: its folder, its secrets and the operator token.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseBearer, sha256Hex } from '../../shared/auth/api-key.ts';
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { errorKind } from '../../shared/model/json.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localDefaults, localEnv } from '../../shared/settings/local-service.ts';
import { diskErrorOf, diskTrouble } from './disk-trouble.ts';

/** Nothing is saved. */
const IN_MEMORY = 'memory';

/** @returns DATA_DIR, which keeps keys, counters and the cursor secret; undefined if nothing is saved */
export const resolveDataFolder = (given: Environment): string | undefined => {
  const folder = readVariable(given, localEnv.dataDir) ?? localDefaults.dataDir;
  return folder === IN_MEMORY ? undefined : folder;
};

const FILE = 'cursor-secret';

const generate = (): string => randomBytes(32).toString('base64url');

/** The first service that starts in this folder generates the secret for all later ones. @throws the error of the disk */
const readSaved = (folder: string): string => {
  const file = join(folder, FILE);
  mkdirSync(folder, { recursive: true });
  let flag = 'wx';
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret !== '') return secret;
    flag = 'w'; // A full disk leaves an empty file.
  } catch (error) {
    if (errorKind(error) !== 'ENOENT') throw error;
  }
  try {
    writeFileSync(file, `${generate()}\n`, { mode: 0o600, flag });
  } catch (error) {
    if (errorKind(error) !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
};

export interface CursorSecret {
  /** Variables for the functions. */
  readonly environment: Readonly<Record<string, string>>;
  /** Set if the secret cannot be saved, for people. */
  readonly notice?: string;
}

/**
 * Loads the secret that signs cursors. It is generated once and saved, so that cursors stay valid after a restart. If the
 * folder cannot be used, it is generated for this run.
 */
export const loadCursorSecret = (given: Environment): CursorSecret => {
  const variable = (secret: string) => ({ environment: { [env.cursorSecrets]: secret } });
  const set = readVariable(given, env.cursorSecrets);
  if (set !== undefined) return variable(set);
  const folder = resolveDataFolder(given);
  if (folder === undefined) return variable(generate());
  try {
    return variable(readSaved(folder));
  } catch (error) {
    const { reason, resolution } = diskTrouble(diskErrorOf(error), folder);
    return { ...variable(generate()), notice: `${reason}, so cursors are valid in this run only. ${resolution}` };
  }
};

/** The name of the operator in the audit. */
const OPERATOR = 'operator';

export interface OperatorToken {
  /** Variables for the functions: only the hash, never the token. */
  readonly environment: Readonly<Record<string, string>>;
  /** Set if the token was generated, so that the caller can print it. */
  readonly generated?: string;
}

/** A token of fewer characters could be guessed within the allowance of wrong tokens. */
const MIN_CHARACTERS = 32;

/** @throws if ADMIN_TOKEN is short, or not a valid Bearer token */
export const resolveOperatorToken = (given: Environment): OperatorToken => {
  const hashes = readVariable(given, env.adminTokenHashes);
  const set = readVariable(given, localEnv.adminToken);
  if (set !== undefined && parseBearer(`Bearer ${set}`).kind !== 'token') {
    throw new Error('ADMIN_TOKEN must be a token of letters, digits and -._~+/, which may end with =');
  }
  if (set !== undefined && set.length < MIN_CHARACTERS) {
    throw new Error(`ADMIN_TOKEN must have at least ${MIN_CHARACTERS} characters`);
  }
  const generated = set === undefined && hashes === undefined ? randomBytes(32).toString('base64url') : undefined;
  const token = set ?? generated;
  const operator = token === undefined ? [] : [`${OPERATOR}=${sha256Hex(token)}`];
  return {
    environment: {
      [localEnv.adminToken]: '',
      [env.adminTokenHashes]: [...(hashes === undefined ? [] : [hashes]), ...operator].join(','),
    },
    ...(generated !== undefined && { generated }),
  };
};

export const DEFAULT_ORIGIN = `http://${localDefaults.host}:${localDefaults.port}`;

/** The table of another DynamoDB may be that of several processes. */
const defaultCounterStore = (given: Environment): string =>
  readVariable(given, env.dynamodbEndpoint) === undefined ? localDefaults.counterStore : 'dynamodb';

/** @param origin the origin of the service, also if it is not running */
export const localEnvironment = (given: Environment, origin: string = DEFAULT_ORIGIN): Environment => ({
  ...given,
  [env.baseUrl]: readVariable(given, env.baseUrl) ?? origin,
  [env.originSecrets]: readVariable(given, env.originSecrets) ?? localDefaults.originSecret,
  [env.pictures]: readVariable(given, env.pictures) ?? localDefaults.pictures,
  [env.counterStore]: readVariable(given, env.counterStore) ?? defaultCounterStore(given),
});
