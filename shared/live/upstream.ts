// The real providers, from the environment.
import packageJson from '../../package.json' with { type: 'json' };
import { defaults, env } from '../env.ts';
import { parseId } from '../model/handle.ts';
import type { DoorPorts, UpstreamPorts } from '../ports.ts';
import { createUpstream, type ProviderName, providerNames } from '../upstream/index.ts';
import { baseAddress, cacheTtlSeconds, type Environment, liveDoor, setting } from './settings.ts';

/** Answers are remembered for a minute at most, whatever the shared cache may keep. */
const MAX_MEMORY_SECONDS = 60;

const isProviderName = (name: string): name is ProviderName => providerNames.some((known) => known === name);

const providerList = (from: Environment): readonly ProviderName[] => {
  const names = (setting(from, env.providers) ?? defaults[env.providers]).split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isProviderName(name));
  if (unknown.length > 0) throw new Error(`${env.providers} names ${unknown.join(', ')}; known are ${providerNames.join(', ')}`);
  return names.filter(isProviderName);
};

const addressVariables = { fxtwitter: env.fxTwitterBaseUrl, syndication: env.syndicationBaseUrl } as const;

/** The primary provider refuses callers that do not say who they are, and crashes on names that look like a bot's. */
const LOOKS_LIKE_A_BOT = /discordbot|telegrambot|facebook|whatsapp|firefox\/92|vkshare|revoltchat|preview|iframely/i;

export const userAgentOf = (baseUrl: string | undefined): string => {
  const name = `Postern/${packageJson.version}`;
  return baseUrl === undefined || LOOKS_LIKE_A_BOT.test(baseUrl) ? name : `${name} (+${baseUrl})`;
};

export const liveUpstream = (from: Environment = process.env): DoorPorts & UpstreamPorts => {
  const door = liveDoor(from);
  const canaryPost = parseId(setting(from, env.canaryPost) ?? defaults[env.canaryPost]);
  if (canaryPost === undefined) throw new Error(`${env.canaryPost} must be the id of a post`);
  // A replay of bundled answers says so in every body.
  const isSample = setting(from, env.upstream) === 'sample';
  const upstream = createUpstream({
    providers: providerList(from).map((name) => ({
      name,
      baseUrl: baseAddress(from, addressVariables[name]) ?? defaults[addressVariables[name]],
      source: isSample ? 'sample' : name,
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
