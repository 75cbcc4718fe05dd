// Renders the page of a timeline: the posts of a profile by kind.
import { profileUrl } from '../../model/handle.ts';
import type { ProfilePosts } from '../../model/profile-posts.ts';
import type { TimelineKind } from '../../model/timeline.ts';
import { LIST_GOES_ON, noTimelinePosts, timelineTitles } from '../content/list-labels.ts';
import { type ListPageOptions, listHtml, pagePlace } from './list.ts';
import { postItemHtml } from './post-item.ts';
import { ownerHtml, profileTabsHtml } from './users.ts';

/** The paths of X. */
const paths: Readonly<Record<TimelineKind, string>> = {
  posts: '',
  replies: '/with_replies',
  media: '/media',
  articles: '/articles',
};

const headings: Readonly<Record<TimelineKind, string>> = {
  posts: 'Posts of',
  replies: 'Posts and replies of',
  media: 'Media of',
  articles: 'Articles of',
};

/** The page shows the first words of articles with a link. */
const SHOWN_BY_THE_PAGE: readonly string[] = ['article_previews'];

export const profilePostsHtml = ({ handle, kind, posts }: ProfilePosts, options: ListPageOptions): string => {
  const title = timelineTitles[kind](handle);
  const { first } = pagePlace(options.url);
  const atEnd = first === undefined ? noTimelinePosts[kind] : 'No more posts are listed here.';
  const none = options.next === undefined ? atEnd : LIST_GOES_ON;
  const items = posts.map((post) => postItemHtml(post, { showsByline: false, heading: 'h2' }));
  return listHtml({
    ...options,
    warnings: options.warnings.filter(({ code }) => !SHOWN_BY_THE_PAGE.includes(code)),
    head: {
      type: 'website',
      title,
      description: `${title} on X.`,
      canonical: `${profileUrl(handle)}${paths[kind]}`,
    },
    top: ownerHtml(headings[kind], handle) + profileTabsHtml(handle, kind),
    content:
      items.length === 0
        ? `<p class="hint">${none}</p>`
        : `<section aria-label="${headings[kind]} @${handle}">\n${items.join('\n')}\n</section>`,
    more: 'Older posts',
  });
};
