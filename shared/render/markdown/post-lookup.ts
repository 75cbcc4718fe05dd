// Renders several posts, each under its own heading, as Markdown.
import { postUrl } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import type { LookupEntry, PostLookup } from '../../model/resources.ts';
import { formatCount } from '../content/format.ts';
import { tombstoneSentence } from '../content/labels.ts';
import { renderBlock } from './block.ts';
import type { PostStyle } from './escape.ts';
import type { ListDocument } from './list.ts';
import { headedPost } from './post.ts';
import { postItems } from './posts.ts';

const unreadPost = ({ id, reason }: Exclude<LookupEntry, Post>): string => {
  const subject = `[This post](${postUrl(id)})`;
  const sentence = reason === 'failed' ? `${subject} could not be read.` : tombstoneSentence(reason, subject);
  return `### Unavailable\n\n*${sentence}*`;
};

const isPost = (entry: LookupEntry): entry is Post => !('unavailable' in entry);

export const postLookupDocument = ({ posts }: PostLookup, style: PostStyle): ListDocument => {
  const head = renderBlock(() => `# ${formatCount(posts.length, 'post')}`);
  const [first] = posts;
  return {
    ...postItems(posts.slice(0, 1).filter(isPost), headedPost, style),
    head,
    subject: 'the title',
    shortenHead: () => head,
    section: '',
    items: posts.map((entry) =>
      renderBlock((context) => (isPost(entry) ? headedPost(context, entry) : unreadPost(entry)), style),
    ),
    between: '\n\n',
    none: first === undefined ? 'No posts were requested.' : '',
    narrower: 'fewer ids',
  };
};
