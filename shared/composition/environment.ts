// Reads the environment once per instance. An invalid setting stops the start of the function; the error names it.
import { performance as nodePerformance } from 'node:perf_hooks';
import { createProxyPath } from '../auth/picture-signatures.ts';
import { DEFAULT_CACHE_TTL_SECONDS } from '../contract/caching.ts';
import { METRICS_NAMESPACE } from '../contract/metrics.ts';
import { monotonic } from '../model/time.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { Clock, Log } from '../ports/system.ts';
import {
  cacheTtl,
  httpUrl,
  indexing,
  pictures,
  type SettingParser,
  secretList,
  translation,
} from '../settings/base-parsers.ts';
import { env } from '../settings/environment-variables.ts';
import { callsText } from '../upstream/call-lines.ts';
import { createMetricEmbedder, type EmbedMetrics } from './embedded-metrics.ts';

// The clocks of all durations are monotonic, so a correction of the system's time changes no duration.

/** Smaller differences are corrections of the system's time in small steps. */
const STEP_MILLISECONDS = 1000;

/**
 * The monotonic clock can stop while Lambda has frozen the function, but what is kept in memory and connections grow older.
 * There a step of the system's time forwards is taken for such a pause. A step backwards never counts.
 *
 * @param countsPauses true in Lambda
 */
export const createElapsedClock = (countsPauses: boolean): Clock => {
  // Whole milliseconds, because windows are named by their start.
  const sinceStart = (): number => Math.floor(performance.now());
  if (!countsPauses) return () => monotonic(sinceStart());
  let ahead = Date.now() - sinceStart();
  let pauses = 0;
  return () => {
    const running = sinceStart();
    const step = Date.now() - running - ahead;
    if (Math.abs(step) >= STEP_MILLISECONDS) {
      pauses += Math.max(0, step);
      ahead += step;
    }
    return monotonic(running + pauses);
  };
};

/** One for all ports of the process, because they compare times. Lambda sets the variable. */
export const elapsedClock = createElapsedClock(process.env['AWS_LAMBDA_FUNCTION_NAME'] !== undefined);

/** Counts only the milliseconds in which the event loop of this process waits: it stands still while the process is busy. */
export const waitingClock: Clock = () => monotonic(nodePerformance.eventLoopUtilization().idle);

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

/** Controls and line separators that JSON.stringify leaves as they are. */
const UNSAFE_IN_LINE = /[\u007f-\u009f\u2028\u2029]/g;

const capped = (value: string): string => value.slice(0, MAX_LOGGED_CHARACTERS).toWellFormed();

export interface JsonLogOptions {
  readonly write: WriteLine;
  /** @returns milliseconds since the epoch */
  readonly clock: () => number;
  /** @default no line has metrics */
  readonly embed?: EmbedMetrics | undefined;
}

/**
 * Writes one JSON object per line. Line ends and controls are escaped; strings have at most 200 characters. Lambda adds a
 * `timestamp` to a line without one, and takes the level of a line only if it has both.
 */
export const createJsonLog =
  ({ write, clock, embed }: JsonLogOptions): Log =>
  ({ calls, ...fields }) => {
    const now = clock();
    const embedded = embed?.({ calls, ...fields }, now);
    const texts = { ...fields, ...(calls && { calls: callsText(calls) }) };
    const members = Object.entries(texts).map(([name, value]) => [
      name,
      typeof value === 'string' ? capped(value) : value,
    ]);
    const metrics = embedded && {
      ...embedded.members,
      _aws: { Timestamp: now, CloudWatchMetrics: embedded.directives },
    };
    const timestamp = new Date(now).toISOString();
    write(
      JSON.stringify({ timestamp, ...Object.fromEntries(members), ...metrics }).replace(
        UNSAFE_IN_LINE,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    );
  };

const toStandardOutput: WriteLine = (line) => void process.stdout.write(`${line}\n`);

/** @returns undefined: the lines have no metrics, as outside of AWS */
const readMetrics = (environment: Environment): EmbedMetrics | undefined => {
  const namespace = readVariable(environment, METRICS_NAMESPACE);
  return namespace === undefined ? undefined : createMetricEmbedder(namespace);
};

const UPSTREAM_MODES = ['live', 'sample', 'auto'];

/** The local service resolves `auto` before it starts a function. */
const isSample = (environment: Environment): boolean => {
  const mode = readVariable(environment, env.upstream) ?? 'live';
  if (!UPSTREAM_MODES.includes(mode)) throw new Error(`${env.upstream} must be one of ${UPSTREAM_MODES.join(', ')}`);
  return mode === 'sample';
};

/** @throws Error if no secret is set, because all instances must sign with the same secret */
export const readCursorSecrets = (environment: Environment): readonly [string, ...string[]] => {
  const secrets = parseVariable(environment, env.cursorSecrets, secretList);
  if (secrets === undefined) throw new Error(`${env.cursorSecrets} ${secretList.rule}`);
  return secrets;
};

/** Pages load pictures and videos through the service. */
export const readProxiesPictures = (environment: Environment): boolean =>
  parseVariable(environment, env.pictures, pictures) === 'proxied';

export const httpFromEnvironment = (
  environment: Environment = process.env,
  writeLog: WriteLine = toStandardOutput,
): HttpPorts => ({
  clock: elapsedClock,
  wall: Date,
  log: createJsonLog({ write: writeLog, clock: Date.now, embed: readMetrics(environment) }),
  settings: {
    baseUrl: parseVariable(environment, env.baseUrl, httpUrl),
    originSecrets: (readVariable(environment, env.originSecrets) ?? '')
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== ''),
    cacheTtlSeconds: readCacheTtlSeconds(environment),
    isSample: isSample(environment),
    isIndexed: parseVariable(environment, env.indexing, indexing) === 'all',
    isUntranslated: parseVariable(environment, env.translation, translation) === 'off',
    proxyPath: readProxiesPictures(environment) ? createProxyPath(readCursorSecrets(environment)[0]) : undefined,
  },
});
