// The environment, read once per instance. A wrong setting stops the function at start, with its name.
import { DEFAULT_CACHE_TTL_SECONDS } from '../contract/caching.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { Log } from '../ports/system.ts';
import { cacheTtl, httpUrl, type SettingParser } from '../settings/base-parsers.ts';
import { env } from '../settings/environment-variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable is an unset one. */
export const readVariable = (from: Environment, name: string): string | undefined => from[name] || undefined;

/** @throws under the name of the variable */
export const parseVariable = <T>(from: Environment, name: string, { parse, rule }: SettingParser<T>): T | undefined => {
  const text = readVariable(from, name);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value === undefined) throw new Error(`${name} ${rule}`);
  return value;
};

export const readCacheTtlSeconds = (from: Environment): number =>
  parseVariable(from, env.cacheTtlSeconds, cacheTtl) ?? DEFAULT_CACHE_TTL_SECONDS;

export type WriteLine = (line: string) => void;

const MAX_LOGGED_CHARACTERS = 200;

/** One JSON object per line. JSON escapes what could start a line of its own; long values are capped. */
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
  from: Environment = process.env,
  writeLog: WriteLine = toStandardOutput,
): HttpPorts => ({
  clock: Date.now,
  log: createJsonLog(writeLog),
  settings: {
    baseUrl: parseVariable(from, env.baseUrl, httpUrl),
    originSecrets: (readVariable(from, env.originSecrets) ?? '')
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== ''),
    cacheTtlSeconds: readCacheTtlSeconds(from),
  },
});
