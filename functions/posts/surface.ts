// Posts: public for everyone, no keys, no tables.
import type { LambdaHandler } from '../../shared/lambda/chain.ts';
import { surface } from '../../shared/lambda/surface.ts';
import type { DoorPorts, UpstreamPorts } from '../../shared/ports.ts';
import { readPost } from '../../shared/reads/read-post.ts';

export const postsSurface = (ports: DoorPorts & UpstreamPorts): LambdaHandler =>
  surface('posts', ports, { readPost: (input) => readPost(input, ports) });
