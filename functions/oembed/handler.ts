import { upstreamFromEnvironment } from '../../shared/composition/upstream.ts';
import { createOembedHandler } from './create-handler.ts';

export const handler = createOembedHandler(upstreamFromEnvironment());
