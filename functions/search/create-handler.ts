// Creates the handler of searches. Searches have a Lambda of their own, because their allowance pool is smaller.
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { AccessControlPorts } from '../../shared/ports/access-control.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import { bindSearch } from '../bindings/lists.ts';

export const createSearchHandler = (
  ports: HttpPorts & UpstreamPorts & CursorPorts & AccessControlPorts,
): LambdaHandler => createOperationHandler('search', ports, bindSearch(ports));
