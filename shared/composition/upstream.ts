// The real providers, from the environment.
import packageJson from '../../package.json' with { type: 'json' };
import { clientNetwork } from '../auth/client-address.ts';
import { defaultProviders, type ProviderName, providerRow, providers } from '../contract/providers.ts';
import type { FairUsePorts } from '../ports/access-control.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { UpstreamPorts } from '../ports/upstream.ts';
import { createFairUse } from '../rate-limit/fair-use.ts';
import { httpUrl } from '../settings/base-parsers.ts';
import { env, environmentDefaults } from '../settings/environment-variables.ts';
import { bearerToken, handle, postId, providerNameList } from '../settings/feature-parsers.ts';
import { createUpstream } from '../upstream/create-upstream.ts';
import { looksLikeCrawler } from '../upstream/fxtwitter/user-agent.ts';
import {
  type Environment,
  httpFromEnvironment,
  parseVariable,
  readCacheTtlSeconds,
  readVariable,
  type WriteLine,
} from './environment.ts';

/** Answers are remembered for a minute at most, whatever the shared cache may keep. */
const MAX_MEMORY_SECONDS = 60;

/** In order of preference. */
export const readProviders = (from: Environment): readonly ProviderName[] =>
  parseVariable(from, env.providers, providerNameList) ?? defaultProviders;

export const providerBaseUrl = (from: Environment, name: ProviderName): string =>
  parseVariable(from, providers[name].variable, httpUrl) ?? providers[name].baseUrl;

/** Of providers that need one. @throws where it is missing */
const tokenIn = (from: Environment, name: ProviderName): string | undefined => {
  const { secret } = providerRow(name);
  if (secret === undefined) return undefined;
  const token = parseVariable(from, secret.variable, bearerToken);
  if (token === undefined) throw new Error(`${env.providers} names ${name}, which needs ${secret.variable}`);
  return token;
};

export const readCanaryPost = (from: Environment): string =>
  parseVariable(from, env.canaryPost, postId) ?? environmentDefaults[env.canaryPost];

const UPSTREAM_MODES = ['live', 'sample', 'auto'];

/** A replay of bundled answers says so in every body. Which one `auto` means is settled before a function starts. */
const isSample = (from: Environment): boolean => {
  const mode = readVariable(from, env.upstream) ?? 'live';
  if (!UPSTREAM_MODES.includes(mode)) throw new Error(`${env.upstream} must be one of ${UPSTREAM_MODES.join(', ')}`);
  return mode === 'sample';
};

/** Providers want to know who calls; our address is left out where it would get us taken for a crawler. */
export const userAgent = (baseUrl: string | undefined): string => {
  const name = `Postern/${packageJson.version}`;
  return baseUrl === undefined || looksLikeCrawler(baseUrl) ? name : `${name} (+${baseUrl})`;
};

export const upstreamFromEnvironment = (
  from: Environment = process.env,
  writeLog?: WriteLine,
): HttpPorts & UpstreamPorts & FairUsePorts => {
  const door = httpFromEnvironment(from, writeLog);
  const sample = isSample(from);
  const upstream = createUpstream({
    providers: readProviders(from).map((name) => ({
      name,
      baseUrl: providerBaseUrl(from, name),
      source: sample ? 'sample' : name,
      token: sample ? undefined : tokenIn(from, name),
    })),
    canaryPost: readCanaryPost(from),
    canaryProfile: parseVariable(from, env.canaryProfile, handle) ?? environmentDefaults[env.canaryProfile],
    userAgent: userAgent(door.settings.baseUrl),
    cacheMilliseconds: Math.min(readCacheTtlSeconds(from), MAX_MEMORY_SECONDS) * 1000,
    clock: door.clock,
    log: door.log,
    random: Math.random,
  });
  return { ...door, upstream, fairUse: createFairUse(door.clock, clientNetwork) };
};
