import { liveAccess } from '../../shared/live/access.ts';
import { liveLists } from '../../shared/live/lists.ts';
import { profilesSurface } from './surface.ts';

export const handler = profilesSurface({ ...liveLists(), ...liveAccess() });
