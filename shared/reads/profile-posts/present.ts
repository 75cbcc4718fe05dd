// Shows the posts of a profile in every format.
import type { FeedFormat } from '../../contract/media-types.ts';
import { isSameHandle } from '../../model/handle.ts';
import type { ProfilePosts } from '../../model/resources.ts';
import { nameAndHandle } from '../../render/content/labels.ts';
import { timelineTitle } from '../../render/content/list-labels.ts';
import type { FeedUrls } from '../../render/feeds/feed.ts';
import { type FeedText, writeFeed } from '../../render/feeds/write-feed.ts';
import { pageLink, timelinePath, timelineUrlOnX } from '../../render/html/inner-links.ts';
import { createListPresenter } from '../paging/list-presenter.ts';
import { profilePostsData } from './document.ts';
import { profilePostsHtml } from './page.ts';

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

export const presentProfilePosts = /* @__PURE__ */ createListPresenter<'profilePosts'>(profilePostsData, {
  html: profilePostsHtml,
  feed: feedOfProfile,
});
