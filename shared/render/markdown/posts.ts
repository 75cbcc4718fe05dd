// Renders posts as the items of a list.
import type { Post } from '../../model/post.ts';
import { byteLength } from '../content/format.ts';
import { truncatePost } from '../content/truncate.ts';
import { type MarkdownBlock, renderBlock } from './block.ts';
import type { MarkdownContext, PostStyle } from './escape.ts';
import type { ListDocument } from './list.ts';

/** The title of an article in a list whose posts have no headings: below the headings of the list. */
export const ITEM_TITLE_LEVEL = 3;

type WritePost = (context: MarkdownContext, post: Post) => string;

const shortened = (post: Post, write: WritePost, style: PostStyle, maxBytes: number): MarkdownBlock | undefined => {
  const render = (shorter: Post): MarkdownBlock => renderBlock((context) => write(context, shorter), style);
  const fits = ({ markdown }: MarkdownBlock): boolean => byteLength(markdown) <= maxBytes;
  const block = render(truncatePost(post, (shorter) => fits(render(shorter))));
  return fits(block) ? block : undefined;
};

export const postItems = (
  posts: readonly Post[],
  write: WritePost,
  style: PostStyle,
): Pick<ListDocument, 'items' | 'item' | 'shortenFirst'> => ({
  items: posts.map((post) => renderBlock((context) => write(context, post), style)),
  item: 'post',
  shortenFirst: (maxBytes) => {
    const [first] = posts;
    return first === undefined ? undefined : shortened(first, write, style, maxBytes);
  },
});
