import { liveUpstream } from '../../shared/live/upstream.ts';
import { oembedSurface } from './surface.ts';

export const handler = oembedSurface(liveUpstream());
