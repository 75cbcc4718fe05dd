// Creates the providers and the upstream port.
//
// For each capability the providers that have it form a fallback, in the operator's order of preference. A provider is
// created once for each of its base URLs, with a JSON client of its own, which has breakers, bulkheads and retry budgets per
// kind of query. A request cache stands before each fallback, but for lists (list-reader.ts): it coalesces equal requests and
// keeps results for `cacheMilliseconds`. Each request of a caller has one budget: the deadline of the use case and at most one retry for all
// of its provider calls.
//
// All methods return outcomes and reject only with the Problem of the requester. A result that the caller's own calls held
// up is not cached, because other callers would have got a complete result.
import type { ProviderName, QueryKind } from '../contract/providers.ts';
import { entriesOf, isTombstone } from '../model/conversation.ts';
import type { Translation } from '../model/post.ts';
import type { Conversation } from '../model/resources.ts';
import type { User } from '../model/user.ts';
import type { PaidRows } from '../ports/stores.ts';
import type { Deadline, WallClock } from '../ports/system.ts';
import type { Outcome, PostRequest, Requester, TranslationRequest, Upstream } from '../ports/upstream.ts';
import { type ClientLimits, PRODUCTION_LIMITS } from './client-limits.ts';
import {
  catchErrors,
  createCanary,
  createFallback,
  type FallbackSource,
  markAsFallback,
  type ProviderCall,
} from './fallback.ts';
import { createFreshness } from './freshness.ts';
import { createFxTwitter } from './fxtwitter/provider.ts';
import { fxTwitterQueryKinds } from './fxtwitter/requests.ts';
import { type CallBudget, createJsonClient, type QueryKinds, STARVED } from './json-client.ts';
import { cacheBytes, createListReader, type ListOptions, type NamedProvider } from './list-reader.ts';
import type { Canaries, Provider, ProviderOptions } from './provider.ts';
import { createRequestCache, type RequestCache } from './request-cache.ts';
import { createSyndication, syndicationQueryKinds } from './syndication/provider.ts';
import { meterRows, xApiQueryKinds } from './x-api/client.ts';
import { createXApi } from './x-api/provider.ts';

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
  /** At least one: servers with the same API, which are called alike. */
  readonly baseUrls: readonly string[];
  /** The name of the source in bodies. */
  readonly source: string;
  /** Sent as Bearer token. */
  readonly token?: string | undefined;
  /** The ceiling of the rows that X bills; only for `x_api`. @default none */
  readonly paidRows?: PaidRows | undefined;
}

export interface UpstreamOptions extends ListOptions {
  /** In order of preference. */
  readonly providers: readonly ProviderConfig[];
  /** Id of a post that is known to exist. */
  readonly canaryPost: string;
  /** Handle of a profile that is known to exist. */
  readonly canaryProfile: string;
  /** Handle of an account that posts many times a day. @default none: no source is taken for frozen */
  readonly freshnessProfile?: string | undefined;
  readonly userAgent: string;
  /** No translation is requested. @default false */
  readonly isUntranslated?: boolean | undefined;
  readonly wall: WallClock;
  /** @default each limit of PRODUCTION_LIMITS */
  readonly limits?: Partial<ClientLimits>;
}

/**
 * An unknown profile is `absent` as soon as the canary is found, without a second provider. This time bounds the error:
 * an outage that starts after the canary was found is reported as `absent` for at most 3 s.
 */
const PROFILE_FOUND_MILLISECONDS = 3000;

/**
 * Puts a cache before a call to providers. A found result that the caller's own calls held up is replaced, so that it is neither
 * cached nor shared.
 */
const cachedCall =
  <Request, T>(
    cache: RequestCache<T>,
    keyOf: (request: Request) => string,
    call: ProviderCall<Request, T>,
    retries = 1,
  ): ((request: Request, deadline: Deadline, requester?: Requester) => Promise<Outcome<T>>) =>
  (request, deadline, requester) =>
    cache({
      key: keyOf(request),
      deadline,
      requester,
      async call() {
        const budget: CallBudget = {
          deadline,
          calls: { retries, caller: requester?.caller, record: requester?.recordCall },
        };
        const outcome = await call(request, budget);
        return budget.calls.isStarved && outcome.kind === 'found' ? STARVED : outcome;
      },
    });

const isSinglePost = ({ thread, replies }: PostRequest): boolean => thread === 'off' && replies === 'off';

/** The key does not contain the number of thread posts, because the use case limits the thread afterwards. */
const postCacheKey = (request: PostRequest): string => {
  const { id, thread, replies, lang } = request;
  const key = `${id} ${thread === 'off' ? 'post' : 'thread'} ${replies}`;
  return lang === undefined || isSinglePost(request) ? key : `${key} ${lang}`;
};

/** The cache keeps 100 conversations, so this bounds it to about 100 MB. */
const MAX_KEPT_CHARACTERS = 500_000;

/** Beside it are six other caches. */
const POSTS_SHARE = 2 / 5;

const isSmall = (conversation: Conversation): boolean => {
  let characters = 0;
  for (const entry of entriesOf(conversation)) {
    if (!isTombstone(entry)) characters += entry.text.length + (entry.article?.markdown?.length ?? 0);
  }
  return characters <= MAX_KEPT_CHARACTERS;
};

/** The providers at each of their base URLs, without fallback, cache and canaries of their outcomes. */
export const createProviders = (
  options: UpstreamOptions,
  limits: ClientLimits = { ...PRODUCTION_LIMITS, ...options.limits },
): readonly NamedProvider[] => {
  const { clock, wall, log, random, userAgent, freshnessProfile } = options;
  const canaries: Canaries = { post: options.canaryPost, profile: options.canaryProfile };
  const timeOfDay = () => wall.now();
  return options.providers.flatMap(({ name, baseUrls, source, token, paidRows }) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const factory = factories[name];
    const wrapSender = paidRows && meterRows(paidRows, clock);
    const freshness = freshnessProfile === undefined ? undefined : createFreshness(freshnessProfile, timeOfDay);
    return baseUrls.map((baseUrl): NamedProvider => {
      const queryKinds = factory.queryKinds(baseUrl, canaries);
      const shared = { source: name, userAgent, headers, queryKinds, clock, wall, log, random, limits };
      const http = createJsonClient({ ...shared, wrapSender });
      const provider = factory.create({ baseUrl, source, http, clock: timeOfDay, paidRows, freshness });
      return { name, ...(baseUrls.length > 1 && { address: new URL(baseUrl).host }), provider };
    });
  });
};

/** The providers that have a method, each with its canary. */
const sourcesOf = <Request, T>(
  providers: readonly NamedProvider[],
  methodOf: (provider: Provider) => ProviderCall<Request, T> | undefined,
  canary: Request,
  { clock, log }: UpstreamOptions,
  { attemptMilliseconds }: ClientLimits,
  foundMilliseconds?: number,
): readonly FallbackSource<Request, T>[] =>
  providers.flatMap(({ name, provider }) => {
    const method = methodOf(provider);
    if (method === undefined) return [];
    const call = catchErrors(method, log);
    const options = { clock, attemptMilliseconds, foundMilliseconds };
    return [{ provider: name, call, canary: createCanary((budget) => call(canary, budget), options) }];
  });

export const createUpstream = (options: UpstreamOptions): Upstream => {
  const { clock, log, cacheMilliseconds, random } = options;
  const maxBytes = cacheBytes(options);
  const postCacheOptions = { mayKeep: isSmall, maxBytes: cacheBytes(options, POSTS_SHARE) };
  const limits = { ...PRODUCTION_LIMITS, ...options.limits };
  const providers = createProviders(options, limits);

  /** The canary is read by the same kind of query as the post. */
  const postFallback = (parts: Pick<PostRequest, 'thread' | 'replies'>): ProviderCall<PostRequest, Conversation> =>
    createFallback(
      sourcesOf(providers, ({ readPost }) => readPost, { id: options.canaryPost, ...parts }, options, limits),
      'post',
      random,
    );
  const callForPost = postFallback({ thread: 'off', replies: 'off' });
  const callForConversation = postFallback({ thread: 'full', replies: 'off' });
  const translators = providers.flatMap(({ name, provider: { translatePost } }) =>
    translatePost === undefined || options.isUntranslated
      ? []
      : [{ provider: name, call: catchErrors(translatePost, log) }],
  );
  const profileSources = sourcesOf(
    providers,
    ({ readProfile }) => readProfile,
    options.canaryProfile,
    options,
    limits,
    PROFILE_FOUND_MILLISECONDS,
  );
  // Fallback for posts adds no warning here, because each provider warns about the parts that it lacks.
  const markedSources = profileSources.map((source) =>
    source.provider === profileSources[0]?.provider ? source : { ...source, call: markAsFallback(source.call) },
  );
  const callProfileProviders = createFallback(markedSources, 'profile', random);
  const listPostsOf = (ordered: readonly NamedProvider[]): Upstream['listPosts'] =>
    createListReader(ordered, (provider, request) => provider.listPosts?.(request), options);
  const listPosts = listPostsOf(providers);
  // X has lists; for another provider, a search stands in.
  const xFirst = providers.toSorted((a, b) => Number(b.name === 'x_api') - Number(a.name === 'x_api'));
  const readXList = listPostsOf(xFirst);
  const readPostOrThread = cachedCall(
    createRequestCache(clock, cacheMilliseconds, postCacheOptions),
    postCacheKey,
    (request, budget) => (isSinglePost(request) ? callForPost : callForConversation)(request, budget),
  );
  // Apart, because one tree of a conversation has up to 30: they would displace the posts of a third of the readers.
  const readExcerpt = cachedCall(
    createRequestCache<Conversation>(clock, cacheMilliseconds, { mayKeep: isSmall, maxBytes }),
    postCacheKey,
    callForConversation,
  );
  return {
    readPost: (request, ...rest) => (request.isExcerpt ? readExcerpt : readPostOrThread)(request, ...rest),
    ...(translators.length > 0 && {
      translatePost: cachedCall(
        createRequestCache<Translation>(clock, cacheMilliseconds, { maxBytes }),
        ({ id, lang }: TranslationRequest) => `${id} ${lang}`,
        createFallback(translators, 'list', random),
        0,
      ),
    }),
    readProfile: cachedCall(
      createRequestCache<User>(clock, cacheMilliseconds, { maxBytes }),
      (name) => name.toLowerCase(),
      callProfileProviders,
    ),
    listPosts: (request, ...rest) => (request.list === 'list of X' ? readXList : listPosts)(request, ...rest),
    listUsers: createListReader(providers, (provider, request) => provider.listUsers?.(request), options),
  };
};
