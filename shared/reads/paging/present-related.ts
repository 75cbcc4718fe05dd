// Shows the lists below a post in every format: what its replies, its quotes and its reposts share.
import { isPost, REPLY_ORDERS, type ReplyOrder } from '../../model/conversation.ts';
import { parseHandle, postUrl } from '../../model/handle.ts';
import { keysOf } from '../../model/json.ts';
import type { Post } from '../../model/post.ts';
import type { RelatedPosts } from '../../model/resources.ts';
import { isBlank } from '../../model/visible-text.ts';
import type { PostPage } from '../../model/x-urls.ts';
import { previewAvatar, previewLines, previewPictures } from '../../render/content/link-preview.ts';
import { factsHtml, innerLinkHtml } from '../../render/html/elements.ts';
import { type Html, html } from '../../render/html/html.ts';
import { belowPost, postPath } from '../../render/html/inner-links.ts';
import {
  hintHtml,
  type ListPage,
  type ListPageOptions,
  listHtml,
  postsHtml,
  tabsHtml,
  withoutPreviews,
} from '../../render/html/list.ts';
import { quoteHtml } from '../../render/html/post-item.ts';
import { createListPresenter } from './list-presenter.ts';
import { CONVERSATION_TAB, type Related, related, relatedPostsData, titleOf } from './related-documents.ts';

/** The post that the page is about. */
interface Subject {
  readonly id: string;
  /** The handle of its author, as far as it is known. */
  readonly handle?: string | undefined;
  /** Only quotes include it. */
  readonly post?: Post | undefined;
}

/** Readers and other pages wrote the handle of the path, so it leads to the post, and says nothing about its author. */
export const handleOf = ({ request }: ListPageOptions): string | undefined => {
  const handle = parseHandle(request.handle ?? '');
  return handle?.toLowerCase() === 'i' ? undefined : handle;
};

const answeredHandle = (posts: readonly Post[], id: string): string | undefined =>
  posts.find(({ in_reply_to: answered }) => answered?.id === id && answered.handle !== undefined)?.in_reply_to?.handle;

const quotedPost = (posts: readonly Post[], id: string): Post | undefined => {
  for (const { quote } of posts) if (isPost(quote) && quote.id === id) return quote;
  return undefined;
};

/** @param handle of the author of the post, as far as it is known */
export const postTabsHtml = (id: string, handle: string | undefined, current: PostPage): Html =>
  tabsHtml(
    'Replies, quotes and reposts of the post',
    [...keysOf(related).map((name) => related[name]), CONVERSATION_TAB].map(({ tab, page }) => ({
      label: tab,
      path: belowPost(id, handle, page),
      isCurrent: page === current,
    })),
  );

const orderNames: Readonly<Record<ReplyOrder, string>> = { top: 'Most liked first', recent: 'Newest first' };

/** The ways to the other orders. Each begins with its first page. */
const ordersHtml = ({ id, handle }: Subject, current: ReplyOrder): Html | undefined => {
  const path = belowPost(id, handle, 'replies');
  if (path === undefined) return undefined;
  const ways = REPLY_ORDERS.map((order) =>
    order === current
      ? html`<b aria-current="true">${orderNames[order]}</b>`
      : innerLinkHtml(`${path}?sort=${order}`, orderNames[order]),
  );
  return html`<p class="meta hint">${factsHtml(ways)}</p>`;
};

/** On X, the replies are on the page of the post. */
const urlOnX = (name: Related, { id, handle }: Subject): string =>
  name === 'replies' ? postUrl(id, handle) : `${postUrl(id, handle)}/${related[name].page}`;

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
export const relatedHtml = (
  name: Related,
  subject: Subject,
  items: Html | undefined,
  options: ListPageOptions,
): Html => {
  const title = titleOf(name, subject.handle);
  const post = subject.post && quoteHtml(subject.post, { dates: options.dates, viewer: 'v0' });
  const handle = subject.handle ?? handleOf(options);
  const back = innerLinkHtml(postPath(subject.id, handle), 'Back to the post');
  return listHtml({
    ...options,
    offersLanguages: name !== 'reposts',
    warnings: withoutPreviews(options.warnings),
    head: {
      type: 'website',
      title,
      canonical: urlOnX(name, subject),
      description: `${title} on X, as far as they are public.`,
      ...(subject.post && previewOf(subject.post)),
    },
    top: html`<div class="about"><h1>${title}</h1>${post}<p>${back}</p></div>${postTabsHtml(subject.id, handle, related[name].page)}${name === 'replies' && items !== undefined && ordersHtml({ ...subject, handle }, options.request.order ?? 'top')}`,
    items,
    none: hintHtml(related[name].none),
    noMore: hintHtml('Nothing more is listed here.'),
    more: name === 'reposts' ? `Next ${options.request.limit}` : `More ${name}`,
  });
};

const relatedPostsHtml = (name: 'replies' | 'quotes', { id, posts }: RelatedPosts, options: ListPageOptions): Html => {
  // The posts know the author better than the URL.
  const post = quotedPost(posts, id);
  const handle = post?.author?.handle ?? answeredHandle(posts, id);
  const items = postsHtml(related[name].tab, posts, options, () => ({ about: id }));
  return relatedHtml(name, { id, handle, post }, items, options);
};

export const createRelatedPostsPresenter = (name: 'replies' | 'quotes') =>
  createListPresenter<'relatedPosts'>(relatedPostsData(name), {
    html: (posts, options) => relatedPostsHtml(name, posts, options),
  });
