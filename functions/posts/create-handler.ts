// Creates the handler of posts. It uses no API keys and no tables.
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { FairUsePorts } from '../../shared/ports/access-control.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { PicturePorts } from '../../shared/ports/pictures.ts';
import type { PostPorts } from '../../shared/ports/upstream.ts';
import { bindKeptPost, bindPosts } from '../bindings/posts.ts';

export const createPostsHandler = (
  ports: HttpPorts & PostPorts & Partial<PicturePorts> & FairUsePorts,
): LambdaHandler => createOperationHandler('posts', ports, { ...bindPosts(ports), ...bindKeptPost(ports) });
