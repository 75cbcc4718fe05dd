// Binds the use case of posts to its presenter.
import type { UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { PostPorts } from '../../shared/ports/upstream.ts';
import { presentPost } from '../../shared/render/presenters/present-post.ts';
import { readPost } from '../../shared/use-cases/read-post.ts';

export const bindPosts = (ports: HttpPorts & PostPorts): UseCaseBindings<'readPost'> => ({
  readPost: { execute: (input, requester) => readPost(input, ports, requester), present: presentPost },
});
