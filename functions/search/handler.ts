import { accessControlFromEnvironment } from '../../shared/composition/access-control.ts';
import { listsFromEnvironment } from '../../shared/composition/lists.ts';
import { createSearchHandler } from '../bindings/reads.ts';

export const handler = createSearchHandler({ ...listsFromEnvironment(), ...accessControlFromEnvironment() });
