// Binds the use cases to their presenters. Lambdas, the alias and the tools share the bindings.
import type { UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { PostPorts, Requester, UpstreamPorts, UseCaseResult } from '../../shared/ports/upstream.ts';
import {
  createRelatedPostsPresenter,
  createUsersPresenter,
  presentPostLookup,
  presentProfile,
  presentProfilePosts,
  presentReposters,
  presentSearch,
  presentSearchForm,
} from '../../shared/render/presenters/lists.ts';
import { presentPost } from '../../shared/render/presenters/present-post.ts';
import type { Presenter, View } from '../../shared/render/presenters/view.ts';
import { listQuotes, listReplies, listReposts } from '../../shared/use-cases/list-engagements.ts';
import { listFollows } from '../../shared/use-cases/list-follows.ts';
import { lookupPosts } from '../../shared/use-cases/lookup-posts.ts';
import { readPost } from '../../shared/use-cases/read-post.ts';
import { readProfile } from '../../shared/use-cases/read-profile.ts';
import { readTimeline } from '../../shared/use-cases/read-timeline.ts';
import { searchPosts } from '../../shared/use-cases/search-posts.ts';

type ListPorts = HttpPorts & UpstreamPorts & CursorPorts;

const bind = <Input, Ports, Output, V extends View>(
  ports: Ports,
  useCase: (input: Input, ports: Ports, requester?: Requester) => Promise<UseCaseResult<Output>>,
  present: Presenter<Output, V>,
) => ({ execute: (input: Input, requester?: Requester) => useCase(input, ports, requester), present });

export const bindReadPost = (ports: HttpPorts & PostPorts): UseCaseBindings<'readPost'> => ({
  readPost: bind(ports, readPost, presentPost),
});

export const bindPosts = (ports: HttpPorts & PostPorts): UseCaseBindings<'readPost' | 'lookupPosts'> => ({
  ...bindReadPost(ports),
  lookupPosts: bind(ports, lookupPosts, presentPostLookup),
});

export const bindListPosts = (ports: ListPorts): UseCaseBindings<'listPosts'> => ({
  listPosts: bind(ports, readTimeline, presentProfilePosts),
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
