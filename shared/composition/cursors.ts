// Builds the ports of lists: the upstream and the codec of cursors.
import type { FairUsePorts } from '../ports/access-control.ts';
import type { CursorPorts } from '../ports/cursors.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { UpstreamPorts } from '../ports/upstream.ts';
import { env } from '../settings/environment-variables.ts';
import { secretList } from '../settings/feature-parsers.ts';
import { createCursorCodec } from '../use-cases/signed-cursors.ts';
import { type Environment, parseVariable, type WriteLine } from './environment.ts';
import { upstreamFromEnvironment } from './upstream.ts';

/** @throws Error if no secret is set, because all instances must sign with the same secret */
export const readCursorSecrets = (environment: Environment): readonly [string, ...string[]] => {
  const secrets = parseVariable(environment, env.cursorSecrets, secretList);
  if (secrets === undefined) throw new Error(`${env.cursorSecrets} ${secretList.rule}`);
  return secrets;
};

/** @throws Error if a setting is invalid, or if no secret is set */
export const listsFromEnvironment = (
  environment: Environment = process.env,
  writeLog?: WriteLine,
): HttpPorts & UpstreamPorts & FairUsePorts & CursorPorts => ({
  ...upstreamFromEnvironment(environment, writeLog),
  cursors: createCursorCodec(readCursorSecrets(environment)),
});
