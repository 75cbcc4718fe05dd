import { accessControlFromEnvironment } from '../../shared/composition/access-control.ts';
import { listsFromEnvironment } from '../../shared/composition/lists.ts';
import { picturesFromEnvironment } from '../../shared/composition/pictures.ts';
import { createMcpHandler } from './create-handler.ts';
import { createRegistry } from './create-registry.ts';
import { createResearchRegistry } from './research.ts';

const ports = { ...listsFromEnvironment(), ...accessControlFromEnvironment(), ...picturesFromEnvironment() };

export const handler = createMcpHandler(createRegistry(ports), ports, { research: createResearchRegistry(ports) });
