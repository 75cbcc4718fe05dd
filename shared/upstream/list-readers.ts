// Pages of lists: for each kind of list the providers that have it. A page that goes on is the business of the provider
// that began; a first page that of whoever answers.
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
  /** How long pages are remembered; 0 turns memory and sharing off. */
  readonly memoryMilliseconds: number;
}

/** A provider's cursor travels in ours, and ours in an address. In bytes, as JSON. */
const MAX_PROVIDER_CURSOR = 2000;

interface ListCall<Request> {
  readonly request: Request;
  readonly page: PageRequest;
  readonly requester?: Requester | undefined;
}

type ListSource<Request, T> = FallbackSource<ListCall<Request>, UpstreamPage<T>> & { readonly name: string };

/** Providers refuse to send fewer items of a search, or round the number up. */
const LEAST_ITEMS = 10;

interface Sized<T> {
  readonly outcome: Outcome<ProviderPage<T>>;
  /** How many items were asked for at last. */
  readonly size: number;
}

/** A page that is too large is asked for again with half the items, as long as there are enough of them. */
const askWithin = async <Request, T>(
  method: ReadListPage<Request, T>,
  request: Request,
  page: PageRequest,
  budget: CallBudget,
): Promise<Sized<T>> => {
  const { size } = page;
  const outcome = await method(request, page, budget);
  const half = Math.floor(size / 2);
  if (outcome.kind !== 'failed' || outcome.isTooLarge !== true || half < LEAST_ITEMS) return { outcome, size };
  return askWithin(method, request, { ...page, size: half }, budget);
};

const asPage = <T>(
  { outcome, size }: Sized<T>,
  wanted: number,
  provider: string,
  isFallback: boolean,
): Outcome<UpstreamPage<T>> => {
  if (outcome.kind !== 'found') return outcome;
  const { items, next } = outcome.value;
  const isTooLong = next !== undefined && Buffer.byteLength(JSON.stringify(next)) > MAX_PROVIDER_CURSOR;
  if (isTooLong) return { kind: 'failed', why: 'a cursor too long' };
  return {
    ...outcome,
    value: { items, provider, isFallback, ...(next !== undefined && { next }), ...(size < wanted && { size }) },
  };
};

/** @param methodOf what a provider has for this kind of list, if anything */
const sourcesOf = <Request extends object, T>(
  providers: readonly NamedProvider[],
  methodOf: (provider: Provider) => ReadListPage<Request, T> | undefined,
  share: RequestCache<UpstreamPage<T>>,
  log: Log,
): readonly ListSource<Request, T>[] => {
  const capable = providers.flatMap(({ name, provider }) => {
    const method = methodOf(provider);
    return method === undefined ? [] : [{ name, method, sizeOf: provider.pageSize ?? requestedSize }];
  });
  return capable.map(({ name, method, sizeOf }, index) => {
    const asked = catchErrors(
      async ({ request, page }: ListCall<Request>, budget: CallBudget) =>
        asPage(await askWithin(method, request, page, budget), page.size, name, index > 0),
      log,
    );
    const ask = index > 0 ? markAsFallback(asked) : asked;
    return {
      name,
      call: ({ request, page, requester }, budget) => {
        const sized = { ...page, size: sizeOf(page.size) };
        const key = JSON.stringify([name, request, page.cursor, sized.size]);
        return share({
          key,
          deadline: budget.deadline,
          admit: requester?.admit,
          ask: () => ask({ request, page: sized }, budget),
        });
      },
    };
  });
};

const requestedSize = (size: number): number => size;

/** @returns throws nothing but what `requester` rejects with */
const pagesOf = <Request, T>(sources: readonly ListSource<Request, T>[]) => {
  const first = createFallback(sources, 'list');
  const named = new Map(sources.map(({ name, call }) => [name, call]));
  return async (
    request: Request,
    page: PageRequest,
    deadline: Deadline,
    requester: Requester | undefined,
  ): Promise<Outcome<UpstreamPage<T>>> => {
    const budget = { deadline, retries: 1, caller: requester?.caller };
    const asked = { request, page, requester };
    if (page.provider === undefined) return first(asked, budget);
    const ask = named.get(page.provider);
    return ask === undefined
      ? { kind: 'refused', why: 'the provider of the page before is not there any more' }
      : ask(asked, budget);
  };
};

export const createListReaders = (
  providers: readonly NamedProvider[],
  { clock, log, memoryMilliseconds }: ListOptions,
): Pick<Upstream, 'listPosts' | 'listUsers'> => {
  const sharePosts = createRequestCache<UpstreamPage<Post>>(clock, memoryMilliseconds);
  const shareUsers = createRequestCache<UpstreamPage<User>>(clock, memoryMilliseconds);
  const posts = pagesOf(sourcesOf(providers, ({ listPosts }) => listPosts, sharePosts, log));
  const searchedPosts = pagesOf(sourcesOf(providers, ({ searchPosts }) => searchPosts, sharePosts, log));
  const follows = pagesOf(sourcesOf(providers, ({ listFollows }) => listFollows, shareUsers, log));
  const searchedUsers = pagesOf(sourcesOf(providers, ({ searchUsers }) => searchUsers, shareUsers, log));
  return {
    listPosts: (request: PostListRequest, page, deadline, requester) =>
      request.list === 'posts'
        ? posts(request, page, deadline, requester)
        : searchedPosts(request, page, deadline, requester),
    listUsers: (request: UserListRequest, page, deadline, requester) =>
      request.list === 'users'
        ? searchedUsers(request, page, deadline, requester)
        : follows(request, page, deadline, requester),
  };
};
