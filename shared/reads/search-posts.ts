// Reads a page of search results: posts, or with the feed `users` the accounts that the source suggests.
import type { SearchInput } from '../contract/inputs.ts';
import { warning } from '../contract/warnings.ts';
import type { Warning } from '../model/conversation.ts';
import type { Post } from '../model/post.ts';
import type { SearchResults } from '../model/search-results.ts';
import type { Outcome, Page, PageRequest, ReadAnswer, ReadResult, Requester } from '../ports.ts';
import { type Assembled, assemble } from './assemble.ts';
import { REQUEST_MILLISECONDS } from './deadline.ts';
import { nextCursor, pageWarnings, postWarnings, type ReadListPorts, withParts } from './list-ports.ts';
import { missProblem, POST, refusedBy, unavailable } from './misses.ts';
import { userKey } from './user-key.ts';

/** @throws Problem */
const pageOf = async <T>(
  { limit, from }: SearchInput,
  idOf: (item: T) => string,
  fetch: (page: PageRequest) => Promise<Outcome<Page<T>>>,
): Promise<Assembled<T>> => {
  const page = await assemble({ limit, from, fetch, idOf });
  // A search always has an answer, be it empty.
  if (page.kind === 'gone' || page.kind === 'absent') throw unavailable(`a search that is ${page.kind}`);
  if (page.kind !== 'found') throw missProblem(page, POST, from === undefined ? refusedBy.query : refusedBy.cursor);
  return page;
};

const resultOf = (
  page: Assembled<unknown>,
  warnings: readonly Warning[],
  hits: Pick<SearchResults, 'posts' | 'users'>,
  input: SearchInput,
  { cursors }: ReadListPorts,
): ReadResult<SearchResults> => ({
  value: {
    query: input.query,
    feed: input.feed,
    ...hits,
    ...nextCursor(page, input, cursors),
    ...(page.isFallback && { degraded: true }),
  },
  source: page.source,
  fetchedAt: page.fetchedAt,
  warnings,
});

/** @throws Problem `invalid_query`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable` */
export const searchPosts = async (
  input: SearchInput,
  ports: ReadListPorts,
  requester?: Requester,
): Promise<ReadAnswer<SearchResults>> => {
  const { upstream, clock } = ports;
  const { query, feed } = input;
  const deadline = clock() + REQUEST_MILLISECONDS;
  if (feed === 'users') {
    const page = await pageOf(input, userKey, (request) =>
      upstream.listUsers({ list: 'users', query }, request, deadline, requester),
    );
    return withParts(page, (shown) => {
      const warnings = [...pageWarnings(shown), warning('users_partial')];
      return resultOf(shown, warnings, { users: [...shown.items] }, input, ports);
    });
  }
  const page = await pageOf(
    input,
    ({ id }: Post) => id,
    (request) => upstream.listPosts({ list: 'search', query, feed }, request, deadline, requester),
  );
  return withParts(page, (shown) => resultOf(shown, postWarnings(shown), { posts: [...shown.items] }, input, ports));
};
