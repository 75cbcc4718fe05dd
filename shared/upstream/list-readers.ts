// Reads pages of lists. Each kind of list has a fallback over the providers that support it. Only the first page uses the
// fallback: later pages come from the provider of the first page, because cursors of providers differ.
import type { Post } from '../model/post.ts';
import type { User } from '../model/user.ts';
import type { Clock, Deadline, Log } from '../ports/system.ts';
import type {
  Outcome,
  PageRequest,
  PostListRequest,
  Requester,
  Upstream,
  UpstreamPage,
  UserListRequest,
} from '../ports/upstream.ts';
import { catchErrors, createFallback, type FallbackSource, markAsFallback } from './fallback.ts';
import type { CallBudget } from './json-client.ts';
import type { Provider, ProviderPage, ReadListPage } from './provider.ts';
import { createRequestCache, type RequestCache } from './request-cache.ts';

export interface NamedProvider {
  readonly name: string;
  readonly provider: Provider;
}

interface ListOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The longest time for which pages are cached; 0 turns cache and coalescing off. */
  readonly cacheMilliseconds: number;
}

/** The maximum of a provider's cursor as JSON, because it becomes part of a cursor in a URL. */
const MAX_PROVIDER_CURSOR_BYTES = 2000;

interface ListCall<Request> {
  readonly request: Request;
  readonly page: PageRequest;
  readonly requester?: Requester | undefined;
}

type ListSource<Request, T> = FallbackSource<ListCall<Request>, UpstreamPage<T>> & { readonly name: string };

/** Providers reject a search with fewer items, or round the number up. */
const MIN_ITEMS = 10;

interface SizedOutcome<T> {
  readonly outcome: Outcome<ProviderPage<T>>;
  /** The number of items that the last call requested. */
  readonly size: number;
}

/** If a page is too large, requests it again with half of the items, down to MIN_ITEMS. */
const callWithinSize = async <Request, T>(
  method: ReadListPage<Request, T>,
  request: Request,
  page: PageRequest,
  budget: CallBudget,
): Promise<SizedOutcome<T>> => {
  const { size } = page;
  const outcome = await method(request, page, budget);
  const half = Math.floor(size / 2);
  if (outcome.kind !== 'failed' || outcome.isTooLarge !== true || half < MIN_ITEMS) return { outcome, size };
  return callWithinSize(method, request, { ...page, size: half }, budget);
};

const toUpstreamPage = <T>(
  { outcome, size }: SizedOutcome<T>,
  requested: number,
  provider: string,
  isFallback: boolean,
): Outcome<UpstreamPage<T>> => {
  if (outcome.kind !== 'found') return outcome;
  const { next } = outcome.value;
  const isTooLong = next !== undefined && Buffer.byteLength(JSON.stringify(next)) > MAX_PROVIDER_CURSOR_BYTES;
  if (isTooLong) return { kind: 'failed', why: 'a cursor too long' };
  return {
    ...outcome,
    value: { ...outcome.value, provider, isFallback, ...(size < requested && { size }) },
  };
};

/** @param methodOf the method of a provider for this kind of list; undefined: not supported */
const sourcesOf = <Request extends object, T>(
  providers: readonly NamedProvider[],
  methodOf: (provider: Provider) => ReadListPage<Request, T> | undefined,
  cache: RequestCache<UpstreamPage<T>>,
  log: Log,
): readonly ListSource<Request, T>[] => {
  const capable = providers.flatMap(({ name, provider }) => {
    const method = methodOf(provider);
    return method === undefined ? [] : [{ name, method, sizeOf: provider.pageSize ?? requestedSize }];
  });
  return capable.map(({ name, method, sizeOf }, index) => {
    const callProvider = catchErrors(
      async ({ request, page }: ListCall<Request>, budget: CallBudget) =>
        toUpstreamPage(await callWithinSize(method, request, page, budget), page.size, name, index > 0),
      log,
    );
    const call = index > 0 ? markAsFallback(callProvider) : callProvider;
    return {
      name,
      call: ({ request, page, requester }, budget) => {
        const sized = { ...page, size: sizeOf(page.size) };
        const key = JSON.stringify([name, request, page.cursor, sized.size]);
        return cache({
          key,
          deadline: budget.deadline,
          admit: requester?.admit,
          recordCacheUse: requester?.recordCacheUse,
          call: () => call({ request, page: sized }, budget),
        });
      },
    };
  });
};

const requestedSize = (size: number): number => size;

/** @returns a reader that rejects only with the Problem of `requester` */
const createPageReader = <Request, T>(sources: readonly ListSource<Request, T>[]) => {
  const callFirst = createFallback(sources, 'list');
  const callsByName = new Map(sources.map(({ name, call }) => [name, call]));
  return async (
    request: Request,
    page: PageRequest,
    deadline: Deadline,
    requester: Requester | undefined,
  ): Promise<Outcome<UpstreamPage<T>>> => {
    const budget: CallBudget = { deadline, retries: 1, caller: requester?.caller, isLast: true };
    const listCall = { request, page, requester };
    if (page.provider === undefined) return callFirst(listCall, budget);
    const call = callsByName.get(page.provider);
    return call === undefined
      ? { kind: 'refused', why: 'the cursor names a provider that is not configured' }
      : call(listCall, budget);
  };
};

export const createListReaders = (
  providers: readonly NamedProvider[],
  { clock, log, cacheMilliseconds }: ListOptions,
): Pick<Upstream, 'listPosts' | 'listUsers'> => {
  const postCache = createRequestCache<UpstreamPage<Post>>(clock, cacheMilliseconds);
  const userCache = createRequestCache<UpstreamPage<User>>(clock, cacheMilliseconds);
  const timelines = createPageReader(sourcesOf(providers, ({ listPosts }) => listPosts, postCache, log));
  const searchedPosts = createPageReader(sourcesOf(providers, ({ searchPosts }) => searchPosts, postCache, log));
  const replies = createPageReader(sourcesOf(providers, ({ listReplies }) => listReplies, postCache, log));
  const quotes = createPageReader(sourcesOf(providers, ({ listQuotes }) => listQuotes, postCache, log));
  const follows = createPageReader(sourcesOf(providers, ({ listFollows }) => listFollows, userCache, log));
  const searchedUsers = createPageReader(sourcesOf(providers, ({ searchUsers }) => searchUsers, userCache, log));
  const reposts = createPageReader(sourcesOf(providers, ({ listReposts }) => listReposts, userCache, log));
  return {
    listPosts(request: PostListRequest, page, deadline, requester) {
      switch (request.list) {
        case 'posts':
          return timelines(request, page, deadline, requester);
        case 'search':
          return searchedPosts(request, page, deadline, requester);
        case 'replies':
          return replies(request, page, deadline, requester);
        case 'quotes':
          return quotes(request, page, deadline, requester);
        default:
          return request satisfies never;
      }
    },
    listUsers(request: UserListRequest, page, deadline, requester) {
      switch (request.list) {
        case 'followers':
        case 'following':
          return follows(request, page, deadline, requester);
        case 'users':
          return searchedUsers(request, page, deadline, requester);
        case 'reposts':
          return reposts(request, page, deadline, requester);
        default:
          return request satisfies never;
      }
    },
  };
};
