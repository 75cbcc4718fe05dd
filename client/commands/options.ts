import { type ParseArgsConfig, parseArgs } from 'node:util';

/** @returns undefined if an option does not exist, or lacks its value */
export const parseOptions = <Config extends ParseArgsConfig>(config: Config) => {
  try {
    return parseArgs(config);
  } catch {
    return undefined;
  }
};
