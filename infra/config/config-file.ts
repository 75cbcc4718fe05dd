// Reads postern.config.json, the settings of an operator that outlive a deployment.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorKind } from '../../shared/model/json.ts';
import { shortName } from './nearest-name.ts';
import { SetupError } from './setting.ts';

/** Context with the path of another file, such as the settings of staging. */
export const CONFIG_FILE_SETTING = 'configFile';

export const CONFIG_FILE = 'postern.config.json';

/** Settings need a few kilobytes, and 1,000 withheld posts with their links 150 kB. */
const MAX_BYTES = 262_144;

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** JSON.parse keeps the last of two equal names without a word. @param json valid */
const duplicateIn = (json: string): string | undefined => {
  const seen = new Set<unknown>();
  let depth = 0;
  let previous = '';
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1) {
      const name: unknown = JSON.parse(previous);
      if (seen.has(name)) return String(name);
      seen.add(name);
    }
    previous = token;
  }
  return undefined;
};

const isMissing = (error: unknown): boolean => errorKind(error) === 'ENOENT';

/**
 * @param root the folder of relative paths
 * @param path unset or empty: postern.config.json, which may be absent
 * @returns the settings as the file has them; `$schema` is for editors
 * @throws SetupError
 */
export const readConfigFile = (root: string, path?: unknown): Readonly<Record<string, unknown>> => {
  const isNamed = typeof path === 'string' && path !== '';
  const name = isNamed ? path : CONFIG_FILE;
  let text: string;
  try {
    text = readFileSync(resolve(root, name), 'utf8');
  } catch (error) {
    if (!isNamed && isMissing(error)) return {};
    throw new SetupError(isMissing(error) ? `there is no ${name}` : `${name} cannot be read`);
  }
  if (text.length > MAX_BYTES) throw new SetupError(`${name} has more than 256 KiB, so it is not a file of settings`);
  let content: unknown;
  const json = text.replace(/^\uFEFF/, '');
  try {
    content = JSON.parse(json);
  } catch (error) {
    // The message of the parser quotes the file, which could contain a secret.
    const [position = ''] = / at position \d+(?: \(line \d+ column \d+\))?/.exec(String(error)) ?? [];
    throw new SetupError(`${name} is not JSON${position}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new SetupError(`${name} must be one JSON object, such as {"cacheTtlSeconds": 600}`);
  const duplicate = duplicateIn(json);
  if (duplicate !== undefined) throw new SetupError(`${name} has ${shortName(duplicate)} twice: remove one of them`);
  const { $schema: _, ...settings } = Object.fromEntries(Object.entries(content));
  return settings;
};
