// The deprecated aliases, answered as their successors are. Delete this folder on 2027-09-15.
import type { LambdaHandler } from '../../shared/lambda/chain.ts';
import { surface } from '../../shared/lambda/surface.ts';
import type { AccessPorts, DoorPorts, FairUsePorts, ListPorts, UpstreamPorts } from '../../shared/ports.ts';
import { postAnswers } from '../answers/posts.ts';
import { profileAnswers } from '../answers/profiles.ts';
import { searchAnswers } from '../answers/search.ts';

export const legacySurface = (
  ports: DoorPorts & UpstreamPorts & ListPorts & AccessPorts & FairUsePorts,
): LambdaHandler =>
  surface('legacy', ports, { ...postAnswers(ports), ...profileAnswers(ports), ...searchAnswers(ports) });
