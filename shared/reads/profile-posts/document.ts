// Shows the posts of a profile as Markdown and JSON.
import type { Post } from '../../model/post.ts';
import type { ProfilePosts } from '../../model/resources.ts';
import { noTimelinePosts, timelineTitle } from '../../render/content/list-labels.ts';
import type { MarkdownContext, PostStyle } from '../../render/markdown/context.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headingOf, ownPosts } from '../../render/markdown/list-items.ts';
import { postMarkdown, withContext } from '../../render/markdown/post.ts';
import type { ListData } from '../paging/list-presenter.ts';

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
