// The real providers, from the environment.
import packageJson from '../../package.json' with { type: 'json' };
import { isProviderName, type ProviderName, providerNames } from '../contract/providers.ts';
import { defaults, env } from '../env.ts';
import { parseId } from '../model/handle.ts';
import type { DoorPorts, UpstreamPorts } from '../ports.ts';
import { looksLikeCrawler } from '../upstream/fxtwitter/user-agent.ts';
import { createUpstream } from '../upstream/index.ts';
import { baseAddress, cacheTtlSeconds, type Environment, liveDoor, setting, type WriteLine } from './settings.ts';

/** Answers are remembered for a minute at most, whatever the shared cache may keep. */
const MAX_MEMORY_SECONDS = 60;

const providerList = (from: Environment): readonly ProviderName[] => {
  const names = (setting(from, env.providers) ?? defaults[env.providers]).split(',').map((name) => name.trim());
  const known = names.filter(isProviderName);
  if (known.length < names.length || new Set(known).size < known.length) {
    throw new Error(
      `${env.providers} must be a comma-separated list, in order of preference, of ${providerNames.join(', ')}`,
    );
  }
  return known;
};

const UPSTREAM_MODES = ['live', 'sample', 'auto'];

/** A replay of bundled answers says so in every body. Which one `auto` means is settled before a function starts. */
const isSample = (from: Environment): boolean => {
  const mode = setting(from, env.upstream) ?? 'live';
  if (!UPSTREAM_MODES.includes(mode)) throw new Error(`${env.upstream} must be one of ${UPSTREAM_MODES.join(', ')}`);
  return mode === 'sample';
};

const addressVariables = { fxtwitter: env.fxTwitterBaseUrl, syndication: env.syndicationBaseUrl } as const;

/** Providers want to know who calls; our address is left out where it would get us taken for a crawler. */
export const userAgentOf = (baseUrl: string | undefined): string => {
  const name = `Postern/${packageJson.version}`;
  return baseUrl === undefined || looksLikeCrawler(baseUrl) ? name : `${name} (+${baseUrl})`;
};

export const liveUpstream = (from: Environment = process.env, writeLog?: WriteLine): DoorPorts & UpstreamPorts => {
  const door = liveDoor(from, writeLog);
  const canaryPost = parseId(setting(from, env.canaryPost) ?? defaults[env.canaryPost]);
  if (canaryPost === undefined) throw new Error(`${env.canaryPost} must be the id of a post`);
  const sample = isSample(from);
  const upstream = createUpstream({
    providers: providerList(from).map((name) => ({
      name,
      baseUrl: baseAddress(from, addressVariables[name]) ?? defaults[addressVariables[name]],
      source: sample ? 'sample' : name,
    })),
    canaryPost,
    userAgent: userAgentOf(door.settings.baseUrl),
    memoryMilliseconds: Math.min(cacheTtlSeconds(from), MAX_MEMORY_SECONDS) * 1000,
    clock: door.clock,
    log: door.log,
    random: Math.random,
  });
  return { ...door, upstream };
};
