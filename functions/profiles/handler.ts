import { accessControlFromEnvironment } from '../../shared/composition/access-control.ts';
import { listsFromEnvironment } from '../../shared/composition/lists.ts';
import { createProfilesHandler } from '../bindings/reads.ts';

export const handler = createProfilesHandler({ ...listsFromEnvironment(), ...accessControlFromEnvironment() });
