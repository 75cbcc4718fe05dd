// Builds the URLs of a post on this service.
import { operations } from '../../contract/operations.ts';
import { queryString } from '../../contract/query-string.ts';
import type { Post } from '../../model/post.ts';
import { pathOfPost } from './inner-links.ts';

/** An id that the paths cannot hold is written all the same: the page needs a URL. */
export const permalinkPath = (post: Pick<Post, 'author' | 'id'>): string => pathOfPost(post) ?? `/i/status/${post.id}`;

/** The URL of the embed (oEmbed 1.0 section 4). */
export const oembedUrl = (post: Pick<Post, 'author' | 'id'>, baseUrl: string): string =>
  `${baseUrl}${operations.readOembed.path}?${queryString({ url: `${baseUrl}${permalinkPath(post)}`, format: 'json' })}`;
