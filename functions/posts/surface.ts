// Posts: public for everyone, no keys, no tables.
import type { LambdaHandler } from '../../shared/lambda/chain.ts';
import { surface } from '../../shared/lambda/surface.ts';
import type { DoorPorts, FairUsePorts, PostPorts } from '../../shared/ports.ts';
import { postAnswers } from '../answers/posts.ts';

export const postsSurface = (ports: DoorPorts & PostPorts & FairUsePorts): LambdaHandler =>
  surface('posts', ports, postAnswers(ports));
