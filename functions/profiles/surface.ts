// Profiles and whom they are connected with.
import type { LambdaHandler } from '../../shared/lambda/chain.ts';
import { surface } from '../../shared/lambda/surface.ts';
import type { AccessPorts, DoorPorts, ListPorts, UpstreamPorts } from '../../shared/ports.ts';
import { profileAnswers } from '../answers/profiles.ts';

export const profilesSurface = (ports: DoorPorts & UpstreamPorts & ListPorts & AccessPorts): LambdaHandler =>
  surface('profiles', ports, profileAnswers(ports));
