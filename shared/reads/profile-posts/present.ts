// Shows the posts of a profile: as Markdown and JSON, and in every format.
import type { FeedFormat } from '../../contract/media-types.ts';
import { isSameHandle } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import type { ProfilePosts } from '../../model/resources.ts';
import { nameAndHandle } from '../../render/content/labels.ts';
import { noTimelinePosts, timelineTitle } from '../../render/content/list-labels.ts';
import type { FeedUrls } from '../../render/feeds/feed.ts';
import { type FeedText, writeFeed } from '../../render/feeds/write-feed.ts';
import { pageLink, timelinePath, timelineUrlOnX } from '../../render/html/inner-links.ts';
import type { MarkdownContext, PostStyle } from '../../render/markdown/context.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headingOf, ownPosts } from '../../render/markdown/list-items.ts';
import { postMarkdown, withContext } from '../../render/markdown/post.ts';
import { createListPresenter, type ListData } from '../paging/list-presenter.ts';
import { profilePostsHtml } from './page.ts';

const inContext = (context: MarkdownContext, entry: Post): string => {
  const { above, post } = withContext(context, entry);
  return above + postMarkdown(context, post);
};

const profilePostsDocument = ({ handle, kind, posts }: ProfilePosts, style: PostStyle): ListDocument => ({
  head: headingOf(timelineTitle(kind, handle)),
  ...ownPosts(posts, inContext, style),
  none: noTimelinePosts[kind],
});

export const profilePostsData: ListData<ProfilePosts> = { document: profilePostsDocument };

/** @param account of a timeline, which names only the handle: its posts name the account */
export const feedOfProfile = (
  { handle, kind, posts }: ProfilePosts,
  format: FeedFormat,
  urls: FeedUrls,
  account = posts.find(({ author }) => isSameHandle(author?.handle, handle))?.author,
): FeedText => {
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
