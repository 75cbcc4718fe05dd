// Shows the lists below a post in every format: what its replies, its quotes and its reposts share.
import { isPost } from '../../model/conversation.ts';
import { parseHandle, postUrl } from '../../model/handle.ts';
import { keysOf } from '../../model/json.ts';
import type { Post } from '../../model/post.ts';
import type { RelatedPosts } from '../../model/resources.ts';
import { isBlank } from '../../model/visible-text.ts';
import type { PostPage } from '../../model/x-urls.ts';
import { previewAvatar, previewLines, previewPictures } from '../../render/content/link-preview.ts';
import { innerLinkHtml } from '../../render/html/elements.ts';
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
import { renderBlock } from '../../render/markdown/context.ts';
import { destination } from '../../render/markdown/escape.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headedPosts } from '../../render/markdown/list-items.ts';
import { createListPresenter } from './list-presenter.ts';

interface RelatedRow {
  /** Without the id of the post, which says nothing to readers. */
  readonly title: string;
  readonly tab: string;
  readonly none: string;
  /** The page of X, and of this service. */
  readonly page: PostPage;
}

/** The lists below a post, in the order of the tabs. */
const related = {
  replies: { title: 'Replies to a post', tab: 'Replies', none: 'No replies are listed.', page: 'replies' },
  quotes: { title: 'Quotes of a post', tab: 'Quotes', none: 'No quotes are listed.', page: 'quotes' },
  reposts: { title: 'Reposts of a post', tab: 'Reposts', none: 'No reposts are listed.', page: 'retweets' },
} as const satisfies Readonly<Record<string, RelatedRow>>;

type Related = keyof typeof related;

/** @param handle of the author of the post, if it is known */
const titleOf = (name: Related, handle?: string): string =>
  related[name].title + (handle === undefined ? '' : ` of @${handle}`);

/** The post that the page is about. */
interface Subject {
  readonly id: string;
  /** The handle of its author, as far as it is known. */
  readonly handle: string | undefined;
  /** Only quotes include it. */
  readonly post?: Post | undefined;
}

/** Readers and other pages wrote the handle of the path. */
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

const tabsOf = ({ id, handle }: Subject, current: Related): Html =>
  tabsHtml(
    'Replies, quotes and reposts of the post',
    keysOf(related).map((name) => ({
      label: related[name].tab,
      path: belowPost(id, handle, related[name].page),
      isCurrent: name === current,
    })),
  );

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
  const post = subject.post && quoteHtml(subject.post);
  const back = innerLinkHtml(postPath(subject.id, subject.handle), 'Back to the post');
  return listHtml({
    ...options,
    warnings: withoutPreviews(options.warnings),
    head: {
      type: 'website',
      title,
      canonical: urlOnX(name, subject),
      description: `${title} on X, as far as they are public.`,
      ...(subject.post && previewOf(subject.post)),
    },
    top: html`<div class="about"><h1>${title}</h1>${post}<p>${back}</p></div>${tabsOf(subject, name)}`,
    items,
    none: hintHtml(related[name].none),
    noMore: hintHtml('Nothing more is listed here.'),
    more: name === 'reposts' ? `Next ${options.request.limit}` : `More ${name}`,
  });
};

const relatedPostsHtml = (name: 'replies' | 'quotes', { id, posts }: RelatedPosts, options: ListPageOptions): Html => {
  // The posts know the author better than the URL.
  const post = quotedPost(posts, id);
  const handle = post?.author?.handle ?? answeredHandle(posts, id) ?? handleOf(options);
  const items = postsHtml(related[name].tab, posts, () => ({ about: id }));
  return relatedHtml(name, { id, handle, post }, items, options);
};

/** The head of the Markdown. */
export const headOf = (name: Related, id: string): Pick<ListDocument, 'head' | 'none'> => ({
  head: renderBlock(() => `# ${titleOf(name)}\n\n[The post](${destination(postUrl(id))})`),
  none: related[name].none,
});

export const createRelatedPostsPresenter = (name: 'replies' | 'quotes') =>
  createListPresenter<'relatedPosts'>({
    document: ({ id, posts }, style) => ({ ...headOf(name, id), ...headedPosts(posts, style) }),
    html: (posts, options) => relatedPostsHtml(name, posts, options),
  });
