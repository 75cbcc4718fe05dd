// Renders the page of a list of X.
import { xListPath } from '../../model/handle.ts';
import type { XList } from '../../model/resources.ts';
import { NO_LIST_POSTS, xListTitle } from '../content/list-labels.ts';
import { type ListPageOptions, postListHtml } from './list.ts';

export const xListUrlOnX = (id: string): string => `https://x.com${xListPath(id)}`;

export const xListHtml = ({ id, posts }: XList, options: ListPageOptions): string => {
  const title = xListTitle(id);
  return postListHtml({
    ...options,
    title,
    canonical: xListUrlOnX(id),
    feed: xListPath(id),
    posts,
    none: NO_LIST_POSTS,
    top: `<div class="about"><h1>${title}</h1></div>`,
  });
};
