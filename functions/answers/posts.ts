// How the reads of posts are answered, on whichever surface.
import type { Answers } from '../../shared/lambda/surface.ts';
import type { DoorPorts, PostPorts } from '../../shared/ports.ts';
import { readPost } from '../../shared/reads/read-post.ts';
import { representPost } from '../../shared/render/represent-post.ts';

export const postAnswers = (ports: DoorPorts & PostPorts): Answers<'readPost'> => ({
  readPost: { read: (input, requester) => readPost(input, ports, requester), represent: representPost },
});
