import { liveUpstream } from '../../shared/live/upstream.ts';
import { postsSurface } from './surface.ts';

export const handler = postsSurface(liveUpstream());
