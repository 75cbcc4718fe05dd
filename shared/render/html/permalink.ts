// Builds the URLs of a post on this service.
import { operations } from '../../contract/operations.ts';
import { queryString } from '../../contract/query-string.ts';
import { isReserved, parseHandle } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';

/** As on X, `i` stands for a handle that the route does not accept. */
export const permalink = ({ author, id }: Pick<Post, 'author' | 'id'>, baseUrl: string): string => {
  const handle = parseHandle(author?.handle ?? '');
  return `${baseUrl}/${handle === undefined || isReserved(handle) ? 'i' : handle}/status/${id}`;
};

/** The URL of the embed (oEmbed 1.0 section 4). */
export const oembedUrl = (post: Pick<Post, 'author' | 'id'>, baseUrl: string): string =>
  `${baseUrl}${operations.readOembed.path}?${queryString({ url: permalink(post, baseUrl), format: 'json' })}`;
