// How the reads of profiles and of whom they are connected with are answered, on whichever surface.
import type { Answers } from '../../shared/lambda/surface.ts';
import type { DoorPorts, ListPorts, UpstreamPorts } from '../../shared/ports.ts';
import { listFollows } from '../../shared/reads/list-follows.ts';
import { readProfile } from '../../shared/reads/read-profile.ts';
import { representProfile } from '../../shared/render/represent-profile.ts';
import { representUsers } from '../../shared/render/represent-users.ts';

export const profileAnswers = (
  ports: DoorPorts & UpstreamPorts & ListPorts,
): Answers<'readProfile' | 'listFollowers' | 'listFollowing'> => ({
  readProfile: { read: (input, requester) => readProfile(input, ports, requester), represent: representProfile },
  listFollowers: {
    read: (input, requester) => listFollows('followers', input, ports, requester),
    represent: representUsers('followers'),
  },
  listFollowing: {
    read: (input, requester) => listFollows('following', input, ports, requester),
    represent: representUsers('following'),
  },
});
