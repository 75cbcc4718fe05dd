// Where the local service keeps what outlives it.
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { localDefaults, localEnv } from '../../shared/settings/local-service.ts';

/** Nothing is kept. */
const IN_MEMORY = 'memory';

/** undefined: nowhere. */
export const resolveDataFolder = (given: Environment): string | undefined => {
  const folder = readVariable(given, localEnv.dataDir) ?? localDefaults.dataDir;
  return folder === IN_MEMORY ? undefined : folder;
};
