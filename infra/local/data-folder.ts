// Where the local service keeps what outlives it.
import { type Environment, readVariable } from '../../shared/composition/environment.ts';

const DEFAULT_DATA_DIR = '.local';
/** Nothing is kept. */
const IN_MEMORY = 'memory';

/** undefined: nowhere. */
export const resolveDataFolder = (given: Environment): string | undefined => {
  const folder = readVariable(given, 'DATA_DIR') ?? DEFAULT_DATA_DIR;
  return folder === IN_MEMORY ? undefined : folder;
};
