import { liveAccess } from '../../shared/live/access.ts';
import { liveLists } from '../../shared/live/lists.ts';
import { searchSurface } from './surface.ts';

export const handler = searchSurface({ ...liveLists(), ...liveAccess() });
