// Declares the views: a use-case result with all that a serializer needs, before any format is chosen.
import type { FeedFormat } from '../../contract/media-types.ts';
import type { Layout, MetricsChoice } from '../../contract/parameters.ts';
import type { OembedBody, Resources, Warning } from '../../model/resources.ts';
import type { UseCaseResult } from '../../ports/upstream.ts';
import type { SizeOf } from '../content/format.ts';
import type { FileName } from '../content/post-title.ts';
import type { FeedText } from '../feeds/write-feed.ts';
import type { Html } from '../html/html.ts';
import type { LinkBase } from '../html/inner-links.ts';
import type { ListRequest } from '../html/list.ts';
import type { PageService } from '../html/page.ts';
import type { Reading } from '../html/reading.ts';
import type { Dialect, MarkdownDocument, PostStyle } from '../markdown/context.ts';

export interface MarkdownOptions {
  readonly dialect: Dialect;
  /** Unset: no bound. */
  readonly maxTokens: number | undefined;
  /** Only posts have it. @default 'conversation' */
  readonly layout?: Layout | undefined;
  /** Only posts have it. @default the first that shows the post */
  readonly part?: number | undefined;
  /** The figures of posts. @default 'on' */
  readonly metrics?: MetricsChoice | undefined;
  /** How the bound of a post counts a text. @default bytes of UTF-8 */
  readonly sizeOf?: SizeOf;
  /** The Markdown names neither warnings nor the next page or part: the notes of a tool do so outside of it. */
  readonly omitsNotes?: boolean;
}

/** A resource that every format can show. */
export interface ResourceView<T> {
  readonly kind: 'resource';
  /** The provider that answered. */
  readonly source: string;
  /** When the provider was called, in milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly warnings: readonly Warning[];
  /** The resource itself says that it is incomplete. */
  readonly isDegraded: boolean;
  /** Unset: there is no next page. */
  readonly nextCursor?: string | undefined;
  /** In milliseconds since the epoch. Unset: the resource is not cached by the age of its posts. */
  readonly newestPostAt?: number | undefined;
  /** The URL of the embed of a post. */
  readonly oembedUrl?: string;
  /** The members of the resource in a JSON body, in the order of its schema. */
  members(): T;
  /** The items of a list as in its JSON body. Unset: the resource is no list. */
  items?(): readonly object[];
  /** The items of a list as a table: the header and the records. Unset: the list offers none. */
  csv?(): string;
  /** More members of the last line of NDJSON. Unset: it has none. */
  lastLine?(): object;
  /** @throws Problem `invalid_parameter` if the part is beyond the last */
  markdown(options: MarkdownOptions): MarkdownDocument;
  /** The name of the note as a file. Unset: the resource is no note. */
  noteName?(layout: Layout | undefined): FileName;
  /** A complete page. Unset: no route offers it. */
  html?(): Html;
  /** Unset: the resource is no list of posts. */
  feed?(format: FeedFormat): FeedText;
  /** Unset: the resource is no graph. */
  graphml?(): string;
  /** The feeds of the accounts, and the cursor of the next page of accounts. Unset: the list offers none. */
  opml?(): { readonly body: string; readonly nextCursor: string | undefined };
}

/** An embed: the standard allows only its own members. */
export interface OembedView {
  readonly kind: 'oembed';
  readonly warnings: readonly Warning[];
  readonly newestPostAt: number | undefined;
  readonly body: OembedBody;
}

/** By resource. */
export type Views = {
  readonly [Name in keyof Resources]: Name extends 'oembed' ? OembedView : ResourceView<Resources[Name]>;
};

export type View = ResourceView<object> | OembedView;

/** The parts of a view that depend on the request. */
export interface ViewContext extends LinkBase {
  /**
   * The URL of the request without `format` and `layout`, which depend on each other, or with a cursor the URL of another
   * page. Without a service it is a path.
   */
  readonly pageUrl: (cursor?: string) => string;
  /** The URL of the request with its format. @default pageUrl */
  readonly selfUrl?: () => string;
  /** The URL of a part of a post. It is the same for all routes of the post. */
  readonly partUrl?: (part: number, format: 'markdown' | 'json' | 'obsidian') => string;
  /** The URL of another page that Markdown names: the same on every route of the list. @default pageUrl */
  readonly nextUrl?: (cursor: string) => string;
  /** @default the first page of a list, of as many items as without a limit */
  readonly request?: ListRequest;
  /** The language that was asked for. Unset: none was, or the service translates nothing. */
  readonly reading?: Reading;
  /** The place of the picture that the address names, as X counts it: from 1, among all media of the post. @default none */
  readonly photo?: number | undefined;
  /** A feed has one item for each thread of an account. @default false */
  readonly isMerged?: boolean;
  /** The page is a file that readers keep, with its pictures in it. @default false */
  readonly isKept?: boolean;
  /** What the operator chose for pages. Unset: the page is not an answer of a service. */
  readonly service?: PageService;
  /** Names the whole of a post that Markdown cuts, as Markdown. @default the URL of its page */
  readonly readOn?: PostStyle['readOn'];
}

export type Presenter<T, V extends View = View> = (result: UseCaseResult<T>, urls: ViewContext) => V;
