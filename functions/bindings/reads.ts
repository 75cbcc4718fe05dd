// Binds each read to its views, and creates the handlers of the Lambdas that serve reads. A bundle holds only what its Lambda
// binds: tools have no pages and no feeds.
import { createErrorPages } from '../../shared/http/middleware/error-pages.ts';
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { bind, type UseCaseBinding, type UseCaseBindings } from '../../shared/http/run-use-case.ts';
import { elapsed } from '../../shared/model/time.ts';
import type { AccessControlPorts, FairUsePorts } from '../../shared/ports/access-control.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { PicturePorts } from '../../shared/ports/pictures.ts';
import type { PostPorts, UpstreamPorts } from '../../shared/ports/upstream.ts';
import { conversationData, presentConversation } from '../../shared/reads/conversation/present.ts';
import { readConversation } from '../../shared/reads/conversation/read.ts';
import { createFollowsPresenter, followsData } from '../../shared/reads/follows/present.ts';
import { listFollows } from '../../shared/reads/follows/read.ts';
import { lookupData, presentLookup } from '../../shared/reads/lookup/present.ts';
import { lookupPosts } from '../../shared/reads/lookup/read.ts';
import { USE_CASE_MILLISECONDS } from '../../shared/reads/outcome-problems.ts';
import { createDataPresenter } from '../../shared/reads/paging/list-presenter.ts';
import { relatedPostsData, repostersData } from '../../shared/reads/paging/related-documents.ts';
import { presentPost, presentPostData } from '../../shared/reads/post/present.ts';
import { readPost } from '../../shared/reads/post/read.ts';
import { presentProfile, profileData } from '../../shared/reads/profile/present.ts';
import { readProfile } from '../../shared/reads/profile/read.ts';
import { presentProfilePosts, profilePostsData } from '../../shared/reads/profile-posts/present.ts';
import { listProfilePosts } from '../../shared/reads/profile-posts/read.ts';
import { presentQuotes } from '../../shared/reads/quotes/present.ts';
import { listQuotes } from '../../shared/reads/quotes/read.ts';
import { presentReplies } from '../../shared/reads/replies/present.ts';
import { listReplies } from '../../shared/reads/replies/read.ts';
import { presentReposters } from '../../shared/reads/reposts/present.ts';
import { listReposts } from '../../shared/reads/reposts/read.ts';
import { searchFormHtml } from '../../shared/reads/search/page.ts';
import { presentSearch, searchData } from '../../shared/reads/search/present.ts';
import { searchPosts } from '../../shared/reads/search/read.ts';
import { presentTimeline, timelineData } from '../../shared/reads/timeline/present.ts';
import { mergeTimelines } from '../../shared/reads/timeline/read.ts';
import { presentXList, xListData } from '../../shared/reads/x-list/present.ts';
import { readXList } from '../../shared/reads/x-list/read.ts';

/** Pictures are read in the time that the read of the post has left. Without a port they are links. */
const keepWith =
  ({
    clock,
    readPicture = async () => undefined,
  }: HttpPorts & Partial<PicturePorts>): NonNullable<UseCaseBinding<'readPost'>['keep']> =>
  async (request, startedAt) => {
    const { keepPost } = await import('../../shared/keep/keep-post.ts');
    const signal = AbortSignal.timeout(Math.max(0, USE_CASE_MILLISECONDS - elapsed(startedAt, clock())));
    return keepPost({ ...request, readPicture, signal });
  };

/** Also makes the files that readers keep. */
export const bindKeptPost = (ports: HttpPorts & PostPorts & Partial<PicturePorts>): UseCaseBindings<'readPost'> => ({
  readPost: { ...bind(ports, readPost, presentPost), keep: keepWith(ports) },
});

export const createPostsHandler = (
  ports: HttpPorts & PostPorts & Partial<PicturePorts> & FairUsePorts,
): LambdaHandler =>
  createOperationHandler(
    'posts',
    ports,
    { ...bindKeptPost(ports), lookupPosts: bind(ports, lookupPosts, presentLookup) },
    createErrorPages(ports),
  );

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

/**
 * Replies, quotes and reposts are lists that charge an allowance by IP address, which posts do not, so that the Lambda of
 * posts stays small.
 */
export const createEngagementsHandler = (ports: ListPorts & AccessControlPorts): LambdaHandler =>
  createOperationHandler(
    'engagements',
    ports,
    {
      listReplies: bind(ports, listReplies, presentReplies),
      listQuotes: bind(ports, listQuotes, presentQuotes),
      listReposts: bind(ports, listReposts, presentReposters),
      readConversation: bind(ports, readConversation, presentConversation),
    },
    createErrorPages(ports),
  );

export const bindSearch = (ports: ListPorts): UseCaseBindings<'searchPosts'> => ({
  searchPosts: { ...bind(ports, searchPosts, presentSearch), presentForm: searchFormHtml },
});

/** Searches have a Lambda of their own, because they have an allowance of their own. */
export const createSearchHandler = (ports: ListPorts & AccessControlPorts): LambdaHandler =>
  createOperationHandler('search', ports, bindSearch(ports), createErrorPages(ports));

/** The reads of tools, which have no pages and no feeds. A missing one does not compile. */
export const bindTools = (ports: HttpPorts & UpstreamPorts & CursorPorts) => ({
  readPost: bind(ports, readPost, presentPostData),
  lookupPosts: bind(ports, lookupPosts, createDataPresenter<'postLookup'>(lookupData)),
  readProfile: bind(ports, readProfile, createDataPresenter<'profile'>(profileData)),
  readProfileById: bind(ports, readProfile, createDataPresenter<'profile'>(profileData)),
  listPosts: bind(ports, listProfilePosts, createDataPresenter<'profilePosts'>(profilePostsData)),
  mergeTimelines: bind(ports, mergeTimelines, createDataPresenter<'timeline'>(timelineData)),
  listFollowers: bind(ports, listFollows('followers'), createDataPresenter<'userList'>(followsData('followers'))),
  listFollowing: bind(ports, listFollows('following'), createDataPresenter<'userList'>(followsData('following'))),
  readXList: bind(ports, readXList, createDataPresenter<'xList'>(xListData)),
  searchPosts: bind(ports, searchPosts, createDataPresenter<'search'>(searchData)),
  listReplies: bind(ports, listReplies, createDataPresenter<'relatedPosts'>(relatedPostsData('replies'))),
  listQuotes: bind(ports, listQuotes, createDataPresenter<'relatedPosts'>(relatedPostsData('quotes'))),
  listReposts: bind(ports, listReposts, createDataPresenter<'reposters'>(repostersData)),
  readConversation: bind(ports, readConversation, createDataPresenter<'conversation'>(conversationData)),
});
