// Which functions are told which environment variables. Apart from their names, because functions need those alone.
import { allowanceSettings } from '../contract/allowances.ts';
import { providerNames, providerRow } from '../contract/providers.ts';
import { tables } from '../contract/tables.ts';
import { env } from './environment-variables.ts';

/** Of every function. */
export const httpVariables = [env.baseUrl, env.originSecrets, env.cacheTtlSeconds] as const;

/** Of the function that serves documents. */
export const discoveryVariables = [env.securityContact] as const;

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
export const accessControlVariables: readonly string[] = [
  tables.keys.variable,
  tables.counters.variable,
  env.dynamodbEndpoint,
  ...Object.values(allowanceSettings).map(({ variable }) => variable),
];

/** Of the operator's function. */
export const adminVariables: readonly string[] = [
  ...accessControlVariables,
  tables.admin.variable,
  env.adminTokenHashes,
];
