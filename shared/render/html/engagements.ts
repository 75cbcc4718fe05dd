// Renders the pages of the replies, the quotes and the reposts of a post.

import { isPost } from '../../model/conversation.ts';
import { parseHandle, postUrl } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import type { RelatedPosts, Reposters } from '../../model/resources.ts';
import { isBlank } from '../../model/visible-text.ts';
import type { PostPage } from '../../model/x-urls.ts';
import { previewAvatar, previewLines, previewPictures } from '../content/link-preview.ts';
import { type Engagement, engagementTitle, noEngagements } from '../content/list-labels.ts';
import { innerLinkHtml } from './elements.ts';
import { type Html, html } from './html.ts';
import { belowPost, postPath } from './inner-links.ts';
import {
  hintHtml,
  type ListPage,
  type ListPageOptions,
  listHtml,
  postsHtml,
  tabsHtml,
  withoutPreviews,
} from './list.ts';
import { quoteHtml } from './post-item.ts';
import { peopleHtml } from './users.ts';

const pages: Readonly<Record<Engagement, PostPage>> = { replies: 'replies', quotes: 'quotes', reposts: 'retweets' };

const labels: Readonly<Record<Engagement, string>> = { replies: 'Replies', quotes: 'Quotes', reposts: 'Reposts' };

const ENGAGEMENTS = ['replies', 'quotes', 'reposts'] as const;

/** The post that the page is about. */
interface Subject {
  readonly id: string;
  /** The handle of its author, as far as it is known. */
  readonly handle: string | undefined;
  /** Only quotes include it. */
  readonly post?: Post | undefined;
}

/** Readers and other pages wrote the handle of the path. */
const handleOf = ({ request }: ListPageOptions): string | undefined => {
  const handle = parseHandle(request.handle ?? '');
  return handle?.toLowerCase() === 'i' ? undefined : handle;
};

const answeredHandle = (posts: readonly Post[], id: string): string | undefined =>
  posts.find(({ in_reply_to: answered }) => answered?.id === id && answered.handle !== undefined)?.in_reply_to?.handle;

const quotedPost = (posts: readonly Post[], id: string): Post | undefined => {
  for (const { quote } of posts) if (isPost(quote) && quote.id === id) return quote;
  return undefined;
};

const tabsOf = ({ id, handle }: Subject, current: Engagement): Html =>
  tabsHtml(
    'Replies, quotes and reposts of the post',
    ENGAGEMENTS.map((engagement) => ({
      label: labels[engagement],
      path: belowPost(id, handle, pages[engagement]),
      isCurrent: engagement === current,
    })),
  );

/** On X, the replies are on the page of the post. */
const urlOnX = (engagement: Engagement, { id, handle }: Subject): string =>
  engagement === 'replies' ? postUrl(id, handle) : `${postUrl(id, handle)}/${pages[engagement]}`;

/** A link preview shows the post that is quoted. */
const previewOf = (post: Post): Partial<ListPage['head']> => {
  const description = previewLines(post, { showsFigures: true });
  return {
    ...(description.some((line) => !isBlank(line)) && { description }),
    pictures: previewPictures(post),
    avatar: post.author && previewAvatar(post.author),
    lang: post.lang,
  };
};

/** @param items undefined: there are none */
const engagementHtml = (
  engagement: Engagement,
  subject: Subject,
  items: Html | undefined,
  options: ListPageOptions,
): Html => {
  const title = engagementTitle(engagement, subject.handle);
  const post = subject.post && quoteHtml(subject.post);
  const back = innerLinkHtml(postPath(subject.id, subject.handle), 'Back to the post');
  return listHtml({
    ...options,
    warnings: withoutPreviews(options.warnings),
    head: {
      type: 'website',
      title,
      canonical: urlOnX(engagement, subject),
      description: `${title} on X, as far as they are public.`,
      ...(subject.post && previewOf(subject.post)),
    },
    top: html`<div class="about"><h1>${title}</h1>${post}<p>${back}</p></div>${tabsOf(subject, engagement)}`,
    items,
    none: hintHtml(noEngagements[engagement]),
    noMore: hintHtml('Nothing more is listed here.'),
    more: engagement === 'reposts' ? `Next ${options.request.limit}` : `More ${engagement}`,
  });
};

export const relatedPostsHtml = (
  engagement: 'replies' | 'quotes',
  { id, posts }: RelatedPosts,
  options: ListPageOptions,
): Html => {
  // The posts know the author better than the URL.
  const post = quotedPost(posts, id);
  const handle = post?.author?.handle ?? answeredHandle(posts, id) ?? handleOf(options);
  const items = postsHtml(labels[engagement], posts, () => ({ about: id }));
  return engagementHtml(engagement, { id, handle, post }, items, options);
};

export const repostersHtml = ({ id, users }: Reposters, options: ListPageOptions): Html =>
  engagementHtml('reposts', { id, handle: handleOf(options) }, peopleHtml(users), options);
