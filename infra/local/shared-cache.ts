// Emulates the shared cache of CloudFront: freshness by Cache-Control, stale answers during revalidation or if the
// origin fails, and one origin request for concurrent equal requests.
import { matchesIfNoneMatch } from '../../shared/http/conditional-request.ts';
import { elapsed, type Monotonic } from '../../shared/model/time.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { createBoundedMap } from '../../shared/resilience/bounded-map.ts';
import { type OriginResponse, originHeader } from './api-gateway.ts';
import { cacheShares } from './memory.ts';

// Computes how long a shared cache may store an answer, as CloudFront reads Cache-Control (RFC 9111, RFC 5861).

/** Milliseconds after the answer was stored. */
interface Freshness {
  readonly fresh: number;
  /** Until then, a stale answer may be served while a new answer is fetched. */
  readonly staleWhileRevalidate: number;
  /** Until then, a stale answer may be served if the origin fails. */
  readonly staleIfError: number;
}

type Directives = ReadonlyMap<string, string>;

const directivesOf = (field: string): Directives =>
  new Map(
    field.split(',').map((part) => {
      const [name = '', value = ''] = part.trim().toLowerCase().split('=');
      return [name, value];
    }),
  );

const milliseconds = (directives: Directives, name: string): number | undefined => {
  const value = directives.get(name);
  return value !== undefined && /^[0-9]{1,9}$/.test(value) ? Number(value) * 1000 : undefined;
};

const FORBIDS_STORING = ['no-store', 'private', 'no-cache'];

/** @returns undefined if the answer must not be stored; without Cache-Control the default TTL of 0 applies */
export const freshnessOf = (cacheControl: string | undefined): Freshness | undefined => {
  const directives = directivesOf(cacheControl ?? '');
  if (FORBIDS_STORING.some((name) => directives.has(name))) return undefined;
  const fresh = milliseconds(directives, 's-maxage') ?? milliseconds(directives, 'max-age') ?? 0;
  if (fresh === 0) return undefined;
  return {
    fresh,
    staleWhileRevalidate: fresh + (milliseconds(directives, 'stale-while-revalidate') ?? 0),
    staleIfError: fresh + (milliseconds(directives, 'stale-if-error') ?? 0),
  };
};

const MAX_ENTRIES = 1000;
/** Errors have entries of their own: any path can be requested, and its 404 must not evict an answer. */
const MAX_ERRORS = 100;
interface CacheRequest {
  /** Requests with the same key may share an answer. */
  readonly key: string;
  readonly ifNoneMatch: string | undefined;
}

/** @param etag the ETag of the stored answer, if the origin only needs to confirm it */
export type FetchFromOrigin = (etag: string | undefined) => Promise<OriginResponse>;

export interface CacheAnswer extends OriginResponse {
  /** The Content-Type of the whole answer, which 304 does not have. */
  readonly type: string | undefined;
}

export type SharedCache = (request: CacheRequest, fetchFromOrigin: FetchFromOrigin) => Promise<CacheAnswer>;

interface CachedResponse {
  /** With those of its key and its header fields. */
  readonly bytes: number;
  readonly response: OriginResponse;
  readonly storedAt: Monotonic;
  readonly freshness: Freshness;
}

type Result = 'Hit' | 'Miss' | 'RefreshHit';

interface Served {
  readonly result: Result;
  readonly response: OriginResponse;
  /** Set if the answer comes from the cache. */
  readonly entry?: CachedResponse;
  /** Waiting requests may use the answer too. */
  readonly shareable: boolean;
}

const without = (headers: OriginResponse['headers'], name: string): OriginResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([field]) => field.toLowerCase() !== name));

/** RFC 9110 section 15.4.5: the headers of the 200, without content. */
const notModified = (response: OriginResponse): OriginResponse => ({
  status: 304,
  headers: without(response.headers, 'content-type'),
  body: Buffer.alloc(0),
});

const conditional = (response: OriginResponse, field: string | undefined): OriginResponse => {
  const etag = originHeader(response, 'etag');
  const isUnchanged = response.status === 200 && etag !== undefined && matchesIfNoneMatch(field, etag);
  return isUnchanged ? notModified(response) : response;
};

export const withResult = (response: OriginResponse, result: Result, ageSeconds?: number): OriginResponse => ({
  ...response,
  headers: {
    ...response.headers,
    ...(ageSeconds !== undefined && { Age: String(ageSeconds) }),
    'X-Cache': `${result} from cloudfront`,
  },
});

export const isFromCache = (response: OriginResponse): boolean =>
  /^(?:Refresh)?Hit /.test(originHeader(response, 'x-cache') ?? '');

/** Header fields and what the memory of an entry takes beside its texts. */
const ENTRY_BYTES = 2000;

/**
 * @param maxBytes of all answers: one large post can be asked for in many forms
 */
export const createSharedCache = (clock: Clock, maxBytes = cacheShares().shared): SharedCache => {
  const bytesOf = ({ bytes }: CachedResponse): number => bytes;
  const maxErrorBytes = Math.floor(maxBytes / 16);
  const answers = createBoundedMap<CachedResponse>(MAX_ENTRIES, undefined, {
    maxBytes: maxBytes - maxErrorBytes,
    bytesOf,
  });
  const errors = createBoundedMap<CachedResponse>(MAX_ERRORS, undefined, { maxBytes: maxErrorBytes, bytesOf });
  const inFlight = new Map<string, Promise<Served>>();

  const ageOf = (entry: CachedResponse): number => elapsed(entry.storedAt, clock());

  const store = (key: string, response: OriginResponse): CachedResponse | undefined => {
    const freshness = freshnessOf(originHeader(response, 'cache-control'));
    if (freshness === undefined) return undefined;
    const bytes = response.body.length + key.length + ENTRY_BYTES;
    const isError = response.status >= 400;
    if (bytes > (isError ? maxErrorBytes : maxBytes - maxErrorBytes)) return undefined;
    const [entries, others] = isError ? [errors, answers] : [answers, errors];
    const entry = { response, storedAt: clock(), freshness, bytes };
    entries.set(key, entry);
    others.delete(key);
    return entry;
  };

  const fetchThrough = async (
    key: string,
    fetchFromOrigin: FetchFromOrigin,
    stale: CachedResponse | undefined,
  ): Promise<Served> => {
    const response = await fetchFromOrigin(stale && originHeader(stale.response, 'etag'));
    if (response.status >= 500 && stale !== undefined && ageOf(stale) < stale.freshness.staleIfError) {
      return { result: 'Hit', response: stale.response, entry: stale, shareable: true };
    }
    if (response.status === 304 && stale !== undefined) {
      const confirmed = { ...stale.response, headers: { ...stale.response.headers, ...response.headers } };
      const entry = store(key, confirmed);
      return { result: 'RefreshHit', response: confirmed, ...(entry && { entry }), shareable: true };
    }
    return { result: 'Miss', response, shareable: store(key, response) !== undefined };
  };

  /**
   * Calls the origin once for concurrent requests. If the answer cannot be shared, each waiting request calls again.
   */
  const coalesced = async (
    key: string,
    fetchFromOrigin: FetchFromOrigin,
    stale: CachedResponse | undefined,
  ): Promise<Served> => {
    const pending = inFlight.get(key);
    if (pending !== undefined) {
      const served = await pending;
      return served.shareable ? served : fetchThrough(key, fetchFromOrigin, stale);
    }
    const call = fetchThrough(key, fetchFromOrigin, stale).finally(() => inFlight.delete(key));
    inFlight.set(key, call);
    return call;
  };

  const lookUp = async (key: string, fetchFromOrigin: FetchFromOrigin): Promise<Served> => {
    const entry = answers.get(key) ?? errors.get(key);
    const fromCache = (result: Result, cached: CachedResponse): Served => ({
      result,
      response: cached.response,
      entry: cached,
      shareable: true,
    });
    if (entry !== undefined && ageOf(entry) < entry.freshness.fresh) return fromCache('Hit', entry);
    if (entry !== undefined && ageOf(entry) < entry.freshness.staleWhileRevalidate) {
      void coalesced(key, fetchFromOrigin, entry).catch(() => undefined); // the stale answer stays
      return fromCache('RefreshHit', entry);
    }
    return coalesced(key, fetchFromOrigin, entry);
  };

  return async (request, fetchFromOrigin) => {
    const { result, response, entry } = await lookUp(request.key, fetchFromOrigin);
    const age = entry && Math.floor(ageOf(entry) / 1000);
    const type = originHeader(response, 'content-type');
    return { ...withResult(conditional(response, request.ifNoneMatch), result, age), type };
  };
};
