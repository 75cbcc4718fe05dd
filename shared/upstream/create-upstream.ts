// Creates the providers and the upstream port.
//
// For each capability the providers that have it form a fallback, in the operator's order of preference. A provider is
// created with a JSON client of its own, which has breakers, bulkheads and retry budgets per kind of query. A request cache
// stands before each fallback: it coalesces equal requests and keeps results for `cacheMilliseconds`. Each request of a
// caller has one budget: the deadline of the use case and at most one retry for all of its provider calls. A provider with
// several base URLs is called through base-urls.ts.
//
// All methods return outcomes and reject only with the Problem of the requester. A result that the caller's own calls held
// up is not cached, because other callers would have got a complete result.
import type { ProviderBaseUrl, ProviderName } from '../contract/providers.ts';
import type { QueryKind } from '../contract/query-kinds.ts';
import { isTombstone } from '../model/entries.ts';
import type { Conversation } from '../model/resources.ts';
import type { User } from '../model/user.ts';
import type { PaidRows } from '../ports/paid-rows.ts';
import type { Clock, Log, WallClock } from '../ports/system.ts';
import type { Outcome, PostRequest, Upstream } from '../ports/upstream.ts';
import { type CalledBaseUrl, createBaseUrls } from './base-urls.ts';
import { createCanary } from './canary.ts';
import { type ClientLimits, PRODUCTION_LIMITS } from './client-limits.ts';
import { catchErrors, createFallback, type FallbackSource, markAsFallback, type ProviderCall } from './fallback.ts';
import { createFxTwitter } from './fxtwitter/provider.ts';
import { fxTwitterQueryKinds } from './fxtwitter/query-kinds.ts';
import { type CallBudget, createJsonClient, type QueryKinds, STARVED } from './json-client.ts';
import { createListReader, type NamedProvider } from './list-readers.ts';
import type { Canaries, Provider, ProviderOptions } from './provider.ts';
import { createRequestCache } from './request-cache.ts';
import { createSyndication, syndicationQueryKinds } from './syndication/provider.ts';
import { meterRows } from './x-api/metered-sender.ts';
import { createXApi } from './x-api/provider.ts';
import { xApiQueryKinds } from './x-api/query-kinds.ts';

interface Factory<Name extends ProviderName> {
  create(options: ProviderOptions<Name>): Provider;
  queryKinds(baseUrl: string, canaries: Canaries): QueryKinds<QueryKind<Name>>;
}

const factories: { readonly [Name in ProviderName]: Factory<Name> } = {
  fxtwitter: { create: createFxTwitter, queryKinds: fxTwitterQueryKinds },
  syndication: { create: createSyndication, queryKinds: syndicationQueryKinds },
  x_api: { create: createXApi, queryKinds: xApiQueryKinds },
};

export interface ProviderConfig {
  readonly name: ProviderName;
  /** The only base URL. Either this or `baseUrls` is set. */
  readonly baseUrl?: string;
  /** At least one. */
  readonly baseUrls?: readonly ProviderBaseUrl[];
  /** The name of the source in bodies. */
  readonly source: string;
  /** Sent as Bearer token. */
  readonly token?: string | undefined;
  /** The ceiling of the rows that X bills; only for `x_api`. @default none */
  readonly paidRows?: PaidRows | undefined;
}

export interface UpstreamOptions {
  /** In order of preference. */
  readonly providers: readonly ProviderConfig[];
  /** Id of a post that is known to exist. */
  readonly canaryPost: string;
  /** Handle of a profile that is known to exist. */
  readonly canaryProfile: string;
  readonly userAgent: string;
  /** The longest time for which results are cached; 0 turns cache and coalescing off. */
  readonly cacheMilliseconds: number;
  readonly clock: Clock;
  readonly wall?: WallClock | undefined;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** @default each limit of PRODUCTION_LIMITS */
  readonly limits?: Partial<ClientLimits>;
}

/**
 * An unknown profile is `absent` as soon as the canary is found, without a second provider. This time bounds the error:
 * an outage that starts after the canary was found is reported as `absent` for at most 3 s.
 */
const PROFILE_FOUND_MILLISECONDS = 3000;

/** Replaces a found result that the caller's own calls held up, so that it is neither cached nor shared. */
const rejectStarved = async <Request, T>(
  call: ProviderCall<Request, T>,
  request: Request,
  budget: CallBudget,
): Promise<Outcome<T>> => {
  const outcome = await call(request, budget);
  return budget.isStarved && outcome.kind === 'found' ? STARVED : outcome;
};

/** The key does not contain the number of thread posts, because the use case limits the thread afterwards. */
const postCacheKey = ({ id, thread, replies }: PostRequest): string =>
  `${id} ${thread === 'off' ? 'post' : 'thread'} ${replies}`;

/** The cache keeps 100 conversations, so this bounds it to about 100 MB. */
const MAX_KEPT_CHARACTERS = 500_000;

const isSmall = ({ post, ancestors, thread, replies }: Conversation): boolean => {
  let characters = 0;
  for (const entry of [post, ...ancestors, ...thread, ...replies]) {
    if (!isTombstone(entry)) characters += entry.text.length + (entry.article?.markdown?.length ?? 0);
  }
  return characters <= MAX_KEPT_CHARACTERS;
};

const isSinglePost = ({ thread, replies }: PostRequest): boolean => thread === 'off' && replies === 'off';

const createProviders = (options: UpstreamOptions, limits: ClientLimits): readonly NamedProvider[] => {
  const { clock, wall = { now: clock }, log, random, userAgent } = options;
  const canaries: Canaries = { post: options.canaryPost, profile: options.canaryProfile };
  return options.providers.map(
    ({ name, baseUrl: only = '', baseUrls: rows = [{ baseUrl: only, weight: 1 }], source, token, paidRows }) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const factory = factories[name];
      const wrapSender = paidRows && meterRows(paidRows, clock);
      const baseUrls = rows.map((row): CalledBaseUrl => {
        const queryKinds = factory.queryKinds(row.baseUrl, canaries);
        const shared = { source: name, userAgent, headers, queryKinds, clock, wall, log, random, limits };
        return { ...row, client: createJsonClient({ ...shared, wrapSender }) };
      });
      const [first] = baseUrls;
      if (first === undefined) throw new Error(`${name} has no base URL`);
      const { baseUrl } = first;
      const http = baseUrls.length > 1 ? createBaseUrls(baseUrls, random) : first.client;
      return { name, provider: factory.create({ baseUrl, source, http, clock: () => wall.now(), paidRows }) };
    },
  );
};

/** The providers that have a method, each with its canary. */
const sourcesOf = <Request, T>(
  methods: readonly (ProviderCall<Request, T> | undefined)[],
  canary: Request,
  { clock, log }: UpstreamOptions,
  { attemptMilliseconds }: ClientLimits,
  foundMilliseconds?: number,
): readonly FallbackSource<Request, T>[] =>
  methods
    .filter((method) => method !== undefined)
    .map((method) => {
      const call = catchErrors(method, log);
      const options = { clock, attemptMilliseconds, foundMilliseconds };
      return { call, canary: createCanary((budget) => call(canary, budget), options) };
    });

export const createUpstream = (options: UpstreamOptions): Upstream => {
  const { clock, log, cacheMilliseconds } = options;
  const limits = { ...PRODUCTION_LIMITS, ...options.limits };
  const providers = createProviders(options, limits);

  const postReaders = providers.map(({ provider }) => provider.readPost);
  /** The canary is read by the same kind of query as the post. */
  const postFallback = (parts: Pick<PostRequest, 'thread' | 'replies'>): ProviderCall<PostRequest, Conversation> =>
    createFallback(sourcesOf(postReaders, { id: options.canaryPost, ...parts }, options, limits), 'post');
  const callForPost = postFallback({ thread: 'off', replies: 'off' });
  const callForConversation = postFallback({ thread: 'full', replies: 'off' });
  const postCache = createRequestCache<Conversation>(clock, cacheMilliseconds, isSmall);
  const profileReaders = providers.map(({ provider }) => provider.readProfile);
  const profileSources = sourcesOf(profileReaders, options.canaryProfile, options, limits, PROFILE_FOUND_MILLISECONDS);
  const [preferred, ...others] = profileSources;
  // Fallback for posts adds no warning here, because each provider warns about the parts that it lacks.
  const fallbackSources = others.map((source) => ({ ...source, call: markAsFallback(source.call) }));
  const callProfileProviders = createFallback(
    preferred === undefined ? [] : [preferred, ...fallbackSources],
    'profile',
  );
  const profileCache = createRequestCache<User>(clock, cacheMilliseconds);
  const lists = { clock, log, cacheMilliseconds };
  return {
    readPost: (request, deadline, requester) =>
      postCache({
        key: postCacheKey(request),
        deadline,
        admit: requester?.admit,
        recordCacheUse: requester?.recordCacheUse,
        call: () =>
          rejectStarved(isSinglePost(request) ? callForPost : callForConversation, request, {
            deadline,
            retries: 1,
            caller: requester?.caller,
          }),
      }),
    readProfile: (name, deadline, requester) =>
      profileCache({
        key: name.toLowerCase(),
        deadline,
        admit: requester?.admit,
        recordCacheUse: requester?.recordCacheUse,
        call: () => rejectStarved(callProfileProviders, name, { deadline, retries: 1, caller: requester?.caller }),
      }),
    listPosts: createListReader(providers, (provider, request) => provider.readPosts?.(request), lists),
    listUsers: createListReader(providers, (provider, request) => provider.readUsers?.(request), lists),
  };
};
