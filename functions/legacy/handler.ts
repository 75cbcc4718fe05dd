import { liveAccess } from '../../shared/live/access.ts';
import { liveLists } from '../../shared/live/lists.ts';
import { legacySurface } from './surface.ts';

export const handler = legacySurface({ ...liveLists(), ...liveAccess() });
