// Presents each list with pages: one row per list. A mark lets the bundler leave out the lists that a Lambda does not serve.
import type { FeedFormat } from '../../contract/media-types.ts';
import { isSameHandle, xListPath } from '../../model/handle.ts';
import type { ProfilePosts } from '../../model/resources.ts';
import { nameAndHandle } from '../content/labels.ts';
import {
  type Follows,
  namesOf,
  searchDescription,
  searchPageTitle,
  timelineTitle,
  xListTitle,
} from '../content/list-labels.ts';
import type { FeedUrls } from '../feeds/feed.ts';
import { followingOpml, opmlText } from '../feeds/opml.ts';
import { type FeedText, writeFeed } from '../feeds/write-feed.ts';
import { relatedPostsHtml, repostersHtml } from '../html/engagements.ts';
import type { Html } from '../html/html.ts';
import { mergedTimelinePath, pageLink, searchUrlOnX, timelinePath, timelineUrlOnX } from '../html/inner-links.ts';
import type { PageService } from '../html/page.ts';
import { profileHtml, profilePostsHtml } from '../html/profile.ts';
import { feedPath, searchFormHtml, searchHtml } from '../html/search.ts';
import { timelineHtml, xListHtml, xListUrlOnX } from '../html/timeline.ts';
import { followsHtml } from '../html/users.ts';
import {
  followsDocument,
  profileDocument,
  profilePostsDocument,
  relatedPostsDocument,
  repostersDocument,
  searchDocument,
  timelineDocument,
  xListDocument,
} from '../markdown/list-documents.ts';
import { createListPresenter } from './list-presenter.ts';

export const presentProfile = /* @__PURE__ */ createListPresenter<'profile'>({
  document: profileDocument,
  html: profileHtml,
});

/** The timeline names only the handle; its posts name the account. */
const feedOfProfile = ({ handle, kind, posts }: ProfilePosts, format: FeedFormat, urls: FeedUrls): FeedText => {
  const account = posts.find(({ author }) => isSameHandle(author?.handle, handle))?.author;
  const shownHandle = account?.handle ?? handle;
  const title = timelineTitle(kind, shownHandle);
  return writeFeed(format, {
    ...urls,
    // Without posts, the spelling of the account is unknown. The id must not change with it.
    id: timelineUrlOnX(handle.toLowerCase(), kind),
    title: account !== undefined && kind === 'posts' ? nameAndHandle(account) : title,
    description: `${title} on X.`,
    home: pageLink(urls, timelinePath(shownHandle, kind) ?? '') ?? timelineUrlOnX(shownHandle, kind),
    account,
    posts,
  });
};

export const presentProfilePosts = /* @__PURE__ */ createListPresenter<'profilePosts'>({
  document: profilePostsDocument,
  html: profilePostsHtml,
  feed: feedOfProfile,
});

export const presentTimeline = /* @__PURE__ */ createListPresenter<'timeline'>({
  document: timelineDocument,
  html: timelineHtml,
  opml: ({ handles, missing, posts }, base) => {
    // An account that cannot be read has no feed, but one that failed has one.
    const readable = handles.filter(
      (handle) => !missing.some((account) => account.handle === handle && account.reason !== 'failed'),
    );
    const accounts = readable.map(
      (handle) => posts.find(({ author }) => isSameHandle(author?.handle, handle))?.author ?? { handle },
    );
    return opmlText(`Timeline of @${namesOf(handles)}`, accounts, base);
  },
  feed: ({ handles, kind, posts }, format, urls) => {
    const home = mergedTimelinePath(handles, kind);
    const title = timelineTitle(kind, namesOf(handles));
    return writeFeed(format, {
      ...urls,
      id: timelineUrlOnX(handles.join(','), kind),
      title,
      description: `${title} on X.`,
      home: (home && pageLink(urls, home)) ?? urls.self ?? timelineUrlOnX(handles.join(','), kind),
      posts,
    });
  },
});

export const presentXList = /* @__PURE__ */ createListPresenter<'xList'>({
  document: xListDocument,
  html: xListHtml,
  feed: ({ id, posts }, format, urls) =>
    writeFeed(format, {
      ...urls,
      id: xListUrlOnX(id),
      title: xListTitle(id),
      description: `Posts of list ${id} on X.`,
      home: pageLink(urls, xListPath(id)) ?? xListUrlOnX(id),
      posts,
    }),
});

export const createUsersPresenter = (follows: Follows) =>
  createListPresenter<'users'>({
    document: (users) => followsDocument(follows, users),
    ...(follows === 'following' && {
      opml: ({ handle, users }, base) => followingOpml(handle, users, base),
    }),
    html: (users, options) => followsHtml(follows, users, options),
  });

export const createRelatedPostsPresenter = (engagement: 'replies' | 'quotes') =>
  createListPresenter<'relatedPosts'>({
    document: (posts, style) => relatedPostsDocument(engagement, posts, style),
    html: (posts, options) => relatedPostsHtml(engagement, posts, options),
  });

export const presentReposters = /* @__PURE__ */ createListPresenter<'reposters'>({
  document: repostersDocument,
  html: repostersHtml,
});

export const presentSearch = /* @__PURE__ */ createListPresenter<'search'>({
  document: searchDocument,
  html: searchHtml,
  feed: ({ query, feed, posts = [] }, format, urls) =>
    writeFeed(format, {
      ...urls,
      id: searchUrlOnX(query, feed),
      title: searchPageTitle(query, feed),
      description: searchDescription(query, feed),
      home: pageLink(urls, feedPath(query, feed)) ?? searchUrlOnX(query, feed),
      posts,
    }),
});

/** @returns the HTML page of a search without a search text */
export const presentSearchForm = (baseUrl: string, service?: PageService): Html => searchFormHtml(baseUrl, service);
