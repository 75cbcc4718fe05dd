// Binds the use cases of profiles, searches and lists of posts to their presenters. Lambdas, the alias and the tools
// share the bindings.
import { bind, type UseCaseBindings } from '../../shared/http/run-use-case.ts';
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
import { readTimeline } from '../../shared/use-cases/read-timeline.ts';
import { searchPosts } from '../../shared/use-cases/search-posts.ts';

type ListPorts = HttpPorts & UpstreamPorts & CursorPorts;

export const bindListPosts = (ports: ListPorts): UseCaseBindings<'listPosts'> => ({
  listPosts: bind(ports, readTimeline, presentProfilePosts),
});

export const bindTimeline = (ports: ListPorts): UseCaseBindings<'mergeTimelines'> => ({
  mergeTimelines: bind(ports, mergeTimelines, presentTimeline),
});

export const bindXList = (ports: ListPorts): UseCaseBindings<'readXList'> => ({
  readXList: bind(ports, readXList, presentXList),
});

export const bindProfiles = (
  ports: ListPorts,
): UseCaseBindings<'readProfile' | 'readProfileById' | 'listFollowers' | 'listFollowing'> => ({
  readProfile: bind(ports, readProfile, presentProfile),
  readProfileById: bind(ports, readProfile, presentProfile),
  listFollowers: bind(ports, listFollows('followers'), createUsersPresenter('followers')),
  listFollowing: bind(ports, listFollows('following'), createUsersPresenter('following')),
});

export const bindSearch = (ports: ListPorts): UseCaseBindings<'searchPosts'> => ({
  searchPosts: { ...bind(ports, searchPosts, presentSearch), presentForm: presentSearchForm },
});

export const bindEngagements = (ports: ListPorts): UseCaseBindings<'listReplies' | 'listQuotes' | 'listReposts'> => ({
  listReplies: bind(ports, listReplies, createRelatedPostsPresenter('replies')),
  listQuotes: bind(ports, listQuotes, createRelatedPostsPresenter('quotes')),
  listReposts: bind(ports, listReposts, presentReposters),
});
