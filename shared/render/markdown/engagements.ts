// Renders the replies, the quotes and the reposts of a post as Markdown.

import { postUrl } from '../../model/handle.ts';
import type { RelatedPosts, Reposters } from '../../model/resources.ts';
import { type Engagement, engagementTitle, noEngagements } from '../content/list-labels.ts';
import { renderBlock } from './block.ts';
import { destination, type PostStyle } from './escape.ts';
import type { ListDocument } from './list.ts';
import { headedPost } from './post.ts';
import { postItems } from './posts.ts';
import { userItems } from './users.ts';

const frameOf = (
  engagement: Engagement,
  { id }: RelatedPosts | Reposters,
): Omit<ListDocument, 'items' | 'item' | 'between' | 'shortenFirst'> => {
  const head = renderBlock(() => `# ${engagementTitle(engagement)}\n\n[The post](${destination(postUrl(id))})`);
  return {
    head,
    subject: 'the title',
    shortenHead: () => head, // an id is short
    section: '',
    none: noEngagements[engagement],
  };
};

export const relatedPostsDocument = (
  engagement: 'replies' | 'quotes',
  list: RelatedPosts,
  style: PostStyle,
): ListDocument => ({
  ...frameOf(engagement, list),
  ...postItems(list.posts, headedPost, style),
  between: '\n\n',
});

export const repostersDocument = (list: Reposters): ListDocument => ({
  ...frameOf('reposts', list),
  ...userItems(list.users),
});
