// Creates apps with small allowances, test keys and recording stores, for tests of charges and denials.
import { parseList } from 'structured-headers';
import { expect } from 'vitest';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import { buildAllowances } from '../../shared/contract/allowances.ts';
import type { Post } from '../../shared/model/post.ts';
import type { Conversation } from '../../shared/model/resources.ts';
import type { User } from '../../shared/model/user.ts';
import type { ApiKeyReader, ApiKeyRecord, CounterStore } from '../../shared/ports/stores.ts';
import type { Clock } from '../../shared/ports/system.ts';
import type { Upstream, UpstreamPage } from '../../shared/ports/upstream.ts';
import { createMemoryCounterStore } from '../../shared/stores/memory-counter-store.ts';
import { createRequestCache } from '../../shared/upstream/request-cache.ts';
import { keyRecord, newApiKey } from './access-control.ts';
import { clocksOf } from './clocks.ts';
import { recordingStore, testClock } from './limiter.ts';
import { createTestApp, NOW, type TestAppOptions, type TestResponse, upstreamFindingAll } from './test-app.ts';

/** An upstream that charges as the real one does. @param memoryMilliseconds lifetime of cached answers */
export const chargingUpstream = (
  methods: Partial<Upstream> = {},
  clock: Clock = clocksOf(() => NOW).clock,
  memoryMilliseconds = 0,
): Upstream => {
  const upstream = { ...upstreamFindingAll, ...methods };
  const conversations = createRequestCache<Conversation>(clock, memoryMilliseconds);
  const profiles = createRequestCache<User>(clock, memoryMilliseconds);
  const posts = createRequestCache<UpstreamPage<Post>>(clock, memoryMilliseconds);
  const users = createRequestCache<UpstreamPage<User>>(clock, memoryMilliseconds);
  const key = (request: unknown): string => JSON.stringify(request);
  return {
    readPost: (request, deadline, requester) =>
      conversations({ key: key(request), deadline, requester, call: () => upstream.readPost(request, deadline) }),
    readProfile: (handle, deadline, requester) =>
      profiles({ key: handle, deadline, requester, call: () => upstream.readProfile(handle, deadline) }),
    listPosts: (request, at, deadline, requester) =>
      posts({ key: key([request, at]), deadline, requester, call: () => upstream.listPosts(request, at, deadline) }),
    listUsers: (request, at, deadline, requester) =>
      users({ key: key([request, at]), deadline, requester, call: () => upstream.listUsers(request, at, deadline) }),
  };
};

/** An upstream that counts its calls. */
export const countingUpstream = (methods: Partial<Upstream> = {}) => {
  const upstream = { ...upstreamFindingAll, ...methods };
  let calls = 0;
  const noted =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      calls += 1;
      return call(...args);
    };
  return {
    calls: () => calls,
    upstream: {
      readPost: noted(upstream.readPost),
      readProfile: noted(upstream.readProfile),
      listPosts: noted(upstream.listPosts),
      listUsers: noted(upstream.listUsers),
    } satisfies Upstream,
  };
};

/** Small enough for a test to spend. */
export const TINY_ALLOWANCES = buildAllowances({
  searchAnonymous: { count: 3, seconds: 60 },
  searchKeyed: { count: 6, seconds: 60 },
  browse: { count: 4, seconds: 60 },
});

export interface LimitedAppOptions extends Pick<TestAppOptions, 'upstream' | 'access'> {
  /** Lifetime of cached answers in milliseconds. @default 0 */
  readonly memoryMilliseconds?: number;
}

export type LimitedApp = ReturnType<typeof createLimitedApp>;

/** Creates an app with small allowances, whose clock changes only when the test moves it. */
export const createLimitedApp = ({ upstream, access, memoryMilliseconds }: LimitedAppOptions = {}) => {
  const clock = testClock(NOW);
  /** The counter store, unless the test passes another one. */
  const counters = recordingStore(createMemoryCounterStore(clock.now));
  const built = createTestApp({
    upstream: chargingUpstream(upstream, clock.clock, memoryMilliseconds),
    now: clock.now,
    access: { counters, ...access, allowances: { ...TINY_ALLOWANCES, ...access?.allowances } },
  });
  return {
    ...built,
    clock,
    counters,
    /** The statuses of `count` consecutive requests. */
    async statuses(
      count: number,
      target: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<readonly number[]> {
      const statuses: number[] = [];
      while (statuses.length < count) statuses.push((await built.get(target, { headers })).status);
      return statuses;
    },
  };
};

export const createTestKey = (members?: Partial<ApiKeyRecord>) => {
  const key = newApiKey();
  const hash = sha256Hex(key);
  let record: ApiKeyRecord | undefined = keyRecord(members);
  let reads = 0;
  return {
    key,
    hash,
    /** The headers of a request with the key. */
    headers: { authorization: `Bearer ${key}` },
    /** A store that contains only this key. */
    keys: {
      async read(requestedHash) {
        reads += 1;
        return requestedHash === hash ? record : undefined;
      },
    } satisfies ApiKeyReader,
    /** The number of store reads. */
    reads: () => reads,
    /** Changes the record as the operator does. */
    change: (changes: Partial<ApiKeyRecord>): void => {
      record = keyRecord({ ...record, ...changes });
    },
    delete: (): void => {
      record = undefined;
    },
  };
};

const touched = (): never => {
  throw new Error('a store was called');
};
/** Stores for requests that must not reach them. */
export const keyReaderNotCalled: ApiKeyReader = { read: touched };
export const counterStoreNotCalled: CounterStore = { charge: touched, refund: touched, touch: touched };

/** The edge header of a client with another IP address. */
export const viewerIp = (address: string): Readonly<Record<string, string>> => ({ 'x-viewer-ip': address });

/** Parses RateLimit or RateLimit-Policy as a client does: a List of Strings with integer parameters. */
export const parseRateLimitField = (
  { headers }: TestResponse,
  field: 'ratelimit' | 'ratelimit-policy',
): Readonly<Record<string, Readonly<Record<string, number>>>> =>
  Object.fromEntries(
    parseList(headers[field] ?? '').map(([name, parameters]) => {
      expect(name).toBeTypeOf('string');
      for (const value of parameters.values()) expect(value).toSatisfy(Number.isInteger);
      return [name, Object.fromEntries(parameters)];
    }),
  );
