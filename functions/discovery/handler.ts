import { documents, permalinkPaths } from 'postern:documents';
import { discoveryFromEnvironment } from '../../shared/composition/discovery.ts';
import { createDiscoveryHandler } from './create-handler.ts';

export const handler = createDiscoveryHandler(documents, { ...discoveryFromEnvironment(), permalinkPaths });
