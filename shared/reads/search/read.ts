// Reads a page of search results: posts or, with the feed `users`, accounts that the provider suggests.
import type { SearchInput } from '../../contract/list-inputs.ts';
import type { Post } from '../../model/post.ts';
import type { SearchResults } from '../../model/resources.ts';
import { later } from '../../model/time.ts';
import type { User } from '../../model/user.ts';
import type {
  Outcome,
  PageRequest,
  Requester,
  SourcedResult,
  UpstreamPage,
  UseCaseResult,
} from '../../ports/upstream.ts';
import {
  POST_PROBLEMS,
  problemFromOutcome,
  rejectedParameter,
  USE_CASE_MILLISECONDS,
  unavailableProblem,
} from '../outcome-problems.ts';
import { type FilledPage, fillPage } from '../paging/fill-page.ts';
import {
  degradedBy,
  type ListUseCasePorts,
  nextCursor,
  pageWarnings,
  stableUserId,
  withParts,
} from '../paging/list-pages.ts';
import { translatedLists } from '../paging/translated-lists.ts';

/** @throws Problem `invalid_query`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable` */
const pageOf = async <T>(
  { limit, position, feed }: SearchInput,
  idOf: (item: T) => string,
  fetch: (request: PageRequest) => Promise<Outcome<UpstreamPage<T>>>,
): Promise<FilledPage<T>> => {
  const page = await fillPage({ limit, position, fetch, idOf, isRanked: feed === 'top' || feed === 'users' });
  // A search has a result, even if it is empty, so these outcomes are faults of the provider.
  if (page.kind === 'gone' || page.kind === 'absent') throw unavailableProblem(`a search that is ${page.kind}`);
  if (page.kind !== 'found')
    throw problemFromOutcome(
      page,
      POST_PROBLEMS,
      position === undefined ? rejectedParameter.query : rejectedParameter.cursor,
    );
  return page;
};

/** @throws Problem `invalid_query`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable` */
export const searchPosts = async (
  input: SearchInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<SearchResults>> => {
  const { upstream, cursors, clock } = ports;
  const { query, feed } = input;
  const deadline = later(clock(), USE_CASE_MILLISECONDS);
  const resultOf = (
    page: FilledPage<Post | User>,
    hits: Pick<SearchResults, 'posts' | 'users'>,
  ): SourcedResult<SearchResults> => ({
    value: { query, feed, ...hits, ...nextCursor(page, input, cursors), ...degradedBy(page.isFallback) },
    source: page.source,
    fetchedAt: page.fetchedAt,
    warnings: pageWarnings(page, input),
  });
  if (feed === 'users') {
    const page = await pageOf(input, stableUserId, (request) =>
      upstream.listUsers({ list: 'users', query }, request, deadline, requester),
    );
    return withParts(page, (part) => resultOf(part, { users: [...part.items] }));
  }
  const page = await pageOf(
    input,
    ({ id }: Post) => id,
    (request) => translatedLists(input, ports)({ list: 'search', query, feed }, request, deadline, requester),
  );
  return withParts(page, (part) => resultOf(part, { posts: [...part.items] }));
};
