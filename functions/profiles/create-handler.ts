// Profiles and whom they are connected with.

import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { AccessControlPorts, CursorPorts, HttpPorts, UpstreamPorts } from '../../shared/ports.ts';
import { bindProfiles } from '../bindings/profiles.ts';

export const createProfilesHandler = (
  ports: HttpPorts & UpstreamPorts & CursorPorts & AccessControlPorts,
): LambdaHandler => createOperationHandler('profiles', ports, bindProfiles(ports));
