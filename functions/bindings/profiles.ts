// Binds the use cases of profiles, timelines and follow lists to their presenters.
import type { UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import { presentProfile } from '../../shared/render/presenters/present-profile.ts';
import { presentProfilePosts } from '../../shared/render/presenters/present-profile-posts.ts';
import { createUsersPresenter } from '../../shared/render/presenters/present-users.ts';
import { listFollows } from '../../shared/use-cases/list-follows.ts';
import { readProfile } from '../../shared/use-cases/read-profile.ts';
import { readTimeline } from '../../shared/use-cases/read-timeline.ts';

type ProfilePorts = HttpPorts & UpstreamPorts & CursorPorts;

export const bindListPosts = (ports: ProfilePorts): UseCaseBindings<'listPosts'> => ({
  listPosts: { execute: (input, requester) => readTimeline(input, ports, requester), present: presentProfilePosts },
});

export const bindProfiles = (
  ports: ProfilePorts,
): UseCaseBindings<'readProfile' | 'readProfileById' | 'listFollowers' | 'listFollowing'> => ({
  readProfile: { execute: (input, requester) => readProfile(input, ports, requester), present: presentProfile },
  readProfileById: { execute: (input, requester) => readProfile(input, ports, requester), present: presentProfile },
  listFollowers: {
    execute: (input, requester) => listFollows('followers', input, ports, requester),
    present: createUsersPresenter('followers'),
  },
  listFollowing: {
    execute: (input, requester) => listFollows('following', input, ports, requester),
    present: createUsersPresenter('following'),
  },
});
