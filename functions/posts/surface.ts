// Posts: public for everyone, no keys, no tables.
import type { LambdaHandler } from '../../shared/lambda/chain.ts';
import { surface } from '../../shared/lambda/surface.ts';
import type { DoorPorts, PostPorts } from '../../shared/ports.ts';
import { postAnswers } from '../answers/posts.ts';

export const postsSurface = (ports: DoorPorts & PostPorts): LambdaHandler =>
  surface('posts', ports, postAnswers(ports));
