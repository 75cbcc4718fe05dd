// Shows several posts in every format.
import { postUrl } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import type { LookupEntry, PostLookup } from '../../model/resources.ts';
import { newestPostTime } from '../../model/snowflake.ts';
import { formatCount } from '../../render/content/format.ts';
import { tombstoneSentence } from '../../render/content/labels.ts';
import { type PostStyle, renderBlock } from '../../render/markdown/context.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headingOf } from '../../render/markdown/list-items.ts';
import { headedPost } from '../../render/markdown/post.ts';
import { createListPresenter, type ListData } from '../paging/list-presenter.ts';

const unreadPost = ({ id, reason }: Exclude<LookupEntry, Post>): string => {
  const subject = `[This post](${postUrl(id)})`;
  const sentence = reason === 'failed' ? `${subject} could not be read.` : tombstoneSentence(reason, subject);
  return `### Unavailable\n\n*${sentence}*`;
};

const postLookupDocument = ({ posts }: PostLookup, style: PostStyle): ListDocument => ({
  head: headingOf(formatCount(posts.length, 'post')),
  items: posts.map((entry) =>
    renderBlock((context) => ('unavailable' in entry ? unreadPost(entry) : headedPost(context, entry)), style),
  ),
  item: 'post',
  between: '\n\n',
  none: 'No posts were requested.',
  narrower: 'fewer ids',
});

export const lookupData: ListData<PostLookup> = {
  // A post that cannot be read now may be readable soon.
  newestPostAt: ({ posts }) => (posts.some((entry) => 'unavailable' in entry) ? undefined : newestPostTime(posts)),
  document: postLookupDocument,
  hasRequestedPosts: true,
};

export const presentLookup = /* @__PURE__ */ createListPresenter<'postLookup'>(lookupData, {});
