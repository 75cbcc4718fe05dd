// The deprecated aliases, answered as their successors are. Delete this folder on 2027-09-15.

import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { AccessControlPorts, CursorPorts, FairUsePorts, HttpPorts, UpstreamPorts } from '../../shared/ports.ts';
import { bindPosts } from '../bindings/posts.ts';
import { bindProfiles } from '../bindings/profiles.ts';
import { bindSearch } from '../bindings/search.ts';

export const createLegacyHandler = (
  ports: HttpPorts & UpstreamPorts & CursorPorts & AccessControlPorts & FairUsePorts,
): LambdaHandler =>
  createOperationHandler('legacy', ports, { ...bindPosts(ports), ...bindProfiles(ports), ...bindSearch(ports) });
