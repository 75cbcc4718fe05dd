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
  readProfile: { read: (input, admit) => readProfile(input, ports, admit), represent: representProfile },
  listFollowers: {
    read: (input, admit) => listFollows('followers', input, ports, admit),
    represent: representUsers('followers'),
  },
  listFollowing: {
    read: (input, admit) => listFollows('following', input, ports, admit),
    represent: representUsers('following'),
  },
});
