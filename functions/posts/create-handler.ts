// Posts: public for everyone, no keys, no tables.

import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { FairUsePorts, HttpPorts, PostPorts } from '../../shared/ports.ts';
import { bindPosts } from '../bindings/posts.ts';

export const createPostsHandler = (ports: HttpPorts & PostPorts & FairUsePorts): LambdaHandler =>
  createOperationHandler('posts', ports, bindPosts(ports));
