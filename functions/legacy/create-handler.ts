// Creates the handler of the deprecated aliases. They run the use cases of their successors. Delete this folder on
// 2027-09-15.
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { AccessControlPorts, FairUsePorts } from '../../shared/ports/access-control.ts';
import type { PicturePorts } from '../../shared/ports/pictures.ts';
import { bindKeptPost, bindProfiles, bindSearch, type ListPorts } from '../bindings/reads.ts';

export const createLegacyHandler = (
  ports: ListPorts & AccessControlPorts & FairUsePorts & Partial<PicturePorts>,
): LambdaHandler =>
  createOperationHandler('legacy', ports, { ...bindKeptPost(ports), ...bindProfiles(ports), ...bindSearch(ports) });
