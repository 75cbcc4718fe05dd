// Where the local service keeps what outlives it.
import { type Environment, setting } from '../../shared/live/settings.ts';

const DEFAULT_DATA_DIR = '.local';
/** Nothing is kept. */
const IN_MEMORY = 'memory';

/** undefined: nowhere. */
export const dataFolder = (given: Environment): string | undefined => {
  const folder = setting(given, 'DATA_DIR') ?? DEFAULT_DATA_DIR;
  return folder === IN_MEMORY ? undefined : folder;
};
