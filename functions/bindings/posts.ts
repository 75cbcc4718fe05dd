// Binds the use cases of posts to their presenters.
import type { UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { PostPorts } from '../../shared/ports/upstream.ts';
import { presentPost } from '../../shared/render/presenters/present-post.ts';
import { presentPostLookup } from '../../shared/render/presenters/present-post-lookup.ts';
import { lookupPosts } from '../../shared/use-cases/lookup-posts.ts';
import { readPost } from '../../shared/use-cases/read-post.ts';

export const bindReadPost = (ports: HttpPorts & PostPorts): UseCaseBindings<'readPost'> => ({
  readPost: { execute: (input, requester) => readPost(input, ports, requester), present: presentPost },
});

export const bindPosts = (ports: HttpPorts & PostPorts): UseCaseBindings<'readPost' | 'lookupPosts'> => ({
  ...bindReadPost(ports),
  lookupPosts: { execute: (input, requester) => lookupPosts(input, ports, requester), present: presentPostLookup },
});
