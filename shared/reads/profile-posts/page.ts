// Renders the page of each timeline of a profile.
import { operations } from '../../contract/operations.ts';
import { isSameHandle, parseHandle } from '../../model/handle.ts';
import type { TimelineKind } from '../../model/lists.ts';
import type { ProfilePosts } from '../../model/resources.ts';
import { noTimelinePosts, timelineHeadings, timelineTitle } from '../../render/content/list-labels.ts';
import { type Html, html } from '../../render/html/html.ts';
import { timelinePath, timelineUrlOnX } from '../../render/html/inner-links.ts';
import { accountToolsHtml, type ListPageOptions, postListHtml, withReposts } from '../../render/html/list.ts';
import { handleRowHtml, ownerHtml, profileTabsHtml } from '../../render/html/users.ts';

/** The feed of the posts alone: that of the profile takes a call more of the provider. */
export const timelineFeedPath = (handle: string, kind: TimelineKind): string | undefined => {
  if (kind !== 'posts') return timelinePath(handle, kind);
  return parseHandle(handle) === undefined ? undefined : operations.listPosts.path.replace('{handle}', handle);
};

export const profilePostsHtml = ({ handle, kind, posts }: ProfilePosts, options: ListPageOptions): Html => {
  // A timeline names only the handle. The posts have the account.
  const user = posts.find(({ author }) => isSameHandle(author?.handle, handle))?.author;
  const heading = timelineHeadings[kind];
  return postListHtml({
    ...options,
    title: timelineTitle(kind, user?.handle ?? handle),
    canonical: timelineUrlOnX(handle, kind),
    feed: withReposts(options.request, timelineFeedPath(handle, kind)),
    posts,
    isGrid: kind === 'media',
    none: noTimelinePosts[kind],
    owner: { user },
    top: html`${[
      user === undefined ? handleRowHtml(handle, heading) : ownerHtml(user, heading),
      profileTabsHtml(handle, kind),
      accountToolsHtml(user?.handle ?? handle, options.request, kind),
    ]}`,
  });
};
