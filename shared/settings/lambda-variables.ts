// Lists the environment variables of each kind of Lambda. The functions themselves need only the names of variables.
import { allowanceSettings } from '../contract/allowances.ts';
import { METRICS_NAMESPACE } from '../contract/metrics.ts';
import { providerNames, providerRow } from '../contract/providers.ts';
import { tables } from '../contract/tables.ts';
import { paidRowsSetting } from '../contract/x-api-costs.ts';
import { env } from './environment-variables.ts';

/** The variables of every Lambda. */
export const httpVariables = [env.baseUrl, env.originSecrets, env.cacheTtlSeconds, METRICS_NAMESPACE] as const;

/** The variables of the Lambda that serves documents. */
export const discoveryVariables = [env.securityContact] as const;

/** The variables of Lambdas that call providers. */
export const upstreamVariables: readonly string[] = [
  env.upstream,
  env.providers,
  ...providerNames.map((name) => providerRow(name).variable),
  ...providerNames.flatMap((name) => providerRow(name).secret?.variable ?? []),
  env.canaryPost,
  env.canaryProfile,
  paidRowsSetting.variable,
];

/** The variables of Lambdas that serve lists. */
export const listVariables = [env.cursorSecrets] as const;

/** The variables of Lambdas that read API keys and count requests. */
export const accessControlVariables: readonly string[] = [
  tables.keys.variable,
  tables.counters.variable,
  env.dynamodbEndpoint,
  ...Object.values(allowanceSettings).map(({ variable }) => variable),
];

/** The variables of the Lambda of the dashboard. */
export const adminVariables: readonly string[] = [
  ...accessControlVariables,
  tables.admin.variable,
  env.adminTokenHashes,
];
