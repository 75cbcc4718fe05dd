// Reads a post for the front page.
import { fetchJson, fetchText } from '../../page/problem.ts';

export interface User {
  readonly name: string;
  readonly handle: string;
  readonly avatar_url?: string;
}

export interface Media {
  readonly type: string;
  readonly url: string;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly alt_text?: string | null;
  readonly thumbnail_url?: string | null;
}

/** A post, or its tombstone, which has no text. */
export interface Post {
  readonly id: string;
  readonly url?: string;
  readonly text?: string;
  readonly lang?: string | null;
  readonly created_at?: string;
  readonly author?: User;
  readonly media?: readonly Media[];
  readonly quote?: Post | null;
  readonly article?: { readonly title: string; readonly preview_text?: string | null } | null;
}

export interface PostAnswer {
  readonly markdown: string;
  readonly source: string;
  readonly warnings: readonly { readonly message: string }[];
  readonly post: Post;
  readonly ancestors: readonly Post[];
  readonly thread: readonly Post[];
}

const options = (signal: AbortSignal): RequestInit => ({ signal, credentials: 'omit' });

/** @param path the permalink @throws ApiError */
export const readPost = (path: string, signal: AbortSignal): Promise<PostAnswer> =>
  fetchJson(`${path}?format=json`, options(signal));

/** @param path the permalink @throws ApiError */
export const readObsidian = (path: string, signal: AbortSignal): Promise<string> =>
  fetchText(`${path}?format=obsidian`, options(signal));
