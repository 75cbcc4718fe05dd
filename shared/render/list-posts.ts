// Posts as items of a list.
import type { Post } from '../model/post.ts';
import type { Ink } from './escape.ts';
import { type List, type Piece, pieceOf } from './list.ts';
import { shortenPost } from './shorten.ts';
import { bytes } from './words.ts';

type WritePost = (ink: Ink, post: Post) => string;

const shortened = (post: Post, write: WritePost, room: number): Piece | undefined => {
  const written = (shorter: Post): Piece => pieceOf((ink) => write(ink, shorter));
  const piece = written(shortenPost(post, (shorter) => bytes(written(shorter).markdown) <= room));
  return bytes(piece.markdown) <= room ? piece : undefined;
};

export const postItems = (posts: readonly Post[], write: WritePost): Pick<List, 'items' | 'item' | 'shortenFirst'> => ({
  items: posts.map((post) => pieceOf((ink) => write(ink, post))),
  item: 'post',
  shortenFirst: (room) => {
    const [first] = posts;
    return first === undefined ? undefined : shortened(first, write, room);
  },
});
