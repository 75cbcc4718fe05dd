import { documents } from 'postern:documents';
import { liveDoor } from '../../shared/live/settings.ts';
import { discoverySurface } from './surface.ts';

export const handler = discoverySurface(documents, liveDoor());
