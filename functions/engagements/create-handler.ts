// Creates the handler of replies, quotes and reposts. They are lists that charge an allowance by IP address, which posts do
// not, so that the Lambda of posts stays small and uses no table.
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { AccessControlPorts } from '../../shared/ports/access-control.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import { bindEngagements } from '../bindings/lists.ts';

export const createEngagementsHandler = (
  ports: HttpPorts & UpstreamPorts & CursorPorts & AccessControlPorts,
): LambdaHandler => createOperationHandler('engagements', ports, bindEngagements(ports));
