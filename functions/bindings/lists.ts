// Binds the use cases of profiles, searches and lists to their presenters, and creates the handlers of their Lambdas. The
// alias and the tools share the bindings.
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { bind, type UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { AccessControlPorts } from '../../shared/ports/access-control.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import {
  createRelatedPostsPresenter,
  createUsersPresenter,
  presentProfile,
  presentProfilePosts,
  presentReposters,
  presentSearch,
  presentSearchForm,
  presentTimeline,
  presentXList,
} from '../../shared/render/presenters/lists.ts';
import { listFollows, listQuotes, listReplies, listReposts, readXList } from '../../shared/use-cases/list-items.ts';
import { mergeTimelines } from '../../shared/use-cases/merge-timelines.ts';
import { readProfile } from '../../shared/use-cases/read-profile.ts';
import { listProfilePosts } from '../../shared/use-cases/read-timeline.ts';
import { searchPosts } from '../../shared/use-cases/search-posts.ts';

export type ListPorts = HttpPorts & UpstreamPorts & CursorPorts;

export const bindProfiles = (
  ports: ListPorts,
): UseCaseBindings<'readProfile' | 'readProfileById' | 'listFollowers' | 'listFollowing'> => ({
  readProfile: bind(ports, readProfile, presentProfile),
  readProfileById: bind(ports, readProfile, presentProfile),
  listFollowers: bind(ports, listFollows('followers'), createUsersPresenter('followers')),
  listFollowing: bind(ports, listFollows('following'), createUsersPresenter('following')),
});

export const bindTimelines = (ports: ListPorts): UseCaseBindings<'listPosts' | 'mergeTimelines'> => ({
  listPosts: bind(ports, listProfilePosts, presentProfilePosts),
  mergeTimelines: bind(ports, mergeTimelines, presentTimeline),
});

export const createProfilesHandler = (ports: ListPorts & AccessControlPorts): LambdaHandler =>
  createOperationHandler('profiles', ports, {
    ...bindProfiles(ports),
    ...bindTimelines(ports),
    readXList: bind(ports, readXList, presentXList),
  });

export const bindSearch = (ports: ListPorts): UseCaseBindings<'searchPosts'> => ({
  searchPosts: { ...bind(ports, searchPosts, presentSearch), presentForm: presentSearchForm },
});

/** Searches have a Lambda of their own, because they have an allowance of their own. */
export const createSearchHandler = (ports: ListPorts & AccessControlPorts): LambdaHandler =>
  createOperationHandler('search', ports, bindSearch(ports));

export const bindEngagements = (ports: ListPorts): UseCaseBindings<'listReplies' | 'listQuotes' | 'listReposts'> => ({
  listReplies: bind(ports, listReplies, createRelatedPostsPresenter('replies')),
  listQuotes: bind(ports, listQuotes, createRelatedPostsPresenter('quotes')),
  listReposts: bind(ports, listReposts, presentReposters),
});

/**
 * Replies, quotes and reposts are lists that charge an allowance by IP address, which posts do not, so that the Lambda of
 * posts stays small.
 */
export const createEngagementsHandler = (ports: ListPorts & AccessControlPorts): LambdaHandler =>
  createOperationHandler('engagements', ports, bindEngagements(ports));
