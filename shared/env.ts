// Names of environment variables: set by infra/, read by live/.

export const env = {
  baseUrl: 'BASE_URL',
  originSecrets: 'ORIGIN_SECRETS',
  cacheTtlSeconds: 'CACHE_TTL_SECONDS',
  upstream: 'UPSTREAM',
  providers: 'PROVIDERS',
  fxTwitterBaseUrl: 'FXTWITTER_BASE_URL',
  syndicationBaseUrl: 'SYNDICATION_BASE_URL',
  canaryPost: 'CANARY_POST',
} as const;

/** Of every function. */
export const doorVariables = [env.baseUrl, env.originSecrets, env.cacheTtlSeconds] as const;

/** Of functions that ask providers. */
export const upstreamVariables = [
  env.upstream,
  env.providers,
  env.fxTwitterBaseUrl,
  env.syndicationBaseUrl,
  env.canaryPost,
] as const;

/** What holds where a variable is unset or empty. */
export const defaults = {
  [env.providers]: 'fxtwitter,syndication',
  [env.fxTwitterBaseUrl]: 'https://api.fxtwitter.com',
  [env.syndicationBaseUrl]: 'https://cdn.syndication.twimg.com',
  [env.canaryPost]: '20',
} as const;
