// Names of environment variables: set by infra/, read by live/. Those of providers' addresses, tables and allowances are
// in their own tables; variables.ts says which function is told what.

export const env = {
  baseUrl: 'BASE_URL',
  originSecrets: 'ORIGIN_SECRETS',
  cacheTtlSeconds: 'CACHE_TTL_SECONDS',
  upstream: 'UPSTREAM',
  providers: 'PROVIDERS',
  canaryPost: 'CANARY_POST',
  canaryProfile: 'CANARY_PROFILE',
  cursorSecrets: 'CURSOR_SECRETS',
  dynamodbEndpoint: 'DYNAMODB_ENDPOINT',
  adminTokenHashes: 'ADMIN_TOKEN_HASHES',
  securityContact: 'SECURITY_CONTACT',
} as const;

/** What holds where a variable is unset or empty. */
export const environmentDefaults = {
  [env.canaryPost]: '20',
  [env.canaryProfile]: 'X',
} as const;
