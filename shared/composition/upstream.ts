// Builds the upstream from the environment.
import packageJson from '../../package.json' with { type: 'json' };
import { clientNetwork } from '../auth/client-address.ts';
import {
  defaultProviders,
  type ProviderAddress,
  type ProviderName,
  providerRow,
  providers,
} from '../contract/providers.ts';
import type { FairUsePorts } from '../ports/access-control.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { UpstreamPorts } from '../ports/upstream.ts';
import { createFairUse } from '../rate-limit/fair-use.ts';
import { env, environmentDefaults } from '../settings/environment-variables.ts';
import { bearerToken, handle, postId, providerNameList } from '../settings/feature-parsers.ts';
import { providerAddresses } from '../settings/provider-addresses.ts';
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
import { paidRowsFromEnvironment } from './paid-rows.ts';

/** The request cache keeps a result for at most 60 s, even if shared caches keep it longer. */
const MAX_CACHE_SECONDS = 60;

/** In order of preference. */
export const readProviders = (environment: Environment): readonly ProviderName[] =>
  parseVariable(environment, env.providers, providerNameList) ?? defaultProviders;

/** @returns at least one */
export const readAddresses = (environment: Environment, name: ProviderName): readonly ProviderAddress[] =>
  parseVariable(environment, providers[name].variable, providerAddresses(name)) ?? [
    { baseUrl: providers[name].baseUrl, weight: 1 },
  ];

/** @returns undefined if the provider needs no token @throws Error if a token is missing */
const readToken = (environment: Environment, name: ProviderName): string | undefined => {
  const { secret } = providerRow(name);
  if (secret === undefined) return undefined;
  const token = parseVariable(environment, secret.variable, bearerToken);
  if (token === undefined) throw new Error(`${env.providers} names ${name}, which needs ${secret.variable}`);
  return token;
};

export const readCanaryPost = (environment: Environment): string =>
  parseVariable(environment, env.canaryPost, postId) ?? environmentDefaults[env.canaryPost];

const UPSTREAM_MODES = ['live', 'sample', 'auto'];

/** The source of every body is `sample` in this mode. The local service resolves `auto` before it starts a function. */
const isSample = (environment: Environment): boolean => {
  const mode = readVariable(environment, env.upstream) ?? 'live';
  if (!UPSTREAM_MODES.includes(mode)) throw new Error(`${env.upstream} must be one of ${UPSTREAM_MODES.join(', ')}`);
  return mode === 'sample';
};

/** Names the service and its URL. The URL is left out if a provider would take the service for a crawler. */
export const userAgent = (baseUrl: string | undefined): string => {
  const name = `Postern/${packageJson.version}`;
  return baseUrl === undefined || looksLikeCrawler(baseUrl) ? name : `${name} (+${baseUrl})`;
};

export const upstreamFromEnvironment = (
  environment: Environment = process.env,
  writeLog?: WriteLine,
): HttpPorts & UpstreamPorts & FairUsePorts => {
  const http = httpFromEnvironment(environment, writeLog);
  const sample = isSample(environment);
  const upstream = createUpstream({
    providers: readProviders(environment).map((name) => ({
      name,
      addresses: readAddresses(environment, name),
      source: sample ? 'sample' : name,
      token: sample ? undefined : readToken(environment, name),
      paidRows: sample || name !== 'x_api' ? undefined : paidRowsFromEnvironment(environment, http),
    })),
    canaryPost: readCanaryPost(environment),
    canaryProfile: parseVariable(environment, env.canaryProfile, handle) ?? environmentDefaults[env.canaryProfile],
    userAgent: userAgent(http.settings.baseUrl),
    cacheMilliseconds: Math.min(readCacheTtlSeconds(environment), MAX_CACHE_SECONDS) * 1000,
    clock: http.clock,
    log: http.log,
    random: Math.random,
  });
  return { ...http, upstream, fairUse: createFairUse(http.clock, clientNetwork) };
};
