// Reads a post for the front page.
import type { PostBody } from '../../../shared/model/resources.ts';
import { fetchJson, fetchText } from '../../page/problem.ts';

const options = (signal: AbortSignal): RequestInit => ({ signal, credentials: 'omit' });

/** @param path the permalink @throws ApiError */
export const readPost = (path: string, signal: AbortSignal): Promise<PostBody> =>
  fetchJson(`${path}?format=json`, options(signal));

/** @param path the permalink @throws ApiError */
export const readObsidian = (path: string, signal: AbortSignal): Promise<string> =>
  fetchText(`${path}?format=obsidian`, options(signal));
