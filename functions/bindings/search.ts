// Binds the use case of searches to its presenter.
import type { UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import { presentSearch, presentSearchForm } from '../../shared/render/presenters/present-search.ts';
import { searchPosts } from '../../shared/use-cases/search-posts.ts';

export const bindSearch = (ports: HttpPorts & UpstreamPorts & CursorPorts): UseCaseBindings<'searchPosts'> => ({
  searchPosts: {
    execute: (input, requester) => searchPosts(input, ports, requester),
    present: presentSearch,
    presentForm: presentSearchForm,
  },
});
