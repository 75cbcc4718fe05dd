// Reads the environment once per instance. An invalid setting stops the start of the function; the error names it.
import { DEFAULT_CACHE_TTL_SECONDS } from '../contract/caching.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { Log } from '../ports/system.ts';
import { cacheTtl, httpUrl, type SettingParser } from '../settings/base-parsers.ts';
import { env } from '../settings/environment-variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** @returns undefined if the variable is unset or empty */
export const readVariable = (environment: Environment, name: string): string | undefined =>
  environment[name] || undefined;

/** @throws Error with the name of the variable and the rule */
export const parseVariable = <T>(
  environment: Environment,
  name: string,
  { parse, rule }: SettingParser<T>,
): T | undefined => {
  const text = readVariable(environment, name);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value === undefined) throw new Error(`${name} ${rule}`);
  return value;
};

export const readCacheTtlSeconds = (environment: Environment): number =>
  parseVariable(environment, env.cacheTtlSeconds, cacheTtl) ?? DEFAULT_CACHE_TTL_SECONDS;

export type WriteLine = (line: string) => void;

const MAX_LOGGED_CHARACTERS = 200;

/** Writes one JSON object per line. Line ends and controls are escaped; strings have at most 200 characters. */
export const createJsonLog =
  (write: WriteLine): Log =>
  (fields) => {
    const capped = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, MAX_LOGGED_CHARACTERS).toWellFormed() : value,
    ]);
    write(
      JSON.stringify(Object.fromEntries(capped)).replace(
        /[\u007f-\u009f\u2028\u2029]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    );
  };

const toStandardOutput: WriteLine = (line) => void process.stdout.write(`${line}\n`);

export const httpFromEnvironment = (
  environment: Environment = process.env,
  writeLog: WriteLine = toStandardOutput,
): HttpPorts => ({
  clock: Date.now,
  log: createJsonLog(writeLog),
  settings: {
    baseUrl: parseVariable(environment, env.baseUrl, httpUrl),
    originSecrets: (readVariable(environment, env.originSecrets) ?? '')
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== ''),
    cacheTtlSeconds: readCacheTtlSeconds(environment),
  },
});
