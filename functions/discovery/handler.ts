import { documents } from 'postern:documents';
import { liveDiscovery } from '../../shared/live/discovery.ts';
import { discoverySurface } from './surface.ts';

export const handler = discoverySurface(documents, liveDiscovery());
