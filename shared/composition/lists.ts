// Builds the ports of lists: the upstream and the codec of cursors.
import type { FairUsePorts } from '../ports/access-control.ts';
import type { CursorPorts } from '../ports/cursors.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { UpstreamPorts } from '../ports/upstream.ts';
import { createCursorCodec } from '../reads/paging/signed-cursors.ts';
import { type Environment, readCursorSecrets, type WriteLine } from './environment.ts';
import { upstreamFromEnvironment } from './upstream.ts';

/** @throws Error if a setting is invalid, or if no secret is set */
export const listsFromEnvironment = (
  environment: Environment = process.env,
  writeLog?: WriteLine,
): HttpPorts & UpstreamPorts & FairUsePorts & CursorPorts => ({
  ...upstreamFromEnvironment(environment, writeLog),
  cursors: createCursorCodec(readCursorSecrets(environment)),
});
