// Who operates the service on one machine: whoever has ADMIN_TOKEN, which is made up where none is given.
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import { parseBearer } from '../../shared/auth/bearer.ts';
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localEnv } from '../../shared/settings/local-service.ts';

/** Under which name the token's holder is in the audit. */
const OPERATOR = 'operator';

export interface OperatorToken {
  /** What functions must be told: never the token. */
  readonly environment: Readonly<Record<string, string>>;
  /** Set where it was made up: somebody has to be told. */
  readonly generated?: string;
}

/** @throws when ADMIN_TOKEN could not be sent */
export const resolveOperatorToken = (given: Environment): OperatorToken => {
  const hashes = readVariable(given, env.adminTokenHashes);
  const set = readVariable(given, localEnv.adminToken);
  if (set !== undefined && parseBearer(`Bearer ${set}`).kind !== 'token') {
    throw new Error('ADMIN_TOKEN must be a token of letters, digits and -._~+/, which may end with =');
  }
  const generated = set === undefined && hashes === undefined ? randomBytes(32).toString('base64url') : undefined;
  const token = set ?? generated;
  const own = token === undefined ? [] : [`${OPERATOR}=${sha256Hex(token)}`];
  return {
    environment: {
      [localEnv.adminToken]: '',
      [env.adminTokenHashes]: [...(hashes === undefined ? [] : [hashes]), ...own].join(','),
    },
    ...(generated !== undefined && { generated }),
  };
};
