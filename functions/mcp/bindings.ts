// Binds the reads of the tools to their Markdown and JSON. A tool has no page and no feed, so the bundle has none.
import { bind } from '../../shared/http/run-use-case.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import { followsData } from '../../shared/reads/follows/document.ts';
import { listFollows } from '../../shared/reads/follows/read.ts';
import { presentLookup } from '../../shared/reads/lookup/present.ts';
import { lookupPosts } from '../../shared/reads/lookup/read.ts';
import { createDataPresenter } from '../../shared/reads/paging/list-presenter.ts';
import { relatedPostsData, repostersData } from '../../shared/reads/paging/related-documents.ts';
import { presentPostData } from '../../shared/reads/post/document.ts';
import { readPost } from '../../shared/reads/post/read.ts';
import { profileData } from '../../shared/reads/profile/document.ts';
import { readProfile } from '../../shared/reads/profile/read.ts';
import { profilePostsData } from '../../shared/reads/profile-posts/document.ts';
import { listProfilePosts } from '../../shared/reads/profile-posts/read.ts';
import { listQuotes } from '../../shared/reads/quotes/read.ts';
import { listReplies } from '../../shared/reads/replies/read.ts';
import { listReposts } from '../../shared/reads/reposts/read.ts';
import { searchData } from '../../shared/reads/search/document.ts';
import { searchPosts } from '../../shared/reads/search/read.ts';
import { timelineData } from '../../shared/reads/timeline/document.ts';
import { mergeTimelines } from '../../shared/reads/timeline/read.ts';

/** One per read that has a tool; a missing one does not compile. */
export const bindTools = (ports: HttpPorts & UpstreamPorts & CursorPorts) => ({
  readPost: bind(ports, readPost, presentPostData),
  lookupPosts: bind(ports, lookupPosts, presentLookup),
  readProfile: bind(ports, readProfile, createDataPresenter<'profile'>(profileData)),
  listPosts: bind(ports, listProfilePosts, createDataPresenter<'profilePosts'>(profilePostsData)),
  mergeTimelines: bind(ports, mergeTimelines, createDataPresenter<'timeline'>(timelineData)),
  listFollowers: bind(ports, listFollows('followers'), createDataPresenter<'userList'>(followsData('followers'))),
  listFollowing: bind(ports, listFollows('following'), createDataPresenter<'userList'>(followsData('following'))),
  searchPosts: bind(ports, searchPosts, createDataPresenter<'search'>(searchData)),
  listReplies: bind(ports, listReplies, createDataPresenter<'relatedPosts'>(relatedPostsData('replies'))),
  listQuotes: bind(ports, listQuotes, createDataPresenter<'relatedPosts'>(relatedPostsData('quotes'))),
  listReposts: bind(ports, listReposts, createDataPresenter<'reposters'>(repostersData)),
});
