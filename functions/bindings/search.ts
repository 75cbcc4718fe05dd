// How searches are answered, on whichever surface.
import type { UseCaseBindings } from '../../shared/http/operation-handler.ts';
import type { CursorPorts, HttpPorts, UpstreamPorts } from '../../shared/ports.ts';
import { presentSearch } from '../../shared/render/presenters/present-search.ts';
import { searchPosts } from '../../shared/use-cases/search-posts.ts';

export const bindSearch = (ports: HttpPorts & UpstreamPorts & CursorPorts): UseCaseBindings<'searchPosts'> => ({
  searchPosts: { execute: (input, requester) => searchPosts(input, ports, requester), present: presentSearch },
});
