// Verifies an API key against the key store (requirements: keys). No verification is cached: every request reads the
// store, so that a change by the operator holds for the next request.
//
// Unknown keys. A client that invents keys would cause a read for each of them, and take the time of the store from other
// callers. So a client network may present 30 unknown keys in 60 s, per instance. Requests whose reads could exceed the
// bound wait in order, and each of them is resumed once. Until the 60 s end, a key that the store did not have within the
// last 60 s stays invalid for this network, and any other key that this instance does not know is over the bound: it is not
// read, because it may be valid as well as invented. A key that was found is known, whatever its state: it is read for every
// request, from every network, also for the requests that waited while it was unknown.
//
// A request waits no longer than its deadline: each read ends by the deadline of its request, and requests that came
// earlier have earlier deadlines. After its deadline a request ends without a read.
import type { Allowance } from '../contract/allowances.ts';
import { later, type Monotonic } from '../model/time.ts';
import type { ApiKeyReader, ApiKeyRecord } from '../ports/stores.ts';
import type { Clock, Deadline } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';
import type { StoreGuard } from '../stores/store-guard.ts';

const ATTEMPTS = 2;
/** The unknown keys that a client network may present to an instance. */
export const UNKNOWN_KEYS: Allowance = { count: 30, seconds: 60 };
const PERIOD_MILLISECONDS = UNKNOWN_KEYS.seconds * 1000;
const MAX_REMEMBERED = 10_000;

/**
 * `unverified`: the store did not answer within 2 attempts or by the deadline. `over_bound`: the key was not read, because
 * the network has presented too many unknown keys; it is read again from `until`.
 */
export type KeyVerification =
  | { readonly status: 'valid'; readonly key: ApiKeyRecord }
  | { readonly status: 'invalid' | 'unverified' }
  | { readonly status: 'over_bound'; readonly until: Monotonic };

/**
 * Never rejects.
 *
 * @param hash SHA-256 of the key in lower-case hexadecimal
 * @param identity hash of the client network
 */
export type VerifyApiKey = (hash: string, identity: string, deadline: Deadline) => Promise<KeyVerification>;

interface WaitingRequest {
  readonly hash: string;
  readonly deadline: Deadline;
  readonly resolve: (verification: Promise<KeyVerification> | KeyVerification) => void;
}

/** The keys that a client network presents and that this instance does not know. */
interface UnknownKeys {
  count: number;
  /** The reads that have not ended. */
  reading: number;
  readonly waiting: WaitingRequest[];
  readonly endsAt: Monotonic;
}

export const createApiKeyVerifier = (keys: ApiKeyReader, guard: StoreGuard, clock: Clock): VerifyApiKey => {
  const known = createBoundedMap<true>(MAX_REMEMBERED);
  /**
   * When the store did not have a key. They are apart from `known`, or invented keys would evict known keys. They expire,
   * because a key can come back with a restored table.
   */
  const absent = createBoundedMap<Monotonic>(MAX_REMEMBERED, (at) => later(at, PERIOD_MILLISECONDS) <= clock());
  const unknown = createBoundedMap<UnknownKeys>(MAX_REMEMBERED, ({ endsAt }) => endsAt <= clock());

  const read = async (hash: string, deadline: Deadline, counted?: UnknownKeys): Promise<KeyVerification> => {
    const result = await guard((signal) => keys.read(hash, signal), { deadline, attempts: ATTEMPTS });
    if (!result.ok) return { status: 'unverified' };
    const key = result.value;
    if (key !== undefined) {
      known.set(hash, true);
      absent.delete(hash);
    } else {
      known.delete(hash);
      absent.set(hash, clock());
      if (counted !== undefined) counted.count += 1;
    }
    return key?.state === 'enabled' ? { status: 'valid', key } : { status: 'invalid' };
  };

  const unknownKeysOf = (identity: string): UnknownKeys => {
    const current = unknown.get(identity) ?? {
      count: 0,
      reading: 0,
      waiting: [],
      endsAt: later(clock(), PERIOD_MILLISECONDS),
    };
    unknown.set(identity, current);
    return current;
  };

  const withoutRead = (hash: string, { endsAt }: UnknownKeys): KeyVerification =>
    absent.get(hash) === undefined ? { status: 'over_bound', until: endsAt } : { status: 'invalid' };

  const readCounted = async (hash: string, deadline: Deadline, counted: UnknownKeys): Promise<KeyVerification> => {
    counted.reading += 1;
    try {
      return await read(hash, deadline, counted);
    } finally {
      counted.reading -= 1;
      resume(counted);
    }
  };

  /** Resumes the waiting requests in order, until a read could exceed the bound. */
  const resume = (counted: UnknownKeys): void => {
    const { waiting } = counted;
    while (counted.count >= UNKNOWN_KEYS.count || counted.count + counted.reading < UNKNOWN_KEYS.count) {
      const next = waiting.shift();
      if (next === undefined) return;
      const { hash, deadline, resolve } = next;
      if (known.get(hash)) resolve(read(hash, deadline));
      else if (counted.count >= UNKNOWN_KEYS.count) resolve(withoutRead(hash, counted));
      else resolve(readCounted(hash, deadline, counted));
    }
  };

  return async (hash, identity, deadline) => {
    if (known.get(hash)) return read(hash, deadline);
    const counted = unknownKeysOf(identity);
    const { promise, resolve } = Promise.withResolvers<KeyVerification>();
    counted.waiting.push({ hash, deadline, resolve });
    resume(counted);
    return promise;
  };
};
