// Embed data: public for everyone, no keys, no tables.
import type { LambdaHandler } from '../../shared/lambda/chain.ts';
import { surface } from '../../shared/lambda/surface.ts';
import type { DoorPorts, FairUsePorts, PostPorts } from '../../shared/ports.ts';
import { readOembed } from '../../shared/reads/read-oembed.ts';
import { representOembed } from '../../shared/render/represent-oembed.ts';

export const oembedSurface = (ports: DoorPorts & PostPorts & FairUsePorts): LambdaHandler =>
  surface('oembed', ports, {
    readOembed: { read: (input, requester) => readOembed(input, ports, requester), represent: representOembed },
  });
