// Reads pages of lists from the providers that have the list. Only the first page uses the fallback: later pages come from
// the provider of the first page, because cursors of providers differ. So each provider has its pages in the request cache,
// behind the fallback. All of its base URLs take its cursors, so they share the cache.
import type { Clock, Deadline, Log } from '../ports/system.ts';
import type { Outcome, PageRequest, Requester, UpstreamPage } from '../ports/upstream.ts';
import { askProvider, catchErrors, createFallback, markAsFallback, type ProviderCall } from './fallback.ts';
import { type CallBudget, MAX_REPEATS, type Repeats } from './json-client.ts';
import type { Provider, ProviderPage, ReadPage } from './provider.ts';
import { createRequestCache } from './request-cache.ts';

/** A provider at one of its base URLs. */
export interface NamedProvider {
  /** Equal for all base URLs of the provider. */
  readonly name: string;
  /** The host of the base URL, if the provider has several. */
  readonly address?: string;
  readonly provider: Provider;
}

export interface ListOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The longest time for which results are cached; 0 turns cache and coalescing off. */
  readonly cacheMilliseconds: number;
  /** Of all results that are cached. @default only their number is bounded */
  readonly cacheMebibytes?: number | undefined;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** The part of `cacheMebibytes` that each cache has but that of posts, which has the rest. */
const LIST_SHARE = 1 / 10;

/** @returns bytes; undefined: no bound */
export const cacheBytes = ({ cacheMebibytes }: ListOptions, share = LIST_SHARE): number | undefined =>
  cacheMebibytes === undefined ? undefined : Math.floor(cacheMebibytes * share * 1024 * 1024);

/** The maximum of a provider's cursor as JSON, because it becomes part of a cursor in a URL. */
const MAX_PROVIDER_CURSOR_BYTES = 2000;

/** Providers reject a search with fewer items, or round the number up. */
const MIN_ITEMS = 10;

/** If a page is too large, requests it again with half of the items, down to MIN_ITEMS. */
const readWithinSize = async <T>(
  read: ReadPage<T>,
  page: PageRequest,
  budget: CallBudget,
): Promise<{ readonly outcome: Outcome<ProviderPage<T>>; readonly size: number }> => {
  const { size } = page;
  const outcome = await read(page, budget);
  const half = Math.floor(size / 2);
  if (outcome.kind !== 'failed' || outcome.isTooLarge !== true || half < MIN_ITEMS) return { outcome, size };
  return readWithinSize(read, { ...page, size: half }, budget);
};

/** @param isFallback a preferred provider has the list, too */
const pageCall =
  <T>(read: ReadPage<T>, provider: string, isFallback: boolean): ProviderCall<PageRequest, UpstreamPage<T>> =>
  async (page, budget) => {
    const { outcome, size } = await readWithinSize(read, page, budget);
    if (outcome.kind !== 'found') return outcome;
    const { next, isFallback: isSecondWay = false } = outcome.value;
    const isTooLong = next !== undefined && Buffer.byteLength(JSON.stringify(next)) > MAX_PROVIDER_CURSOR_BYTES;
    if (isTooLong) return { kind: 'failed', why: 'a cursor too long' };
    const value = { ...outcome.value, provider, isFallback: isFallback || isSecondWay };
    return { ...outcome, value: { ...value, ...(size < page.size && { size }) } };
  };

type ListReader<Request, T> = (
  request: Request,
  page: PageRequest,
  deadline: Deadline,
  requester?: Requester,
) => Promise<Outcome<UpstreamPage<T>>>;

/**
 * @param readerOf undefined: the provider has no such list
 * @returns a reader that rejects only with the Problem of `requester`
 */
export const createListReader = <Request, T>(
  providers: readonly NamedProvider[],
  readerOf: (provider: Provider, request: Request) => ReadPage<T> | undefined,
  options: ListOptions,
): ListReader<Request, T> => {
  const { clock, log, cacheMilliseconds, random } = options;
  // A page that the provider may complete at the next request is not kept.
  const cache = createRequestCache<UpstreamPage<T>>(clock, cacheMilliseconds, {
    mayKeep: ({ isCut = false }) => !isCut,
    maxBytes: cacheBytes(options),
  });
  const repeatsOfRequests = new WeakMap<Requester, Repeats>();
  /** The lists and pages of a request share its repetitions. */
  const repeatsOf = (requester: Requester | undefined): Repeats => {
    const request = requester?.ofRequest ?? requester;
    const repeats = (request && repeatsOfRequests.get(request)) ?? { left: MAX_REPEATS };
    if (request !== undefined) repeatsOfRequests.set(request, repeats);
    return repeats;
  };
  return async (request, page, deadline, requester) => {
    const capable = providers.flatMap(({ name, provider }) => {
      const read = readerOf(provider, request);
      return read === undefined ? [] : [{ name, provider, read }];
    });
    const sources = [...Map.groupBy(capable, ({ name }) => name)].map(([name, baseUrls], index) => {
      const atBaseUrls = baseUrls.map(({ read }) => {
        const direct = catchErrors(pageCall(read, name, index > 0), log);
        return { provider: name, call: index > 0 ? markAsFallback(direct) : direct };
      });
      const sizeOf = baseUrls[0]?.provider.pageSize;
      const call: ProviderCall<PageRequest, UpstreamPage<T>> = (requested, budget) => {
        const sized = { ...requested, size: sizeOf?.(requested.size) ?? requested.size };
        return cache({
          key: JSON.stringify([name, request, sized.cursor, sized.size]),
          deadline: budget.deadline,
          requester,
          call: async () => (await askProvider(atBaseUrls, sized, budget, random)).outcome,
        });
      };
      return { provider: name, call };
    });
    const calls = {
      retries: 1,
      repeats: repeatsOf(requester),
      caller: requester?.caller,
      record: requester?.recordCall,
    };
    const budget: CallBudget = { deadline, isLast: true, calls };
    if (page.provider === undefined) return createFallback(sources, 'list', random)(page, budget);
    const source = sources.find(({ provider }) => provider === page.provider);
    return source === undefined
      ? { kind: 'refused', why: 'the cursor names a provider that is not configured' }
      : source.call(page, budget);
  };
};
