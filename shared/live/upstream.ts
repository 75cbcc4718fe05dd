// The real providers, from the environment.
import packageJson from '../../package.json' with { type: 'json' };
import { createFairUse } from '../access/fair-use.ts';
import { defaultProviders, type ProviderName, providerRow, providers } from '../contract/providers.ts';
import { defaults, env } from '../env.ts';
import type { DoorPorts, FairUsePorts, UpstreamPorts } from '../ports.ts';
import { looksLikeCrawler } from '../upstream/fxtwitter/user-agent.ts';
import { createUpstream } from '../upstream/index.ts';
import { address } from './grammar.ts';
import { bearerToken, handle, postId, providerList } from './grammars.ts';
import { cacheTtlSeconds, type Environment, liveDoor, parsed, setting, type WriteLine } from './settings.ts';

/** Answers are remembered for a minute at most, whatever the shared cache may keep. */
const MAX_MEMORY_SECONDS = 60;

/** In order of preference. */
export const providersIn = (from: Environment): readonly ProviderName[] =>
  parsed(from, env.providers, providerList) ?? defaultProviders;

export const providerAddress = (from: Environment, name: ProviderName): string =>
  parsed(from, providers[name].variable, address) ?? providers[name].baseUrl;

/** Of providers that need one. @throws where it is missing */
const tokenIn = (from: Environment, name: ProviderName): string | undefined => {
  const { secret } = providerRow(name);
  if (secret === undefined) return undefined;
  const token = parsed(from, secret.variable, bearerToken);
  if (token === undefined) throw new Error(`${env.providers} names ${name}, which needs ${secret.variable}`);
  return token;
};

export const canaryPostIn = (from: Environment): string =>
  parsed(from, env.canaryPost, postId) ?? defaults[env.canaryPost];

const UPSTREAM_MODES = ['live', 'sample', 'auto'];

/** A replay of bundled answers says so in every body. Which one `auto` means is settled before a function starts. */
const isSample = (from: Environment): boolean => {
  const mode = setting(from, env.upstream) ?? 'live';
  if (!UPSTREAM_MODES.includes(mode)) throw new Error(`${env.upstream} must be one of ${UPSTREAM_MODES.join(', ')}`);
  return mode === 'sample';
};

/** Providers want to know who calls; our address is left out where it would get us taken for a crawler. */
export const userAgentOf = (baseUrl: string | undefined): string => {
  const name = `Postern/${packageJson.version}`;
  return baseUrl === undefined || looksLikeCrawler(baseUrl) ? name : `${name} (+${baseUrl})`;
};

export const liveUpstream = (
  from: Environment = process.env,
  writeLog?: WriteLine,
): DoorPorts & UpstreamPorts & FairUsePorts => {
  const door = liveDoor(from, writeLog);
  const sample = isSample(from);
  const upstream = createUpstream({
    providers: providersIn(from).map((name) => ({
      name,
      baseUrl: providerAddress(from, name),
      source: sample ? 'sample' : name,
      token: sample ? undefined : tokenIn(from, name),
    })),
    canaryPost: canaryPostIn(from),
    canaryProfile: parsed(from, env.canaryProfile, handle) ?? defaults[env.canaryProfile],
    userAgent: userAgentOf(door.settings.baseUrl),
    memoryMilliseconds: Math.min(cacheTtlSeconds(from), MAX_MEMORY_SECONDS) * 1000,
    clock: door.clock,
    log: door.log,
    random: Math.random,
  });
  return { ...door, upstream, fairUse: createFairUse(door.clock) };
};
