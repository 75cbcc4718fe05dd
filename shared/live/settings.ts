// The environment, read once per instance. A wrong setting stops the function at start, with its name.
import { DEFAULT_CACHE_TTL_SECONDS, MAX_CACHE_TTL_SECONDS } from '../contract/caching.ts';
import { env } from '../env.ts';
import type { DoorPorts, Log } from '../ports.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable is an unset one. */
export const setting = (from: Environment, name: string): string | undefined => from[name] || undefined;

/** Without a trailing slash, spelled as it is sent: routes are appended, and it goes into header fields. */
export const baseAddress = (from: Environment, name: string): string | undefined => {
  const value = setting(from, name);
  if (value === undefined) return undefined;
  const url = /^https?:\/\//i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || /[?#]/.test(value) || url.username !== '' || url.password !== '') {
    throw new Error(`${name} must be an http(s) address without credentials, query and fragment`);
  }
  return url.href.replace(/\/+$/, '');
};

export const cacheTtlSeconds = (from: Environment): number => {
  const value = setting(from, env.cacheTtlSeconds);
  if (value === undefined) return DEFAULT_CACHE_TTL_SECONDS;
  const seconds = /^[0-9]{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (!(seconds <= MAX_CACHE_TTL_SECONDS)) {
    throw new Error(`${env.cacheTtlSeconds} must be a whole number of seconds from 0 to ${MAX_CACHE_TTL_SECONDS}`);
  }
  return seconds;
};

export type WriteLine = (line: string) => void;

const MAX_LOGGED_CHARACTERS = 200;

/** One JSON object per line. JSON escapes what could start a line of its own; long values are capped. */
export const jsonLog =
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

export const liveDoor = (from: Environment = process.env, writeLog: WriteLine = toStandardOutput): DoorPorts => ({
  clock: Date.now,
  log: jsonLog(writeLog),
  settings: {
    baseUrl: baseAddress(from, env.baseUrl),
    originSecrets: (setting(from, env.originSecrets) ?? '')
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== ''),
    cacheTtlSeconds: cacheTtlSeconds(from),
  },
});
