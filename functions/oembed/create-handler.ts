// Creates the handler of oEmbed, which uses no API keys and no tables. Apart from the bindings, so that its Lambda has no
// code of pages.
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { bind } from '../../shared/http/run-use-case.ts';
import type { FairUsePorts } from '../../shared/ports/access-control.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { PostPorts } from '../../shared/ports/upstream.ts';
import { presentOembed } from '../../shared/reads/oembed/present.ts';
import { readOembed } from '../../shared/reads/oembed/read.ts';

export const createOembedHandler = (ports: HttpPorts & PostPorts & FairUsePorts): LambdaHandler =>
  createOperationHandler('oembed', ports, { readOembed: bind(ports, readOembed, presentOembed) });
