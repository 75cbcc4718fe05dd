// Builds the ports of the documents.
import type { HttpPorts } from '../ports/http.ts';
import { contactUri } from '../settings/base-parsers.ts';
import { env } from '../settings/environment-variables.ts';
import { type Environment, httpFromEnvironment, parseVariable, type WriteLine } from './environment.ts';

export const discoveryFromEnvironment = (
  environment: Environment = process.env,
  writeLog?: WriteLine,
): HttpPorts & { readonly securityContact: string | undefined } => ({
  ...httpFromEnvironment(environment, writeLog),
  securityContact: parseVariable(environment, env.securityContact, contactUri),
});
