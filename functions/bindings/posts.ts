// Binds the use cases of posts to their presenters, apart from lists, so that the Lambda of posts has no code of lists.
import { bind, type UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { PostPorts } from '../../shared/ports/upstream.ts';
import { presentPost, presentPostLookup } from '../../shared/render/presenters/present-post.ts';
import { lookupPosts } from '../../shared/use-cases/lookup-posts.ts';
import { readPost } from '../../shared/use-cases/read-post.ts';

export const bindReadPost = (ports: HttpPorts & PostPorts): UseCaseBindings<'readPost'> => ({
  readPost: bind(ports, readPost, presentPost),
});

export const bindPosts = (ports: HttpPorts & PostPorts): UseCaseBindings<'readPost' | 'lookupPosts'> => ({
  ...bindReadPost(ports),
  lookupPosts: bind(ports, lookupPosts, presentPostLookup),
});
