// Coalesces equal concurrent provider calls and keeps their results in memory. Found results stay for at most 60 s, other
// definite outcomes for at most 30 s; failures are not kept.
import { elapsed, later, type Monotonic, NEVER } from '../model/time.ts';
import type { Clock, Deadline } from '../ports/system.ts';
import type { CacheUse, Outcome, Requester } from '../ports/upstream.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';

/** A conversation takes about 10 kB. Larger ones are bounded by `mayKeep`. */
const MAX_ENTRIES = 100;
const FOUND_MILLISECONDS = 60_000;
const MISSING_MILLISECONDS = 30_000;

interface CacheEntry<T> {
  readonly result: Promise<Outcome<T>>;
  /** The deadline of the caller that started the call. */
  readonly deadline: Deadline;
  /** Infinite during the call. */
  expiresAt: Monotonic;
  /** 0 during the call, and without a bound of bytes. */
  readonly bytes: number;
}

const lifetime = (outcome: Outcome<unknown>): number => {
  switch (outcome.kind) {
    case 'found':
      return FOUND_MILLISECONDS;
    case 'gone':
    case 'absent':
    case 'refused':
      return MISSING_MILLISECONDS;
    default:
      return 0;
  }
};

interface CachedCall<T> {
  /** Equal for equal requests. */
  readonly key: string;
  readonly deadline: Deadline;
  /** Charged unless the result is cached. A caller that joins a running call is charged too. */
  readonly requester: Pick<Requester, 'admit' | 'recordCacheUse'> | undefined;
  /** Returns by the deadline. */
  call(): Promise<Outcome<T>>;
}

/** Rejects only with the rejection of `admit`. */
export type RequestCache<T> = (request: CachedCall<T>) => Promise<Outcome<T>>;

/** Repeat a call that ran out of time if this caller's deadline is at least this much later. */
const RETRY_MARGIN_MILLISECONDS = 500;

export interface RequestCacheOptions<T> {
  /** False for a value that is too large to be kept. @default every value is kept */
  readonly mayKeep?: (value: T) => boolean;
  /** Of all results. @default only their number is bounded */
  readonly maxBytes?: number | undefined;
}

/** A value takes about twice the memory of its JSON. */
const BYTES_PER_CHARACTER = 2;

/** @param maxMilliseconds the maximum age of a result; 0 turns cache and coalescing off */
export const createRequestCache = <T>(
  clock: Clock,
  maxMilliseconds: number,
  { mayKeep = () => true, maxBytes }: RequestCacheOptions<T> = {},
): RequestCache<T> => {
  const byteBound = maxBytes === undefined ? undefined : { maxBytes, bytesOf: ({ bytes }: CacheEntry<T>) => bytes };
  const entries = createBoundedMap<CacheEntry<T>>(MAX_ENTRIES, ({ expiresAt }) => expiresAt <= clock(), byteBound);

  const bytesOf = (outcome: Outcome<T>): number =>
    byteBound === undefined ? 0 : BYTES_PER_CHARACTER * JSON.stringify(outcome).length;

  const remove = (key: string, entry: CacheEntry<T>): void => {
    if (entries.get(key) === entry) entries.delete(key);
  };

  const isCached = (key: string): boolean => (entries.get(key)?.expiresAt ?? NEVER) < NEVER;

  const useOf = (key: string): CacheUse => {
    if (entries.get(key) === undefined) return 'miss';
    return isCached(key) ? 'hit' : 'joined';
  };

  const joinOrCall = (request: CachedCall<T>): Promise<Outcome<T>> => {
    const { key, deadline, call } = request;
    if (maxMilliseconds === 0) return call();
    const cached = entries.get(key);
    if (cached !== undefined) {
      const hasMoreTime = elapsed(cached.deadline, deadline) >= RETRY_MARGIN_MILLISECONDS;
      const canSucceedNow = (outcome: Outcome<T>): boolean =>
        outcome.kind === 'down' && (hasMoreTime || outcome.isStarved === true);
      return cached.result.then((outcome) => (canSucceedNow(outcome) ? joinOrCall(request) : outcome));
    }
    const result = (async () => call())();
    const entry: CacheEntry<T> = { result, deadline, expiresAt: NEVER, bytes: 0 };
    entries.set(key, entry);
    entry.result.then(
      (outcome) => {
        const isKept = outcome.kind !== 'found' || mayKeep(outcome.value);
        const milliseconds = isKept ? Math.min(lifetime(outcome), maxMilliseconds) : 0;
        const bytes = milliseconds === 0 ? 0 : bytesOf(outcome);
        if (milliseconds === 0 || bytes > (maxBytes ?? bytes)) remove(key, entry);
        else if (bytes === 0) entry.expiresAt = later(clock(), milliseconds);
        else if (entries.get(key) === entry)
          entries.set(key, { ...entry, bytes, expiresAt: later(clock(), milliseconds) });
      },
      () => remove(key, entry), // the callers that wait for the result get the rejection
    );
    return entry.result;
  };

  return async (request) => {
    const { key, requester } = request;
    if (requester !== undefined && !isCached(key)) await requester.admit();
    requester?.recordCacheUse?.(useOf(key));
    return joinOrCall(request);
  };
};
