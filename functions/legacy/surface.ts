// The deprecated aliases, through the same reads as their successors. Delete this folder on 2027-09-15.
import type { LambdaHandler } from '../../shared/lambda/chain.ts';
import { surface } from '../../shared/lambda/surface.ts';
import type { DoorPorts, UpstreamPorts } from '../../shared/ports.ts';
import { readPost } from '../../shared/reads/read-post.ts';

export const legacySurface = (ports: DoorPorts & UpstreamPorts): LambdaHandler =>
  surface('legacy', ports, { readPost: (input) => readPost(input, ports) });
