// The reads of the service, one method per route of version 1.
import { type ClientOptions, createHttpClient, type HttpRequest } from './http-client.ts';
import { createList, type List } from './list.ts';
import type {
  OembedBody,
  Post,
  PostBody,
  PostLookupBody,
  ProfileBody,
  ProfilePostsBody,
  paths,
  RelatedPostsBody,
  RepostersBody,
  SearchBody,
  TimelineBody,
  User,
  UserListBody,
  XListBody,
} from './openapi.ts';
import { unexpectedResponse } from './postern-error.ts';

type Route = keyof paths;
type BodyOf<Name extends Route> = paths[Name]['get']['responses'][200]['content']['application/json'];
type QueryOf<Name extends Route> = NonNullable<paths[Name]['get']['parameters']['query']>;

export interface RequestOptions {
  /** Ends the request and the wait before a retry. It ends all requests of a list. */
  readonly signal?: AbortSignal | undefined;
}

/** The query parameters of a route, apart from those that the method sets. */
type Options<Name extends Route, Preset extends string = never> = {
  readonly [Key in Exclude<keyof QueryOf<Name>, 'format' | Preset>]?: QueryOf<Name>[Key] | undefined;
} & RequestOptions;

export type PostOptions = Options<'/api/v1/posts', 'url' | 'handle' | 'id' | 'layout'>;
export type MarkdownOptions = Options<'/api/v1/posts', 'url' | 'handle' | 'id'> & {
  /** `obsidian`: a note with front matter. Default: `markdown`. */
  readonly format?: 'markdown' | 'obsidian' | undefined;
};
export type LookupOptions = Options<'/api/v1/posts/lookup', 'ids'>;
export type RepliesOptions = Options<'/api/v1/posts/{id}/replies'>;
export type QuotesOptions = Options<'/api/v1/posts/{id}/quotes'>;
export type RepostsOptions = Options<'/api/v1/posts/{id}/reposts'>;
export type ProfileByIdOptions = Options<'/api/v1/users/{id}'>;
export type ProfileOptions = Options<'/api/v1/profiles/{handle}'>;
export type PostsOptions = Options<'/api/v1/profiles/{handle}/posts', 'since' | 'until'> & {
  /** Only posts of this instant or later; a day as YYYY-MM-DD starts at midnight UTC. */
  readonly since?: string | Date | undefined;
  /** Only posts before this instant. */
  readonly until?: string | Date | undefined;
};
export type TimelineOptions = Options<'/api/v1/timeline', 'handles' | 'since' | 'until'> &
  Pick<PostsOptions, 'since' | 'until'>;
export type ListPostsOptions = Options<'/api/v1/lists/{id}/posts'>;
export type UserListOptions = Options<'/api/v1/profiles/{handle}/followers' | '/api/v1/profiles/{handle}/following'>;
export type SearchOptions = Options<'/api/v1/search', 'q'>;
type PostFeed = { readonly feed?: Exclude<SearchOptions['feed'], 'users'> };
type UserFeed = { readonly feed: 'users' };
export type OembedOptions = Options<'/api/v1/oembed', 'url'>;

/** Methods that read a list return at once. See List. */
export interface Client {
  /** Reads a post with the conversation around it. */
  post(urlOrId: string, options?: PostOptions): Promise<PostBody>;
  /** Reads a post as Markdown. Do not parse the text: its wording and layout can change. */
  markdown(urlOrId: string, options?: MarkdownOptions): Promise<string>;
  /** Reads 1 to 20 posts at once, in this order. A post that cannot be read has `unavailable: true`. */
  lookup(urlsOrIds: readonly string[], options?: LookupOptions): Promise<PostLookupBody>;
  /** Lists the replies to a post. */
  replies(id: string, options?: RepliesOptions): List<Post, RelatedPostsBody>;
  /** Lists the posts that quote a post. */
  quotes(id: string, options?: QuotesOptions): List<Post, RelatedPostsBody>;
  /** Lists the accounts that reposted a post. */
  reposts(id: string, options?: RepostsOptions): List<User, RepostersBody>;
  /** Reads a profile with its recent posts. */
  profile(handleOrUrl: string, options?: ProfileOptions): Promise<ProfileBody>;
  profileById(id: string, options?: ProfileByIdOptions): Promise<ProfileBody>;
  /** Lists the posts of a profile by kind and date, in the order of X. */
  posts(handleOrUrl: string, options?: PostsOptions): List<Post, ProfilePostsBody>;
  /** Lists the posts of 1 to 20 accounts, newest first over all of them. */
  timeline(handlesOrUrls: readonly string[], options?: TimelineOptions): List<Post, TimelineBody>;
  /** Lists the posts of a list of X. The service answers 501 if it has no source of the list. */
  listPosts(id: string, options?: ListPostsOptions): List<Post, XListBody>;
  followers(handleOrUrl: string, options?: UserListOptions): List<User, UserListBody>;
  /** Lists the accounts that a profile follows. */
  following(handleOrUrl: string, options?: UserListOptions): List<User, UserListBody>;
  /** Searches accounts. */
  search(query: string, options: SearchOptions & UserFeed): List<User, SearchBody>;
  /** Searches posts. */
  search(query: string, options?: SearchOptions & PostFeed): List<Post, SearchBody>;
  /** Searches what the feed says. */
  search(query: string, options?: SearchOptions): List<Post | User, SearchBody>;
  /** Reads what a page needs to embed a post (oEmbed 1.0). */
  oembed(urlOrId: string, options?: OembedOptions): Promise<OembedBody>;
}

interface JsonRequest<Name extends Route> extends Pick<HttpRequest, 'path' | 'query' | 'signal'> {
  readonly route: Name;
}

type ListRoute =
  | '/api/v1/posts/{id}/replies'
  | '/api/v1/posts/{id}/quotes'
  | '/api/v1/posts/{id}/reposts'
  | '/api/v1/profiles/{handle}/posts'
  | '/api/v1/timeline'
  | '/api/v1/lists/{id}/posts'
  | '/api/v1/profiles/{handle}/followers'
  | '/api/v1/profiles/{handle}/following'
  | '/api/v1/search';

/** The service finds a post without its handle by this form of URL. */
const postUrlOf = (urlOrId: string): string => (/^\d+$/.test(urlOrId) ? `https://x.com/i/status/${urlOrId}` : urlOrId);

const PROFILE_URL = /^(?:https?:\/\/)?([^/?#@]+)\/(?:@|%40)?(\w{1,15})\/?(?:[?#].*)?$/i;
const X_HOST = /^(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com$/i;

/** @throws TypeError if `baseUrl` is not the URL of a service */
export const createClient = (options: ClientOptions): Client => {
  const ownHost = URL.canParse(options.baseUrl) ? new URL(options.baseUrl).host : undefined;
  /** The service takes no link in the place of a handle. A text that is neither is rejected by the service. */
  const handleOf = (handleOrUrl: string): string => {
    const [, host = '', handle] = PROFILE_URL.exec(handleOrUrl.trim()) ?? [];
    return handle !== undefined && (X_HOST.test(host) || host === ownHost) ? handle : handleOrUrl;
  };
  const send = createHttpClient(options);

  const read = async <Name extends Route>({ query, ...request }: JsonRequest<Name>): Promise<BodyOf<Name>> => {
    const { response, body } = await send({
      ...request,
      query: { ...query, format: 'json' },
      accept: 'application/json',
    });
    try {
      return JSON.parse(body);
    } catch (cause) {
      throw unexpectedResponse(response, cause);
    }
  };

  const list = <Name extends ListRoute, Item>(
    request: JsonRequest<Name> & { readonly cursor: string | undefined },
    itemsOf: (page: BodyOf<Name>) => readonly Item[] | undefined,
  ): List<Item, BodyOf<Name>> => {
    const { cursor: start, query, ...rest } = request;
    return createList((cursor) => read({ ...rest, query: { ...query, cursor } }), itemsOf, start);
  };

  function search(query: string, options: SearchOptions & UserFeed): List<User, SearchBody>;
  function search(query: string, options?: SearchOptions & PostFeed): List<Post, SearchBody>;
  function search(query: string, options?: SearchOptions): List<Post | User, SearchBody>;
  function search(q: string, { signal, cursor, ...query }: SearchOptions = {}) {
    const request = { route: '/api/v1/search', query: { ...query, q }, cursor, signal } as const;
    return query.feed === 'users' ? list(request, ({ users }) => users) : list(request, ({ posts }) => posts);
  }

  const follows =
    (route: '/api/v1/profiles/{handle}/followers' | '/api/v1/profiles/{handle}/following') =>
    (handleOrUrl: string, { signal, cursor, ...query }: UserListOptions = {}): List<User, UserListBody> =>
      list({ route, path: { handle: handleOf(handleOrUrl) }, query, cursor, signal }, ({ users }) => users);

  return {
    post: (urlOrId, { signal, ...query } = {}) =>
      read({ route: '/api/v1/posts', query: { ...query, url: postUrlOf(urlOrId) }, signal }),
    async markdown(urlOrId, { signal, format = 'markdown', ...query } = {}) {
      const { body } = await send({
        route: '/api/v1/posts',
        query: { ...query, format, url: postUrlOf(urlOrId) },
        accept: 'text/markdown',
        signal,
      });
      return body;
    },
    lookup: (urlsOrIds, { signal, ...query } = {}) => {
      const ids = urlsOrIds.map((urlOrId) => urlOrId.replaceAll(',', '%2C')).join(); // a comma separates posts
      return read({ route: '/api/v1/posts/lookup', query: { ...query, ids }, signal });
    },
    replies: (id, { signal, cursor, ...query } = {}) =>
      list({ route: '/api/v1/posts/{id}/replies', path: { id }, query, cursor, signal }, ({ posts }) => posts),
    quotes: (id, { signal, cursor, ...query } = {}) =>
      list({ route: '/api/v1/posts/{id}/quotes', path: { id }, query, cursor, signal }, ({ posts }) => posts),
    reposts: (id, { signal, cursor, ...query } = {}) =>
      list({ route: '/api/v1/posts/{id}/reposts', path: { id }, query, cursor, signal }, ({ users }) => users),
    profile: (handleOrUrl, { signal, ...query } = {}) =>
      read({ route: '/api/v1/profiles/{handle}', path: { handle: handleOf(handleOrUrl) }, query, signal }),
    profileById: (id, { signal, ...query } = {}) => read({ route: '/api/v1/users/{id}', path: { id }, query, signal }),
    posts: (handleOrUrl, { signal, cursor, ...query } = {}) =>
      list(
        { route: '/api/v1/profiles/{handle}/posts', path: { handle: handleOf(handleOrUrl) }, query, cursor, signal },
        ({ posts }) => posts,
      ),
    timeline: (handlesOrUrls, { signal, cursor, ...query } = {}) => {
      const handles = handlesOrUrls.map(handleOf).join();
      return list({ route: '/api/v1/timeline', query: { ...query, handles }, cursor, signal }, ({ posts }) => posts);
    },
    listPosts: (id, { signal, cursor, ...query } = {}) =>
      list({ route: '/api/v1/lists/{id}/posts', path: { id }, query, cursor, signal }, ({ posts }) => posts),
    followers: follows('/api/v1/profiles/{handle}/followers'),
    following: follows('/api/v1/profiles/{handle}/following'),
    search,
    oembed: (urlOrId, { signal, ...query } = {}) =>
      read({ route: '/api/v1/oembed', query: { ...query, url: postUrlOf(urlOrId) }, signal }),
  };
};
