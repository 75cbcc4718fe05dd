// What the documents need beside what every function has.
import { env } from '../env.ts';
import type { DoorPorts } from '../ports.ts';
import { contact } from './grammar.ts';
import { type Environment, liveDoor, parsed, type WriteLine } from './settings.ts';

export const liveDiscovery = (
  from: Environment = process.env,
  writeLog?: WriteLine,
): DoorPorts & { readonly securityContact: string | undefined } => ({
  ...liveDoor(from, writeLog),
  securityContact: parsed(from, env.securityContact, contact),
});
