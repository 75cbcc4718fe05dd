// Reads a post and its embed data for the front page.
import { fetchJson } from '../../page/problem.ts';

export interface PostAnswer {
  readonly markdown: string;
  readonly source: string;
  readonly warnings: readonly { readonly message: string }[];
  readonly post: {
    readonly url: string;
    readonly author?: { readonly name: string; readonly handle: string };
  };
}

interface EmbedAnswer {
  readonly html: string;
}

/** @throws ApiError */
const read = <Body>(path: string, query: Record<string, string>, signal: AbortSignal): Promise<Body> =>
  fetchJson(`${path}?${new URLSearchParams(query)}`, { signal, credentials: 'omit' });

export const readPost = (url: string, signal: AbortSignal): Promise<PostAnswer> =>
  read('/api/v1/posts', { url, format: 'json' }, signal);

export const readEmbed = (url: string, signal: AbortSignal): Promise<EmbedAnswer> =>
  read('/api/v1/oembed', { url }, signal);
