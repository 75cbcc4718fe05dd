// Posts as items of a list.
import type { Post } from '../../model/post.ts';
import { byteLength } from '../content/format.ts';
import { truncatePost } from '../content/truncate.ts';
import { type MarkdownBlock, renderBlock } from './block.ts';
import type { MarkdownContext } from './escape.ts';
import type { ListDocument } from './list.ts';

type WritePost = (ink: MarkdownContext, post: Post) => string;

const shortened = (post: Post, write: WritePost, room: number): MarkdownBlock | undefined => {
  const written = (shorter: Post): MarkdownBlock => renderBlock((ink) => write(ink, shorter));
  const piece = written(truncatePost(post, (shorter) => byteLength(written(shorter).markdown) <= room));
  return byteLength(piece.markdown) <= room ? piece : undefined;
};

export const postItems = (
  posts: readonly Post[],
  write: WritePost,
): Pick<ListDocument, 'items' | 'item' | 'shortenFirst'> => ({
  items: posts.map((post) => renderBlock((ink) => write(ink, post))),
  item: 'post',
  shortenFirst: (room) => {
    const [first] = posts;
    return first === undefined ? undefined : shortened(first, write, room);
  },
});
