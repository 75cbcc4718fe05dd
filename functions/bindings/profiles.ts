// Binds the reads of profiles, timelines and lists of X to their views, and creates the handler of their Lambda. The alias
// shares bindings.
import { createErrorPages } from '../../shared/http/middleware/error-pages.ts';
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { bind, type UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { AccessControlPorts } from '../../shared/ports/access-control.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import { createFollowsPresenter } from '../../shared/reads/follows/present.ts';
import { listFollows } from '../../shared/reads/follows/read.ts';
import { presentProfile } from '../../shared/reads/profile/present.ts';
import { readProfile } from '../../shared/reads/profile/read.ts';
import { presentProfilePosts } from '../../shared/reads/profile-posts/present.ts';
import { listProfilePosts } from '../../shared/reads/profile-posts/read.ts';
import { presentTimeline } from '../../shared/reads/timeline/present.ts';
import { mergeTimelines } from '../../shared/reads/timeline/read.ts';
import { presentXList } from '../../shared/reads/x-list/present.ts';
import { readXList } from '../../shared/reads/x-list/read.ts';

export type ListPorts = HttpPorts & UpstreamPorts & CursorPorts;

export const bindProfiles = (
  ports: ListPorts,
): UseCaseBindings<'readProfile' | 'readProfileById' | 'listFollowers' | 'listFollowing'> => ({
  readProfile: bind(ports, readProfile, presentProfile),
  readProfileById: bind(ports, readProfile, presentProfile),
  listFollowers: bind(ports, listFollows('followers'), createFollowsPresenter('followers')),
  listFollowing: bind(ports, listFollows('following'), createFollowsPresenter('following')),
});

export const createProfilesHandler = (ports: ListPorts & AccessControlPorts): LambdaHandler =>
  createOperationHandler(
    'profiles',
    ports,
    {
      ...bindProfiles(ports),
      listPosts: bind(ports, listProfilePosts, presentProfilePosts),
      mergeTimelines: bind(ports, mergeTimelines, presentTimeline),
      readXList: bind(ports, readXList, presentXList),
    },
    createErrorPages(ports),
  );
