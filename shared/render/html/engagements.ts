// Renders the pages of the replies, the quotes and the reposts of a post.
import type { Reposters, Responses } from '../../model/engagements.ts';
import { postUrl } from '../../model/handle.ts';
import { type Engagement, engagementTitles, LIST_GOES_ON, noEngagements } from '../content/list-labels.ts';
import { innerLinkHtml } from './elements.ts';
import { postPath } from './inner-links.ts';
import { type ListPageOptions, listHtml, pagePlace, tabsHtml } from './list.ts';
import { postItemHtml } from './post-item.ts';
import { peopleHtml } from './users.ts';

/** The paths of X below a post. */
const paths: Readonly<Record<Engagement, string>> = { replies: 'replies', quotes: 'quotes', reposts: 'retweets' };

const labels: Readonly<Record<Engagement, string>> = { replies: 'Replies', quotes: 'Quotes', reposts: 'Reposts' };

const ENGAGEMENTS = ['replies', 'quotes', 'reposts'] as const;

/** The handle of the URL stays; it can be `i`. */
const handleIn = (url: string): string => new URL(url).pathname.split('/')[1] ?? '';

const tabsOf = (id: string, url: string, current: Engagement): string => {
  const path = postPath(id, handleIn(url));
  return tabsHtml(
    'Engagements of the post',
    ENGAGEMENTS.map((engagement) => ({
      label: labels[engagement],
      path: path && `${path}/${paths[engagement]}`,
      isCurrent: engagement === current,
    })),
  );
};

const engagementHtml = (
  engagement: Engagement,
  { id }: Responses | Reposters,
  items: string,
  options: ListPageOptions,
): string => {
  const { url, next } = options;
  const { first, limit } = pagePlace(url);
  const atEnd = first === undefined ? noEngagements[engagement] : 'Nothing more is listed here.';
  const title = engagementTitles[engagement];
  return listHtml({
    ...options,
    warnings: options.warnings.filter(({ code }) => code !== 'article_previews'),
    head: {
      type: 'website',
      title,
      description: `${title} on X, as far as they are public.`,
      canonical: engagement === 'replies' ? postUrl(id) : `${postUrl(id)}/${paths[engagement]}`,
    },
    top: `<h1>${labels[engagement]}</h1><p class="hint">${innerLinkHtml(postPath(id, handleIn(url)), 'Back to the post')}</p>${tabsOf(id, url, engagement)}`,
    content: items === '' ? `<p class="hint">${next === undefined ? atEnd : LIST_GOES_ON}</p>` : items,
    more: engagement === 'reposts' ? `Next ${limit}` : 'More posts',
  });
};

export const responsesHtml = (engagement: 'replies' | 'quotes', list: Responses, options: ListPageOptions): string => {
  const items = list.posts.map((post) => postItemHtml(post, { heading: 'h2' }));
  const section =
    items.length === 0 ? '' : `<section aria-label="${labels[engagement]}">\n${items.join('\n')}\n</section>`;
  return engagementHtml(engagement, list, section, options);
};

export const repostersHtml = (list: Reposters, options: ListPageOptions): string =>
  engagementHtml('reposts', list, list.users.length === 0 ? '' : peopleHtml(list.users), options);
