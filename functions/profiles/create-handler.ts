// Creates the handler of profiles, timelines, lists of X and follow lists.
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { AccessControlPorts } from '../../shared/ports/access-control.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import { bindListPosts, bindProfiles, bindTimeline, bindXList } from '../bindings/lists.ts';

export const createProfilesHandler = (
  ports: HttpPorts & UpstreamPorts & CursorPorts & AccessControlPorts,
): LambdaHandler =>
  createOperationHandler('profiles', ports, {
    ...bindProfiles(ports),
    ...bindListPosts(ports),
    ...bindTimeline(ports),
    ...bindXList(ports),
  });
