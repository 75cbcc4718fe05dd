// What surfaces that answer with lists need beside the providers: the secrets of their cursors.
import { env } from '../env.ts';
import type { DoorPorts, FairUsePorts, ListPorts, UpstreamPorts } from '../ports.ts';
import { createCursors } from '../reads/cursors.ts';
import { secretList } from './grammars.ts';
import { type Environment, parsed, type WriteLine } from './settings.ts';
import { liveUpstream } from './upstream.ts';

/** @throws where there is none: every instance must have the same */
export const cursorSecrets = (from: Environment): readonly [string, ...string[]] => {
  const secrets = parsed(from, env.cursorSecrets, secretList);
  if (secrets === undefined) throw new Error(`${env.cursorSecrets} ${secretList.rule}`);
  return secrets;
};

/** @throws where a setting is wrong, or there is no secret: a cursor must be readable by every instance */
export const liveLists = (
  from: Environment = process.env,
  writeLog?: WriteLine,
): DoorPorts & UpstreamPorts & FairUsePorts & ListPorts => ({
  ...liveUpstream(from, writeLog),
  cursors: createCursors(cursorSecrets(from)),
});
