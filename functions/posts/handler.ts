import { picturesFromEnvironment } from '../../shared/composition/pictures.ts';
import { upstreamFromEnvironment } from '../../shared/composition/upstream.ts';
import { createPostsHandler } from '../bindings/reads.ts';

export const handler = createPostsHandler({ ...upstreamFromEnvironment(), ...picturesFromEnvironment() });
