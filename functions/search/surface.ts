// Searches, apart from profiles: theirs is the scarcer pool.
import type { LambdaHandler } from '../../shared/lambda/chain.ts';
import { surface } from '../../shared/lambda/surface.ts';
import type { AccessPorts, DoorPorts, ListPorts, UpstreamPorts } from '../../shared/ports.ts';
import { searchAnswers } from '../answers/search.ts';

export const searchSurface = (ports: DoorPorts & UpstreamPorts & ListPorts & AccessPorts): LambdaHandler =>
  surface('search', ports, searchAnswers(ports));
