import { toolSchemas } from 'postern:tool-schemas';
import { liveAccess } from '../../shared/live/access.ts';
import { liveLists } from '../../shared/live/lists.ts';
import { createRegistry } from './create-registry.ts';
import { mcpSurface } from './surface.ts';

const ports = { ...liveLists(), ...liveAccess() };

export const handler = mcpSurface(createRegistry(ports, toolSchemas), ports);
