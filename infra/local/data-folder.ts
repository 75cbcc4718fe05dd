// Resolves DATA_DIR, the folder in which the local service saves keys, counters and the cursor secret.
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { localDefaults, localEnv } from '../../shared/settings/local-service.ts';

/** Nothing is saved. */
const IN_MEMORY = 'memory';

/** @returns undefined if nothing is saved */
export const resolveDataFolder = (given: Environment): string | undefined => {
  const folder = readVariable(given, localEnv.dataDir) ?? localDefaults.dataDir;
  return folder === IN_MEMORY ? undefined : folder;
};
