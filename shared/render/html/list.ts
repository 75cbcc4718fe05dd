// Renders the page of a list: heading, tabs, notes, items, the next page, and the other forms of the page.
import type { ReplyOrder } from '../../model/conversation.ts';
import { MAX_SEARCH_UNITS, type TimelineKind } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import type { Warning } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import { previewAvatar } from '../content/link-preview.ts';
import { LIST_GOES_ON } from '../content/list-labels.ts';
import type { SeenThread } from '../content/own-threads.ts';
import { type ItemDates, innerLinkHtml } from './elements.ts';
import { headHtml, type PageHead } from './head.ts';
import { type Html, type HtmlContent, html, joinHtml } from './html.ts';
import { searchBelowProfile, timelinePath } from './inner-links.ts';
import { htmlPage, type OtherForms, otherFormsHtml, type PageService } from './page.ts';
import { type PostItemOptions, postItemHtml } from './post-item.ts';
import { listReadingHtml, type Reading, readingStyle } from './reading.ts';
import { gridStyle, listStylesFor } from './style/lists.ts';
import { mediaStylesFor, postStyle } from './style/post.ts';
import { warningsHtml } from './warnings.ts';

/** What the request of a page says of its list. */
export interface ListRequest {
  /** The number of items of a page. */
  readonly limit: number;
  /** The URL of the first page; unset: this is the first page. */
  readonly first?: string | undefined;
  /** Reposts are listed. @default false */
  readonly hasReposts?: boolean | undefined;
  /** Of replies. */
  readonly order?: ReplyOrder | undefined;
  /** The handle in the path. Of a post it may be the handle of another account. */
  readonly handle?: string | undefined;
}

export interface ListPageOptions {
  /** The URL of this page. */
  readonly url: string;
  /** The same without the base URL. */
  readonly path: string;
  readonly request: ListRequest;
  /** The URL of the next page; unset: there is none. */
  readonly next: string | undefined;
  readonly warnings: readonly Warning[];
  /** The year of the reading, so that a cached page stays right. */
  readonly dates: ItemDates;
  /** Unset: the service translates nothing. */
  readonly reading?: Reading | undefined;
  /** Unset: the page is not an answer of a service. */
  readonly service?: PageService | undefined;
  /** The threads of the list, by the id of their first post. @default none */
  readonly threads?: ReadonlyMap<string, SeenThread> | undefined;
}

export interface Tab {
  readonly label: string;
  /** Undefined: the paths of the service cannot hold the handle, so the tab is no link. */
  readonly path: string | undefined;
  readonly isCurrent?: boolean;
}

/** @param name of the tabs for screen readers, plain text */
export const tabsHtml = (name: string, tabs: readonly Tab[]): Html => {
  const links = tabs.map(({ label, path, isCurrent }) =>
    path === undefined
      ? html`<span>${label}</span>`
      : innerLinkHtml(path, label, isCurrent ? html` aria-current="page"` : undefined),
  );
  return html`<nav class="tabs" aria-label="${name}">${links}</nav>`;
};

/** @param path without a query @returns the path of the same choice of reposts as the page */
export const withReposts = ({ hasReposts }: ListRequest, path: string | undefined): string | undefined =>
  path !== undefined && hasReposts ? `${path}?reposts=include` : path;

/** The way to the same page with reposts, or without them. Media and articles have none. */
export const repostsHtml = (
  { hasReposts }: ListRequest,
  path: string | undefined,
  kind: TimelineKind,
): Html | undefined => {
  if (path === undefined || (kind !== 'posts' && kind !== 'replies')) return undefined;
  const link = hasReposts
    ? innerLinkHtml(path, 'Hide reposts')
    : innerLinkHtml(`${path}?reposts=include`, 'Show reposts');
  return html`<p class="meta hint">${link}</p>`;
};

/** Leaves room for the operator that names the account. */
const MAX_SOUGHT_UNITS = MAX_SEARCH_UNITS - 32;

/** Above the posts of an account: the form that finds some by their words, and the way to its reposts. */
export const accountToolsHtml = (handle: string, request: ListRequest, kind: TimelineKind): Html | undefined => {
  const path = searchBelowProfile(handle);
  if (path === undefined) return undefined;
  const label = `Search posts of @${handle}`;
  const form = html`<form class="box" action="${path}" role="search" aria-label="${label}"><label class="sr" for="w">${label}</label><input type="text" id="w" name="q" placeholder="Search @${handle}" required maxlength="${MAX_SOUGHT_UNITS}" enterkeyhint="search" autocomplete="off"><button type="submit">Search</button></form>`;
  return html`<div class="seek">${form}${repostsHtml(request, timelinePath(handle, kind), kind)}</div>`;
};

/** @returns undefined if the list has one page */
const pagerHtml = (next: string | undefined, label: string, { first }: ListRequest): Html | undefined => {
  if (next === undefined && first === undefined) return undefined;
  const more = next !== undefined && html`<a class="more" href="${next}" rel="next">${label}</a>`;
  const back = first !== undefined && html`<a class="back" href="${first}">From the beginning</a>`;
  return html`<nav class="pages" aria-label="Pages">${more}${back}</nav>`;
};

export interface ListPage extends ListPageOptions {
  readonly head: Omit<PageHead, 'url' | 'next'>;
  /** The content of the box, plain text. */
  readonly query?: string;
  /** The heading and the tabs. */
  readonly top: Html;
  /** Undefined: there are none. */
  readonly items: Html | undefined;
  /** Stands for the items of a list without any. */
  readonly none: Html | undefined;
  /** Stands for the items of a later page without any. @default no more posts */
  readonly noMore?: Html;
  /** The words on the button for the next page. @default older posts */
  readonly more?: string;
  /** As in OtherForms. */
  readonly data?: OtherForms['data'];
  /** Style sections beside those of every list. */
  readonly styles?: readonly Html[];
  /** The page has the form of the languages. @default false */
  readonly offersLanguages?: boolean;
}

/** A sentence in the place of items. */
export const hintHtml = (sentence: HtmlContent): Html => html`<p class="hint">${sentence}</p>`;

export const listHtml = ({
  head,
  query,
  top,
  items,
  none,
  styles = [],
  data,
  url,
  path,
  request,
  next,
  warnings,
  reading,
  service,
  offersLanguages = false,
  ...words
}: ListPage): Html => {
  const { noMore = hintHtml('No more posts are listed here.'), more = 'Older posts' } = words;
  const whole = { ...head, url, next };
  const choice = offersLanguages && items !== undefined ? listReadingHtml(path, reading) : undefined;
  const atEnd = request.first === undefined ? none : noMore;
  const main = html`${top}
${warningsHtml(warnings, path)}
${items ?? (next === undefined ? atEnd : hintHtml(LIST_GOES_ON))}
${pagerHtml(next, more, request)}${choice}
${otherFormsHtml({ ...whole, data })}`;
  return htmlPage({
    title: head.title,
    query,
    reading,
    service,
    head: headHtml(whole),
    styles: [
      postStyle,
      ...listStylesFor(main),
      ...styles,
      ...(choice === undefined ? [] : [readingStyle]),
      ...mediaStylesFor(main),
    ],
    main,
  });
};

/** How the dates of the items are to be read: said once for all of them. */
export const datesHtml = ({ year }: ItemDates): Html =>
  html`<p class="meta zone">Times are UTC.${year !== undefined && ` No year means ${year}.`}</p>`;

/** @param label of the posts for screen readers, plain text @returns undefined without posts */
export const postsHtml = (
  label: string,
  posts: readonly Post[],
  { dates, isGrid = false }: Pick<ListPageOptions, 'dates'> & Pick<PostListPage, 'isGrid'>,
  optionsOf: (post: Post) => PostItemOptions,
): Html | undefined => {
  const items = posts.map((post, index) =>
    postItemHtml(post, { heading: 'h2', dates, viewer: `v${index + 1}`, ...optionsOf(post) }),
  );
  return items.length === 0
    ? undefined
    : html`<section aria-label="${label}"${isGrid && html` class="tiles"`}>${datesHtml(dates)}\n${joinHtml(items, '\n')}\n</section>`;
};

/** The page shows the first words of articles with a link. */
export const withoutPreviews = (warnings: readonly Warning[]): readonly Warning[] =>
  warnings.filter(({ code }) => code !== 'article_previews');

export interface PostListPage extends Pick<ListPage, 'top' | 'styles'>, ListPageOptions {
  /** Plain text. */
  readonly title: string;
  /** The same page on X. */
  readonly canonical: string;
  readonly feed: string | undefined;
  readonly posts: readonly Post[];
  /** The posts have media: their pictures come first, side by side. @default false */
  readonly isGrid?: boolean;
  /** The sentence of a list without posts. */
  readonly none: string;
  /** The account whose posts they are, as far as it is known: only reposts name an author. @default several accounts */
  readonly owner?: { readonly user: User | undefined };
}

/** Renders the page of a list of posts. */
export const postListHtml = ({ title, canonical, feed, posts, none, owner, ...page }: PostListPage): Html =>
  listHtml({
    ...page,
    // Pages of several accounts have no room for the form: each post has its byline.
    offersLanguages: owner !== undefined,
    warnings: withoutPreviews(page.warnings),
    styles: [...(page.styles ?? []), ...(page.isGrid ? [gridStyle] : [])],
    head: {
      type: 'website',
      title,
      description: `${title} on X.`,
      canonical,
      avatar: owner?.user && previewAvatar(owner.user),
      feed,
    },
    items: postsHtml(title, posts, page, (post) => ({
      thread: page.threads?.get(post.id),
      showsByline: owner === undefined || post.reposted_by !== undefined,
      showsAnswered: true,
    })),
    none: hintHtml(none),
  });
