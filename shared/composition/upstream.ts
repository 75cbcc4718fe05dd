// Builds the upstream from the environment.
import { clientNetwork } from '../auth/client-network.ts';
import { type ProviderName, providerRow } from '../contract/providers.ts';
import { SAMPLE_SOURCE } from '../contract/sample.ts';
import type { FairUsePorts } from '../ports/access-control.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { UpstreamPorts } from '../ports/upstream.ts';
import { createFairUse } from '../rate-limit/fair-use.ts';
import { requestCacheMebibytes } from '../settings/base-parsers.ts';
import { env, environmentDefaults } from '../settings/environment-variables.ts';
import { bearerToken, handle } from '../settings/feature-parsers.ts';
import { followWithheldFile } from '../settings/withheld-file.ts';
import { createUpstream, type UpstreamOptions } from '../upstream/create-upstream.ts';
import { withhold } from '../upstream/withhold.ts';
import {
  type Environment,
  httpFromEnvironment,
  parseVariable,
  readCacheTtlSeconds,
  readVariable,
  type WriteLine,
} from './environment.ts';
import { paidRowsFromEnvironment } from './paid-rows.ts';
import { readBaseUrls, readCanaryPost, readProviders, userAgent } from './provider-settings.ts';

/** @returns undefined if the provider needs no token @throws Error if a token is missing */
const readToken = (environment: Environment, name: ProviderName): string | undefined => {
  const { secret } = providerRow(name);
  if (secret === undefined) return undefined;
  const token = parseVariable(environment, secret.variable, bearerToken);
  if (token === undefined) throw new Error(`${env.providers} names ${name}, which needs ${secret.variable}`);
  return token;
};

const readCanaryProfile = (environment: Environment): string =>
  parseVariable(environment, env.canaryProfile, handle) ?? environmentDefaults[env.canaryProfile];

export const readFreshnessProfile = (environment: Environment): string =>
  parseVariable(environment, env.freshnessProfile, handle) ?? environmentDefaults[env.freshnessProfile];

/** @throws Error if a setting is invalid, or a token is missing */
export const upstreamOptions = (environment: Environment, http: HttpPorts): UpstreamOptions => {
  const { isSample = false } = http.settings;
  return {
    providers: readProviders(environment).map((name) => ({
      name,
      baseUrls: readBaseUrls(environment, name),
      source: isSample ? SAMPLE_SOURCE : name,
      token: isSample ? undefined : readToken(environment, name),
      paidRows: isSample || name !== 'x_api' ? undefined : paidRowsFromEnvironment(environment, http),
    })),
    canaryPost: readCanaryPost(environment),
    canaryProfile: readCanaryProfile(environment),
    // The posts of the sample are old.
    freshnessProfile: isSample ? undefined : readFreshnessProfile(environment),
    userAgent: userAgent(http.settings.baseUrl),
    isUntranslated: http.settings.isUntranslated,
    cacheMilliseconds: readCacheTtlSeconds(environment) * 1000,
    cacheMebibytes: parseVariable(environment, env.requestCacheMebibytes, requestCacheMebibytes),
    clock: http.clock,
    wall: http.wall,
    log: http.log,
    random: Math.random,
  };
};

export const upstreamFromEnvironment = (
  environment: Environment = process.env,
  writeLog?: WriteLine,
): HttpPorts & UpstreamPorts & FairUsePorts => {
  const http = httpFromEnvironment(environment, writeLog);
  const findWithheld = followWithheldFile(readVariable(environment, env.withheldFile), Date.now);
  const upstream = createUpstream(upstreamOptions(environment, http));
  return { ...http, upstream: withhold(upstream, findWithheld), fairUse: createFairUse(http.clock, clientNetwork) };
};
