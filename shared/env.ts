// Names of environment variables: set by infra/, read by live/. Those of providers' addresses are in their table.
import { providerNames, providers } from './contract/providers.ts';

export const env = {
  baseUrl: 'BASE_URL',
  originSecrets: 'ORIGIN_SECRETS',
  cacheTtlSeconds: 'CACHE_TTL_SECONDS',
  upstream: 'UPSTREAM',
  providers: 'PROVIDERS',
  canaryPost: 'CANARY_POST',
} as const;

/** Of every function. */
export const doorVariables = [env.baseUrl, env.originSecrets, env.cacheTtlSeconds] as const;

/** Of functions that ask providers. */
export const upstreamVariables: readonly string[] = [
  env.upstream,
  env.providers,
  ...providerNames.map((name) => providers[name].variable),
  env.canaryPost,
];

/** What holds where a variable is unset or empty. */
export const defaults = {
  [env.providers]: providerNames.join(','),
  [env.canaryPost]: '20',
} as const;
