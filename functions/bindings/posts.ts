// Binds the use cases of posts to their presenters, and creates the handler of their Lambda, which uses no API keys, and a
// table only for the ceiling of paid rows. Apart from lists, so that the Lambda has no code of lists.
import { createErrorPages } from '../../shared/http/middleware/error-pages.ts';
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { bind, type UseCaseBinding, type UseCaseBindings } from '../../shared/http/run-use-case.ts';
import { elapsed } from '../../shared/model/time.ts';
import type { FairUsePorts } from '../../shared/ports/access-control.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { PicturePorts } from '../../shared/ports/pictures.ts';
import type { PostPorts } from '../../shared/ports/upstream.ts';
import { presentLookup } from '../../shared/reads/lookup/present.ts';
import { lookupPosts } from '../../shared/reads/lookup/read.ts';
import { USE_CASE_MILLISECONDS } from '../../shared/reads/paging/outcome-problems.ts';
import { presentPost } from '../../shared/reads/post/present.ts';
import { readPost } from '../../shared/reads/post/read.ts';

/** Pictures are read in the time that the read of the post has left. Without a port they are links. */
const keepWith =
  ({
    clock,
    readPicture = async () => undefined,
  }: HttpPorts & Partial<PicturePorts>): NonNullable<UseCaseBinding<'readPost'>['keep']> =>
  async (request, startedAt) => {
    const { keepPost } = await import('../../shared/keep/keep-post.ts');
    const signal = AbortSignal.timeout(Math.max(0, USE_CASE_MILLISECONDS - elapsed(startedAt, clock())));
    return keepPost({ ...request, readPicture, signal });
  };

/** Also makes the files that readers keep. */
export const bindKeptPost = (ports: HttpPorts & PostPorts & Partial<PicturePorts>): UseCaseBindings<'readPost'> => ({
  readPost: { ...bind(ports, readPost, presentPost), keep: keepWith(ports) },
});

export const createPostsHandler = (
  ports: HttpPorts & PostPorts & Partial<PicturePorts> & FairUsePorts,
): LambdaHandler =>
  createOperationHandler(
    'posts',
    ports,
    { ...bindKeptPost(ports), lookupPosts: bind(ports, lookupPosts, presentLookup) },
    createErrorPages(ports),
  );
