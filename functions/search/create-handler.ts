// Searches, apart from profiles: theirs is the scarcer pool.

import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { AccessControlPorts } from '../../shared/ports/access-control.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import { bindSearch } from '../bindings/search.ts';

export const createSearchHandler = (
  ports: HttpPorts & UpstreamPorts & CursorPorts & AccessControlPorts,
): LambdaHandler => createOperationHandler('search', ports, bindSearch(ports));
