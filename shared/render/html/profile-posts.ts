// Renders the page of a timeline: the posts of a profile by kind.
import { operations } from '../../contract/operations.ts';
import { isSameHandle, parseHandle } from '../../model/handle.ts';
import type { TimelineKind } from '../../model/lists.ts';
import type { ProfilePosts } from '../../model/resources.ts';
import { previewAvatar } from '../content/link-preview.ts';
import { LIST_GOES_ON, noTimelinePosts, timelineHeadings, timelineTitle } from '../content/list-labels.ts';
import { escapeHtml } from './escape.ts';
import { timelinePath, timelineUrlOnX } from './inner-links.ts';
import { type ListPageOptions, listHtml, pagePlace } from './list.ts';
import { postItemHtml } from './post-item.ts';
import { handleRowHtml, ownerHtml, profileTabsHtml } from './users.ts';

/** The list of posts whose formats are feeds. The path of the profile has none. */
export const timelineFeedPath = (handle: string, kind: TimelineKind): string | undefined => {
  if (kind !== 'posts') return timelinePath(handle, kind);
  return parseHandle(handle) === undefined ? undefined : operations.listPosts.path.replace('{handle}', handle);
};

/** The page shows the first words of articles with a link. */
const SHOWN_BY_THE_PAGE: readonly string[] = ['article_previews'];

export const profilePostsHtml = ({ handle, kind, posts }: ProfilePosts, options: ListPageOptions): string => {
  // A timeline names only the handle. The posts have the account.
  const owner = posts.find(({ author }) => isSameHandle(author?.handle, handle))?.author;
  const title = timelineTitle(kind, owner?.handle ?? handle);
  const { first } = pagePlace(options.url);
  const atEnd = first === undefined ? noTimelinePosts[kind] : 'No more posts are listed here.';
  const none = options.next === undefined ? atEnd : LIST_GOES_ON;
  const items = posts.map((post) => postItemHtml(post, { showsByline: false, showsAnswered: true, heading: 'h2' }));
  return listHtml({
    ...options,
    warnings: options.warnings.filter(({ code }) => !SHOWN_BY_THE_PAGE.includes(code)),
    head: {
      type: 'website',
      title,
      description: `${title} on X.`,
      canonical: timelineUrlOnX(handle, kind),
      avatar: owner && previewAvatar(owner),
      feed: timelineFeedPath(handle, kind),
    },
    top:
      (owner === undefined ? handleRowHtml(handle, timelineHeadings[kind]) : ownerHtml(owner, timelineHeadings[kind])) +
      profileTabsHtml(handle, kind),
    content:
      items.length === 0
        ? `<p class="hint">${none}</p>`
        : `<section aria-label="${escapeHtml(title)}">\n${items.join('\n')}\n</section>`,
    more: 'Older posts',
  });
};
