// Searches, apart from profiles: theirs is the scarcer pool.

import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { AccessControlPorts, CursorPorts, HttpPorts, UpstreamPorts } from '../../shared/ports.ts';
import { bindSearch } from '../bindings/search.ts';

export const createSearchHandler = (
  ports: HttpPorts & UpstreamPorts & CursorPorts & AccessControlPorts,
): LambdaHandler => createOperationHandler('search', ports, bindSearch(ports));
