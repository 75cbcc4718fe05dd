// What the documents need beside what every function has.

import type { HttpPorts } from '../ports/http.ts';
import { contactUri } from '../settings/base-parsers.ts';
import { env } from '../settings/environment-variables.ts';
import { type Environment, httpFromEnvironment, parseVariable, type WriteLine } from './environment.ts';

export const discoveryFromEnvironment = (
  from: Environment = process.env,
  writeLog?: WriteLine,
): HttpPorts & { readonly securityContact: string | undefined } => ({
  ...httpFromEnvironment(from, writeLog),
  securityContact: parseVariable(from, env.securityContact, contactUri),
});
