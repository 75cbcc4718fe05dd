// Builds the ports of the documents.
import type { OperatorValues } from '../contract/placeholders.ts';
import type { HttpPorts } from '../ports/http.ts';
import { contactUri, operatorName, retentionDays } from '../settings/base-parsers.ts';
import { env } from '../settings/environment-variables.ts';
import { type Environment, httpFromEnvironment, parseVariable, type WriteLine } from './environment.ts';

export const discoveryFromEnvironment = (
  environment: Environment = process.env,
  writeLog?: WriteLine,
): HttpPorts & { readonly operator: OperatorValues } => ({
  ...httpFromEnvironment(environment, writeLog),
  operator: {
    securityContact: parseVariable(environment, env.securityContact, contactUri),
    abuseContact: parseVariable(environment, env.abuseContact, contactUri),
    operatorName: parseVariable(environment, env.operatorName, operatorName),
    logRetentionDays: parseVariable(environment, env.logRetentionDays, retentionDays),
  },
});
