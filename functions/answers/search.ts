// How searches are answered, on whichever surface.
import type { Answers } from '../../shared/lambda/surface.ts';
import type { DoorPorts, ListPorts, UpstreamPorts } from '../../shared/ports.ts';
import { searchPosts } from '../../shared/reads/search-posts.ts';
import { representSearch } from '../../shared/render/represent-search.ts';

export const searchAnswers = (ports: DoorPorts & UpstreamPorts & ListPorts): Answers<'searchPosts'> => ({
  searchPosts: { read: (input, requester) => searchPosts(input, ports, requester), represent: representSearch },
});
