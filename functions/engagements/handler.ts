import { networkAllowancesFromEnvironment } from '../../shared/composition/access-control.ts';
import { listsFromEnvironment } from '../../shared/composition/lists.ts';
import { createEngagementsHandler } from '../bindings/reads.ts';

export const handler = createEngagementsHandler({ ...listsFromEnvironment(), ...networkAllowancesFromEnvironment() });
