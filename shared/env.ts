// Names of environment variables: set by infra/, read by live/. Those of providers' addresses,
// tables and allowances are in their own tables.
import { allowanceSettings } from './contract/allowances.ts';
import { defaultProviders, providerNames, providerRow } from './contract/providers.ts';
import { tables } from './contract/tables.ts';

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

/** Of functions that read keys and count. */
export const accessVariables: readonly string[] = [
  tables.keys.variable,
  tables.counters.variable,
  env.dynamodbEndpoint,
  ...Object.values(allowanceSettings).map(({ variable }) => variable),
];

/** Of the operator's function. */
export const adminVariables: readonly string[] = [...accessVariables, tables.admin.variable, env.adminTokenHashes];

/** What holds where a variable is unset or empty. */
export const defaults = {
  [env.providers]: defaultProviders.join(','),
  [env.canaryPost]: '20',
  [env.canaryProfile]: 'X',
} as const;
