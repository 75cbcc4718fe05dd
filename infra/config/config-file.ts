// Reads postern.config.json, the settings of an operator that outlive a deployment.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorKind, isRecord } from '../../shared/model/json.ts';
import { type JsonPath, parseJsonSource } from '../../shared/model/json-source.ts';
import { SetupError } from './setting.ts';

/** Context with the path of another file, such as the settings of staging. */
export const CONFIG_FILE_SETTING = 'configFile';

export const CONFIG_FILE = 'postern.config.json';

/** Settings need a few kilobytes, and 1,000 withheld posts with their links 150 kB. */
const MAX_BYTES = 262_144;

export interface ConfigFile {
  /** Without `$schema`, which is for editors. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** @returns the name of the file and where the value begins; undefined: the file has no such value */
  readonly place: (path: JsonPath) => string | undefined;
}

const isMissing = (error: unknown): boolean => errorKind(error) === 'ENOENT';

/**
 * @param root the folder of relative paths
 * @param path unset or empty: postern.config.json, which may be absent
 * @returns the settings as the file has them
 * @throws SetupError
 */
export const readConfigFile = (root: string, path?: unknown): ConfigFile => {
  const isNamed = typeof path === 'string' && path !== '';
  const name = isNamed ? path : CONFIG_FILE;
  let text: string;
  try {
    text = readFileSync(resolve(root, name), 'utf8');
  } catch (error) {
    if (!isNamed && isMissing(error)) return { settings: {}, place: () => undefined };
    throw new SetupError(isMissing(error) ? `there is no ${name}` : `${name} cannot be read`);
  }
  if (text.length > MAX_BYTES) throw new SetupError(`${name} has more than 256 KiB, so it is not a file of settings`);
  const source = parseJsonSource(text);
  if ('problem' in source) throw new SetupError(`${name}: ${source.problem}`);
  if (!isRecord(source.value))
    throw new SetupError(`${name} must be one JSON object, such as {"cacheTtlSeconds": 600}`);
  const { $schema: _, ...settings } = source.value;
  return {
    settings,
    place: (of) => {
      const place = source.place(of);
      return place && `${name}: ${place}`;
    },
  };
};
