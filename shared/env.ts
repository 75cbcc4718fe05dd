// Names of environment variables: set by infra/, read by live/. Those of providers' addresses are in their table.
import { defaultProviders, providerNames, providerRow } from './contract/providers.ts';

export const env = {
  baseUrl: 'BASE_URL',
  originSecrets: 'ORIGIN_SECRETS',
  cacheTtlSeconds: 'CACHE_TTL_SECONDS',
  upstream: 'UPSTREAM',
  providers: 'PROVIDERS',
  canaryPost: 'CANARY_POST',
  canaryProfile: 'CANARY_PROFILE',
  cursorSecrets: 'CURSOR_SECRETS',
} as const;

/** Of every function. */
export const doorVariables = [env.baseUrl, env.originSecrets, env.cacheTtlSeconds] as const;

/** Of functions that ask providers. */
export const upstreamVariables: readonly string[] = [
  env.upstream,
  env.providers,
  ...providerNames.map((name) => providerRow(name).variable),
  ...providerNames.flatMap((name) => providerRow(name).secret?.variable ?? []),
  env.canaryPost,
  env.canaryProfile,
];

/** Of functions that answer with lists. */
export const listVariables = [env.cursorSecrets] as const;

/** What holds where a variable is unset or empty. */
export const defaults = {
  [env.providers]: defaultProviders.join(','),
  [env.canaryPost]: '20',
  [env.canaryProfile]: 'X',
} as const;
