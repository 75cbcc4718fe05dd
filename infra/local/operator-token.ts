// Resolves the operator token of the local service: ADMIN_TOKEN, or a generated token if no operator is configured.
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import { parseBearer } from '../../shared/auth/bearer.ts';
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localEnv } from '../../shared/settings/local-service.ts';

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
