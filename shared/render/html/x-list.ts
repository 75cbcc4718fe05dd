// Renders the page of a list of X.
import { xListPath } from '../../model/handle.ts';
import type { XList } from '../../model/resources.ts';
import { LIST_GOES_ON, NO_LIST_POSTS, xListTitle } from '../content/list-labels.ts';
import { type ListPageOptions, listHtml, pagePlace } from './list.ts';
import { postItemHtml } from './post-item.ts';

export const xListUrlOnX = (id: string): string => `https://x.com${xListPath(id)}`;

export const xListHtml = ({ id, posts }: XList, options: ListPageOptions): string => {
  const title = xListTitle(id);
  const { first } = pagePlace(options.url);
  const atEnd = first === undefined ? NO_LIST_POSTS : 'No more posts are listed here.';
  const items = posts.map((post) => postItemHtml(post, { showsAnswered: true, heading: 'h2' }));
  return listHtml({
    ...options,
    warnings: options.warnings.filter(({ code }) => code !== 'article_previews'),
    head: {
      type: 'website',
      title,
      description: `${title} on X.`,
      canonical: xListUrlOnX(id),
      feed: xListPath(id),
    },
    top: `<div class="about"><h1>${title}</h1></div>`,
    content:
      items.length === 0
        ? `<p class="hint">${options.next === undefined ? atEnd : LIST_GOES_ON}</p>`
        : `<section aria-label="${title}">\n${items.join('\n')}\n</section>`,
    more: 'Older posts',
  });
};
