// Binds the use cases of the engagements of a post to their presenters.
import type { UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import { createRelatedPostsPresenter, presentReposters } from '../../shared/render/presenters/present-engagements.ts';
import { listQuotes, listReplies, listReposts } from '../../shared/use-cases/list-engagements.ts';

export const bindEngagements = (
  ports: HttpPorts & UpstreamPorts & CursorPorts,
): UseCaseBindings<'listReplies' | 'listQuotes' | 'listReposts'> => ({
  listReplies: {
    execute: (input, requester) => listReplies(input, ports, requester),
    present: createRelatedPostsPresenter('replies'),
  },
  listQuotes: {
    execute: (input, requester) => listQuotes(input, ports, requester),
    present: createRelatedPostsPresenter('quotes'),
  },
  listReposts: {
    execute: (input, requester) => listReposts(input, ports, requester),
    present: presentReposters,
  },
});
