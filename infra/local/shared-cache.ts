// The shared cache in front of the functions, as CloudFront keeps it: freshness by Cache-Control, stale answers while
// revalidating or when the origin fails, one origin request for callers who want the same at the same time.
import { matchesIfNoneMatch } from '../../shared/http/conditional-request.ts';
import { type Freshness, freshnessOf } from './freshness.ts';
import { headerOf, type OriginResponse } from './origin-response.ts';

const MAX_ENTRIES = 1000;

interface CacheRequest {
  /** Equal for requests that may share an answer. */
  readonly key: string;
  readonly ifNoneMatch: string | undefined;
}

/** @param etag of the stored answer, when it is only to be confirmed */
export type FetchFromOrigin = (etag: string | undefined) => Promise<OriginResponse>;

export type SharedCache = (request: CacheRequest, ask: FetchFromOrigin) => Promise<OriginResponse>;

interface CachedResponse {
  readonly reply: OriginResponse;
  readonly storedAt: number;
  readonly freshness: Freshness;
}

type Result = 'Hit' | 'Miss' | 'RefreshHit';

interface Served {
  readonly result: Result;
  readonly reply: OriginResponse;
  /** Set when the answer comes from the cache. */
  readonly entry?: CachedResponse;
  /** Callers who waited may have it too. */
  readonly shareable: boolean;
}

const without = (headers: OriginResponse['headers'], name: string): OriginResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([known]) => known.toLowerCase() !== name));

/** RFC 9110 section 15.4.5: everything the 200 said, without content. */
const notModified = (reply: OriginResponse): OriginResponse => ({
  status: 304,
  headers: without(reply.headers, 'content-type'),
  body: Buffer.alloc(0),
});

const conditional = (reply: OriginResponse, field: string | undefined): OriginResponse => {
  const etag = headerOf(reply, 'etag');
  return reply.status === 200 && etag !== undefined && matchesIfNoneMatch(field, etag) ? notModified(reply) : reply;
};

export const withResult = (reply: OriginResponse, result: Result, ageSeconds?: number): OriginResponse => ({
  ...reply,
  headers: {
    ...reply.headers,
    ...(ageSeconds !== undefined && { Age: String(ageSeconds) }),
    'X-Cache': `${result} from cloudfront`,
  },
});

/** @param clock in milliseconds */
export const createSharedCache = (clock: () => number): SharedCache => {
  const entries = new Map<string, CachedResponse>();
  const inFlight = new Map<string, Promise<Served>>();

  const ageOf = (entry: CachedResponse): number => clock() - entry.storedAt;

  const store = (key: string, reply: OriginResponse): CachedResponse | undefined => {
    const freshness = freshnessOf(headerOf(reply, 'cache-control'));
    if (freshness === undefined) return undefined;
    entries.delete(key); // the order of the map is the order of storing
    const entry = { reply, storedAt: clock(), freshness };
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    return entry;
  };

  const fetchThrough = async (
    key: string,
    ask: FetchFromOrigin,
    stale: CachedResponse | undefined,
  ): Promise<Served> => {
    const reply = await ask(stale && headerOf(stale.reply, 'etag'));
    if (reply.status >= 500 && stale !== undefined && ageOf(stale) < stale.freshness.staleIfError) {
      return { result: 'Hit', reply: stale.reply, entry: stale, shareable: true };
    }
    if (reply.status === 304 && stale !== undefined) {
      const confirmed = { ...stale.reply, headers: { ...stale.reply.headers, ...reply.headers } };
      const entry = store(key, confirmed);
      return { result: 'RefreshHit', reply: confirmed, ...(entry && { entry }), shareable: true };
    }
    return { result: 'Miss', reply, shareable: store(key, reply) !== undefined };
  };

  /** The origin is asked once; those who waited for an answer that was not theirs to have ask for themselves. */
  const collapsed = async (key: string, ask: FetchFromOrigin, stale: CachedResponse | undefined): Promise<Served> => {
    const pending = inFlight.get(key);
    if (pending !== undefined) {
      const served = await pending;
      return served.shareable ? served : fetchThrough(key, ask, stale);
    }
    const mine = fetchThrough(key, ask, stale).finally(() => inFlight.delete(key));
    inFlight.set(key, mine);
    return mine;
  };

  const lookUp = async (key: string, ask: FetchFromOrigin): Promise<Served> => {
    const entry = entries.get(key);
    const fromCache = (result: Result, known: CachedResponse): Served => ({
      result,
      reply: known.reply,
      entry: known,
      shareable: true,
    });
    if (entry !== undefined && ageOf(entry) < entry.freshness.fresh) return fromCache('Hit', entry);
    if (entry !== undefined && ageOf(entry) < entry.freshness.staleWhileRevalidate) {
      void collapsed(key, ask, entry).catch(() => undefined); // the stale answer stays until the origin is well
      return fromCache('RefreshHit', entry);
    }
    return collapsed(key, ask, entry);
  };

  return async (request, ask) => {
    const { result, reply, entry } = await lookUp(request.key, ask);
    const age = entry && Math.floor(ageOf(entry) / 1000);
    return withResult(conditional(reply, request.ifNoneMatch), result, age);
  };
};
