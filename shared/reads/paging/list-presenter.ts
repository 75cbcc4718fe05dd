// Presents one page of a list, whatever the list contains.

import type { FeedFormat } from '../../contract/media-types.ts';
import { DEFAULT_LIMIT, type MetricsChoice } from '../../contract/parameters.ts';
import type { ResourceWithFeeds } from '../../contract/use-cases.ts';
import { needsNote, type WarningCode } from '../../contract/warnings.ts';
import { isPost } from '../../model/conversation.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import type { LookupEntry, Resources, Warning } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import { cutBeyondReach } from '../../render/content/cut.ts';
import { yearAt } from '../../render/content/format.ts';
import { metricsOf } from '../../render/content/labels.ts';
import { LIST_GOES_ON } from '../../render/content/list-labels.ts';
import { type SeenThread, seenThreads } from '../../render/content/own-threads.ts';
import { shownArticle } from '../../render/content/shown-post.ts';
import { withoutOriginal } from '../../render/content/translation.ts';
import { ACCOUNT_COLUMNS } from '../../render/data/account-columns.ts';
import { POST_COLUMNS } from '../../render/data/post-columns.ts';
import { csvText } from '../../render/data/write-csv.ts';
import type { FeedUrls } from '../../render/feeds/feed.ts';
import type { FeedText } from '../../render/feeds/write-feed.ts';
import type { Html } from '../../render/html/html.ts';
import { type LinkBase, pageLink, pageUrlOnX, pathOfPost } from '../../render/html/inner-links.ts';
import type { ListPageOptions } from '../../render/html/list.ts';
import { articleMarkdown } from '../../render/markdown/article.ts';
import { createMarkdownContext, type PostStyle } from '../../render/markdown/context.ts';
import { autolink } from '../../render/markdown/escape.ts';
import { type ListDocument, listMarkdown } from '../../render/markdown/list.ts';
import type { Presenter, ResourceView, ViewContext } from '../../render/presenters/view.ts';

// Writes the note that tells readers of Markdown and HTML what is missing.

export const reportedMessages = (warnings: readonly Warning[]): readonly string[] =>
  warnings.filter(needsNote).map(({ message }) => message);

/** @returns Markdown; empty if nothing is missing */
export const incompleteNote = (messages: readonly string[]): string =>
  messages.length === 0 ? '' : `*Incomplete: ${messages.join(' ')}*`;

/** @returns a function that names the whole of a post that Markdown cuts: by the URL of its page, unless the URLs say how */
export const readOnFrom = ({ readOn, ...base }: ViewContext): NonNullable<PostStyle['readOn']> =>
  readOn ??
  ((post) => {
    const path = pathOfPost(post);
    return autolink((path && pageLink(base, path)) ?? post.url);
  });

// Adds the member `markdown` to the articles of a JSON body.

export const withArticleMarkdown = <Entry extends PostOrTombstone | LookupEntry>(entry: Entry): Entry => {
  if ('unavailable' in entry) return entry;
  const { article, quote }: Post = entry;
  const quoted = isPost(quote) ? withArticleMarkdown(quote) : quote;
  if (article === undefined && quoted === quote) return entry;
  return {
    ...entry,
    ...(quoted !== undefined && { quote: quoted }),
    ...(article !== undefined &&
      article.blocks.length > 0 && {
        article: {
          ...article,
          markdown: articleMarkdown(createMarkdownContext('markdown'), shownArticle(entry) ?? article),
        },
      }),
  };
};

/** For a list that has no page on X. */
const ON_X = 'https://x.com';

/** A list as Markdown and JSON. */
export interface ListData<T> {
  /** @param base of links to other pages of the service. Unset: the document is of a tool, which names its calls */
  document(value: T, style: PostStyle, base?: LinkBase): ListDocument;
  /** The posts were requested by id: Markdown cuts none and keeps zeros, as for a single post. @default false */
  readonly hasRequestedPosts?: boolean;
  /** More members of the last line of NDJSON. @default none */
  lastLine?(value: T): object;
  /** Unset: the list is not cached by the age of its posts. */
  newestPostAt?(value: T): number | undefined;
}

/** The other forms of a list, which tools do not have. */
interface ListForms<T> {
  /** @param list with the members of its JSON body. Unset: tools have no tables. */
  csv?(list: List): string;
  /** Unset: no route offers a page. */
  html?(value: T, options: ListPageOptions): Html;
  /** The feed of the list. Unset: it is no list of posts. */
  feed?(value: T, format: FeedFormat, urls: FeedUrls): FeedText;
  /** The feeds of the accounts of the page, as OPML. Unset: the list offers none. */
  opml?(value: T, base: LinkBase): string;
  /** Unset: the list is no graph. */
  graphml?(value: T): string;
}

/** A list has posts or accounts. */
interface List {
  readonly posts?: readonly LookupEntry[] | undefined;
  readonly users?: readonly User[] | undefined;
  readonly next_cursor?: string | undefined;
  readonly degraded?: boolean | undefined;
}

/** @param list with the members of its JSON body */
const csvOf = ({ posts, users = [] }: List): string =>
  posts === undefined ? csvText(ACCOUNT_COLUMNS, users) : csvText(POST_COLUMNS, posts);

/** The warnings that a feed has a place for: its posts are old, or there are none. */
const NOTED: ReadonlySet<string> = new Set<WarningCode>(['timeline_stale', 'posts_unavailable', 'posts_protected']);

const LESS_DATA = 'A source with less data answered.';

const createPresenter =
  <T extends List>(
    resource: ListData<T>,
    { csv, html, feed, opml, graphml }: ListForms<T>,
  ): Presenter<T, ResourceView<T>> =>
  ({ value, source, fetchedAt, warnings, parts, continuations = [] }, urls) => {
    const {
      baseUrl,
      isAlone = false,
      pageUrl,
      selfUrl = () => pageUrl(),
      nextUrl: urlOf = pageUrl,
      request = { limit: DEFAULT_LIMIT },
    } = urls;
    const onX = isAlone ? (pageUrlOnX(pageUrl()) ?? ON_X) : undefined;
    const isOnly = urls.reading?.translation === 'only';
    /** For Markdown and pages. Data and feeds have the originals, too. */
    const read: T = isOnly && value.posts !== undefined ? { ...value, posts: value.posts.map(withoutOriginal) } : value;
    const { next_cursor: nextCursor, degraded: isDegraded = false } = value;
    const noteOf = (messages: readonly string[]): string =>
      incompleteNote([...messages, ...(isDegraded ? [LESS_DATA] : [])]);
    const members = (): T =>
      value.posts === undefined ? value : { ...value, posts: value.posts.map(withArticleMarkdown) };
    const nextUrl = (): string | undefined => (nextCursor === undefined ? undefined : pageUrl(nextCursor));
    const { length: count } = value.posts ?? value.users ?? [];
    const findNext = (shown: number): string | undefined =>
      shown === count ? nextCursor : parts?.keep(shown).value.next_cursor;
    const shownPosts = (): readonly Post[] => (value.posts ?? []).filter(isPost);
    const threads = (): ReadonlyMap<string, SeenThread> => seenThreads(shownPosts(), continuations);
    const styleOf = (choice: MetricsChoice): PostStyle => {
      const posts = choice === 'off' ? [] : shownPosts();
      const metrics = choice === 'on' && resource.hasRequestedPosts ? undefined : metricsOf(posts);
      return { metrics, isCut: !resource.hasRequestedPosts, readOn: readOnFrom(urls), threads: threads() };
    };
    return {
      kind: 'resource',
      source,
      fetchedAt,
      warnings,
      isDegraded,
      nextCursor,
      newestPostAt: resource.newestPostAt?.(value),
      members,
      items: () => {
        const { posts, users = [] } = members();
        return posts ?? users;
      },
      ...(csv && { csv: () => csv(members()) }),
      ...(resource.lastLine && { lastLine: () => resource.lastLine?.(value) ?? {} }),
      markdown: ({ maxTokens, metrics = 'on', omitsNotes = false }) => {
        const document = resource.document(
          cutBeyondReach(read, maxTokens),
          styleOf(metrics),
          urls.readOn === undefined ? urls : undefined,
        );
        const shown: ListDocument = {
          ...document,
          ...(nextCursor !== undefined && { none: LIST_GOES_ON }),
        };
        const pages = {
          findNext,
          isOnX: isAlone,
          ...(!omitsNotes && { urlOf: onX === undefined ? urlOf : () => onX }),
        };
        return listMarkdown(shown, pages, noteOf(omitsNotes ? [] : reportedMessages(warnings)), maxTokens);
      },
      ...(html && {
        html: () => {
          const url = pageUrl();
          const path = url.slice(baseUrl.length);
          return html(read, {
            url,
            path,
            request,
            next: nextUrl(),
            warnings,
            dates: { year: yearAt(fetchedAt) },
            threads: threads(),
            reading: isAlone ? undefined : urls.reading,
            service: urls.service,
          });
        },
      }),
      ...(feed && {
        feed: (format) =>
          feed(value, format, {
            baseUrl,
            isAlone,
            // A feed that nothing serves has no URL.
            ...(!isAlone && { self: selfUrl(), next: nextUrl() }),
            isMerged: urls.isMerged,
            threads: threads(),
            note: warnings.find(({ code }) => NOTED.has(code))?.message,
          }),
      }),
      ...(graphml && { graphml: () => graphml(value) }),
      ...(opml && {
        // The accounts of a timeline are the same on each of its pages.
        opml: () => ({ body: opml(value, urls), nextCursor: value.users === undefined ? undefined : nextCursor }),
      }),
    };
  };

type ListResource = Exclude<keyof Resources, 'post' | 'oembed'>;

/** The compiler requires a feed where a read of the resource accepts the format of one, and refuses it elsewhere. */
type FormsOf<Resource extends ListResource> = ListForms<Resources[Resource]> &
  (Resource extends ResourceWithFeeds
    ? Required<Pick<ListForms<Resources[Resource]>, 'feed'>>
    : { readonly feed?: never });

type ListPresenter<Resource extends ListResource> = Presenter<Resources[Resource], ResourceView<Resources[Resource]>>;

export const createListPresenter = <Resource extends ListResource>(
  data: ListData<Resources[Resource]>,
  forms: FormsOf<Resource>,
): ListPresenter<Resource> => createPresenter<Resources[Resource]>(data, { csv: csvOf, ...forms });

/** Without the forms for people, for spreadsheets and for readers of feeds, so that a bundle of tools does not have them. */
export const createDataPresenter = <Resource extends ListResource>(
  data: ListData<Resources[Resource]>,
): ListPresenter<Resource> => createPresenter<Resources[Resource]>(data, {});
