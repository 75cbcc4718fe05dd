// The reads of the service: the generated methods, and what three of them do besides.
import { type ClientOptions, createHttpClient, type HttpRequest, type Query } from './http-client.ts';
import { readArgument } from './links.ts';
import { createFirstPage, createList, type List } from './list.ts';
import { lookUp } from './lookup.ts';
import { methodRows } from './method-rows.ts';
import type { FollowersOptions, LookupOptions, Methods, PostOptions, SearchOptions } from './methods.ts';
import type { Post, PostLookupBody, SearchBody, User } from './openapi.ts';
import type { MethodRow, Options, RequestOptions } from './options.ts';
import { unexpectedResponse } from './postern-error.ts';

export type MarkdownOptions = PostOptions &
  Options<'readPost', 'layout'> & {
    /** `obsidian`: a note with front matter. Default: `markdown`. */
    readonly format?: 'markdown' | 'obsidian' | undefined;
  };
/** Of followers and of following. */
export type UserListOptions = FollowersOptions;
type PostFeed = { readonly feed?: Exclude<SearchOptions['feed'], 'users'> };
type UserFeed = { readonly feed: 'users' };

export interface Client extends Methods {
  /**
   * Read a public post as Markdown. Do not parse the text: its wording and layout can change.
   *
   * @param post an id, or a link of the post
   */
  markdown(post: string, options?: MarkdownOptions): Promise<string>;
  /**
   * Read several public posts, each once, in this order. More than 20 posts are several requests, three at the same time.
   *
   * @param posts each an id, or a link of the post
   */
  lookup(posts: readonly string[], options?: LookupOptions): Promise<PostLookupBody>;
  /**
   * Search public accounts.
   *
   * @param query words, or a link of a search
   */
  search(query: string, options: SearchOptions & UserFeed): List<User, SearchBody>;
  /**
   * Search public posts.
   *
   * @param query words with the operators of X, or a link of a search or a hashtag
   */
  search(query: string, options?: SearchOptions & PostFeed): List<Post, SearchBody>;
  /** Search what the feed says. */
  search(query: string, options?: SearchOptions): List<Post | User, SearchBody>;
}

type AnyOptions = RequestOptions & Options<'listPosts', 'cursor'>;

/** Each page of a list has its items in one of two members. */
interface Page {
  readonly next_cursor?: string;
  readonly posts?: readonly unknown[];
  readonly users?: readonly unknown[];
}

/** The form in which the parameter of a route takes what the argument names. */
const parameterOf = ({ parameter }: MethodRow, values: readonly string[]): string => {
  // The service finds a post without its handle by this form of URL.
  if (parameter === 'url') return values.map((id) => id.replace(/^\d+$/, 'https://x.com/i/status/$&')).join();
  // A comma separates posts.
  return values.map((value) => (parameter === 'ids' ? value.replaceAll(',', '%2C') : value)).join();
};

/** @throws TypeError if `baseUrl` is not the URL of a service */
export const createClient = (options: ClientOptions): Client => {
  const send = createHttpClient(options);
  const { origin } = new URL(options.baseUrl);

  /** @throws TypeError if an argument is a link that another method reads */
  const requestOf = (
    row: MethodRow,
    subjects: readonly string[],
    query: Query,
  ): Pick<HttpRequest, 'route' | 'path' | 'query'> => {
    const { route, parameter, fromLink } = row;
    const read = subjects.map((subject) => readArgument(subject, row, origin));
    const [first] = read;
    if (first?.feed === 'users' && query['feed'] !== 'users')
      throw new TypeError(`${subjects} is the link of a search for accounts, which needs the option feed: 'users'`);
    const options = fromLink ? { ...query, [fromLink]: query[fromLink] ?? first?.[fromLink] } : query;
    const value = parameterOf(
      row,
      read.map((each) => each.value),
    );
    return route.includes(`{${parameter}}`)
      ? { route, path: { [parameter]: value }, query: options }
      : { route, query: { ...options, [parameter]: value } };
  };

  /** @returns the answer, whose form the description promises */
  const read = async <Body>(
    row: MethodRow,
    subjects: readonly string[],
    query: Query,
    signal: AbortSignal | undefined,
  ): Promise<Body> => {
    const request = requestOf(row, subjects, { ...query, format: 'json' });
    const { response, body } = await send({ ...request, accept: 'application/json', signal });
    try {
      return JSON.parse(body);
    } catch (cause) {
      throw unexpectedResponse(response, cause);
    }
  };

  const methodOf =
    (row: MethodRow) =>
    (argument: string | readonly string[], { signal, cursor: start, ...query }: AnyOptions = {}) => {
      const readPage = (cursor?: string) => read<Page>(row, [argument].flat(), { ...query, cursor }, signal);
      switch (row.result) {
        case 'answer':
          return readPage();
        case 'list':
          return createList(readPage, start);
        case 'firstPage':
          return createFirstPage(readPage, start);
      }
    };

  // The types and the table have one source, so each row makes the method of its type.
  const generated = Object.fromEntries(
    Object.entries(methodRows).map(([name, row]) => [name, methodOf(row)]),
  ) as unknown as Client;

  return {
    ...generated,
    async markdown(post, { signal, format = 'markdown', ...query } = {}) {
      const request = requestOf(methodRows.post, [post], { ...query, format });
      return (await send({ ...request, accept: 'text/markdown', signal })).body;
    },
    async lookup(posts, { signal, ...query } = {}) {
      const ids = posts.map((post) => readArgument(post, methodRows.lookup, origin).value);
      return lookUp(ids, (some) => read<PostLookupBody>(methodRows.lookup, some, query, signal));
    },
  };
};
