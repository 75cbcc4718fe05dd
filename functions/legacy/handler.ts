import { liveUpstream } from '../../shared/live/upstream.ts';
import { legacySurface } from './surface.ts';

export const handler = legacySurface(liveUpstream());
