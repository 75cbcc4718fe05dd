// What surfaces that answer with lists need beside the providers: the secrets of their cursors.

import type { FairUsePorts } from '../ports/access-control.ts';
import type { CursorPorts } from '../ports/cursors.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { UpstreamPorts } from '../ports/upstream.ts';
import { env } from '../settings/environment-variables.ts';
import { secretList } from '../settings/feature-parsers.ts';
import { createCursorCodec } from '../use-cases/signed-cursors.ts';
import { type Environment, parseVariable, type WriteLine } from './environment.ts';
import { upstreamFromEnvironment } from './upstream.ts';

/** @throws where there is none: every instance must have the same */
export const readCursorSecrets = (from: Environment): readonly [string, ...string[]] => {
  const secrets = parseVariable(from, env.cursorSecrets, secretList);
  if (secrets === undefined) throw new Error(`${env.cursorSecrets} ${secretList.rule}`);
  return secrets;
};

/** @throws where a setting is wrong, or there is no secret: a cursor must be readable by every instance */
export const listsFromEnvironment = (
  from: Environment = process.env,
  writeLog?: WriteLine,
): HttpPorts & UpstreamPorts & FairUsePorts & CursorPorts => ({
  ...upstreamFromEnvironment(from, writeLog),
  cursors: createCursorCodec(readCursorSecrets(from)),
});
