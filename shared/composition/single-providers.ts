// Builds each provider alone, for a command that compares them.
import { createProviders } from '../upstream/create-upstream.ts';
import { createHealthCheck } from '../upstream/health-check.ts';
import { type Environment, httpFromEnvironment, type WriteLine } from './environment.ts';
import { readFreshnessProfile, upstreamOptions } from './upstream.ts';

/** @throws Error if a setting is invalid, or a token is missing */
export const providersFromEnvironment = (environment: Environment, writeLog: WriteLine) => {
  const http = httpFromEnvironment(environment, writeLog);
  // The command judges the age of posts itself.
  const options = { ...upstreamOptions(environment, http), freshnessProfile: undefined };
  return {
    providers: createProviders(options).map(({ name, address, provider }) => ({
      name: address === undefined ? name : `${name} ${address}`,
      provider,
    })),
    checkHealth: createHealthCheck({
      ...options,
      wall: http.wall,
    }),
    canaryPost: options.canaryPost,
    canaryProfile: options.canaryProfile,
    freshnessProfile: readFreshnessProfile(environment),
  };
};
