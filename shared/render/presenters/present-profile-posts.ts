// Presents the posts of a profile.
import type { FeedFormat } from '../../contract/media-types.ts';
import { isSameHandle } from '../../model/handle.ts';
import type { ProfilePosts } from '../../model/resources.ts';
import { nameAndHandle } from '../content/labels.ts';
import { timelineTitle } from '../content/list-labels.ts';
import type { FeedUrls } from '../feeds/feed.ts';
import { type FeedText, writeFeed } from '../feeds/write-feed.ts';
import { timelinePath, timelineUrlOnX } from '../html/inner-links.ts';
import { profilePostsHtml } from '../html/profile.ts';
import { profilePostsDocument } from '../markdown/list-documents.ts';
import { createListPresenter, withArticleMarkdown } from './list-presenter.ts';

/** The timeline names only the handle; its posts name the account. */
const feedOf = ({ handle, kind, posts }: ProfilePosts, format: FeedFormat, urls: FeedUrls): FeedText => {
  const account = posts.find(({ author }) => isSameHandle(author?.handle, handle))?.author;
  const shownHandle = account?.handle ?? handle;
  const title = timelineTitle(kind, shownHandle);
  return writeFeed(format, {
    ...urls,
    // Without posts, the spelling of the account is unknown. The id must not change with it.
    id: timelineUrlOnX(handle.toLowerCase(), kind),
    title: account !== undefined && kind === 'posts' ? nameAndHandle(account) : title,
    description: `${title} on X.`,
    home: `${urls.baseUrl}${timelinePath(shownHandle, kind) ?? ''}`,
    account,
    posts,
  });
};

export const presentProfilePosts = createListPresenter<ProfilePosts>({
  members: ({ handle, kind, posts, next_cursor }) => ({
    handle,
    kind,
    posts: posts.map(withArticleMarkdown),
    next_cursor,
  }),
  document: profilePostsDocument,
  html: profilePostsHtml,
  feed: feedOf,
});
