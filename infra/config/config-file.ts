// Reads postern.config.json, the settings of an operator that outlive a deployment.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SetupError } from './setup-error.ts';

/** Context with the path of another file, such as the settings of staging. */
export const CONFIG_FILE_SETTING = 'configFile';

export const CONFIG_FILE = 'postern.config.json';

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

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
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The message of the parser quotes the file, which could contain a secret.
    const [position = ''] = / at position \d+(?: \(line \d+ column \d+\))?/.exec(String(error)) ?? [];
    throw new SetupError(`${name} is not JSON${position}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new SetupError(`${name} must be one JSON object, such as {"cacheTtlSeconds": 600}`);
  const { $schema: _, ...settings } = Object.fromEntries(Object.entries(content));
  return settings;
};
