// Renders the posts of a profile as Markdown.
import type { ProfilePosts } from '../../model/resources.ts';
import { noTimelinePosts, timelineTitle } from '../content/list-labels.ts';
import { renderBlock } from './block.ts';
import { escapeHeading, type PostStyle } from './escape.ts';
import type { ListDocument } from './list.ts';
import { postMarkdown, withContext } from './post.ts';
import { ITEM_TITLE_LEVEL, postItems } from './posts.ts';

export const profilePostsDocument = ({ handle, kind, posts }: ProfilePosts, style: PostStyle): ListDocument => {
  const head = renderBlock((context) => `# ${escapeHeading(context, timelineTitle(kind, handle))}`);
  return {
    head,
    subject: 'the title',
    shortenHead: () => head, // a handle is short
    section: '',
    ...postItems(
      posts,
      (context, entry) => {
        const { above, post } = withContext(context, entry);
        return above + postMarkdown(context, post);
      },
      { ...style, titleLevel: ITEM_TITLE_LEVEL },
    ),
    between: '\n\n---\n\n',
    none: noTimelinePosts[kind],
  };
};
