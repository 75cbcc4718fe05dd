// How each provider is made, and the upstream port made of them: for each capability the providers that have it, in the
// operator's order.
import type { ProviderName } from '../contract/providers.ts';
import type { Conversation } from '../model/conversation.ts';
import type { User } from '../model/user.ts';
import type { Clock, Log } from '../ports/system.ts';
import type { Outcome, PostRequest, Upstream } from '../ports/upstream.ts';
import { createCanary } from './canary.ts';
import { catchErrors, createFallback, type FallbackSource, markAsFallback, type ProviderCall } from './fallback.ts';
import { createFxTwitter } from './fxtwitter/provider.ts';
import { fxTwitterQueryKinds } from './fxtwitter/query-kinds.ts';
import {
  type CallBudget,
  type ClientLimits,
  createJsonClient,
  PRODUCTION_LIMITS,
  type QueryKinds,
  STARVED,
} from './json-client.ts';
import { createListReaders, type NamedProvider } from './list-readers.ts';
import type { Canaries, Provider, ProviderOptions } from './provider.ts';
import { createRequestCache } from './request-cache.ts';
import { createSyndication, syndicationQueryKinds } from './syndication/provider.ts';
import { createXApi, xApiQueryKinds } from './x-api/provider.ts';

interface Factory {
  create(options: ProviderOptions): Provider;
  queryKinds(baseUrl: string, canaries: Canaries): QueryKinds;
}

const factories: Readonly<Record<ProviderName, Factory>> = {
  fxtwitter: { create: createFxTwitter, queryKinds: fxTwitterQueryKinds },
  syndication: { create: createSyndication, queryKinds: syndicationQueryKinds },
  x_api: { create: createXApi, queryKinds: xApiQueryKinds },
};

export interface ProviderConfig {
  readonly name: ProviderName;
  readonly baseUrl: string;
  readonly source: string;
  /** Sent as a Bearer token. */
  readonly token?: string | undefined;
}

export interface UpstreamOptions {
  /** In order of preference. */
  readonly providers: readonly ProviderConfig[];
  /** Id of a post that is known to exist. */
  readonly canaryPost: string;
  /** Handle of a profile that is known to exist. */
  readonly canaryProfile: string;
  readonly userAgent: string;
  /** How long answers are remembered; 0 turns memory and sharing off. */
  readonly cacheMilliseconds: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** @default PRODUCTION_LIMITS, each */
  readonly limits?: Partial<ClientLimits>;
}

/**
 * A profile that is not found is absent as soon as its canary is found: no second source says so too. An outage that
 * begins meanwhile is taken for absence for no longer than this.
 */
const PROFILE_FOUND_MILLISECONDS = 3000;

/** What came of a read that the caller's own calls held up is not kept, and not shared: others would have had it whole. */
const unlessStarved = async <Request, T>(
  ask: ProviderCall<Request, T>,
  request: Request,
  budget: CallBudget,
): Promise<Outcome<T>> => {
  const outcome = await ask(request, budget);
  return budget.isStarved && outcome.kind === 'found' ? STARVED : outcome;
};

/** Callers who want the same; how much of a thread is cut from the whole later on. */
const postCacheKey = ({ id, thread, replies }: PostRequest): string =>
  `${id} ${thread === 'off' ? 'post' : 'thread'} ${replies}`;

const createProviders = (options: UpstreamOptions, limits: ClientLimits): readonly NamedProvider[] => {
  const { clock, log, random, userAgent } = options;
  const canaries: Canaries = { post: options.canaryPost, profile: options.canaryProfile };
  return options.providers.map(({ name, baseUrl, source, token }) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const factory = factories[name];
    const queryKinds = factory.queryKinds(baseUrl, canaries);
    const http = createJsonClient({ source: name, userAgent, headers, queryKinds, clock, log, random, limits });
    return { name, provider: factory.create({ baseUrl, source, http, clock }) };
  });
};

/** Those that have it, each with something that it is known to find. */
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
      const ask = catchErrors(method, log);
      const options = { clock, attemptMilliseconds, foundMilliseconds };
      return { call: ask, canary: createCanary((budget) => ask(canary, budget), options) };
    });

export const createUpstream = (options: UpstreamOptions): Upstream => {
  const { clock, log, cacheMilliseconds } = options;
  const limits = { ...PRODUCTION_LIMITS, ...options.limits };
  const providers = createProviders(options, limits);
  const share = <T>() => createRequestCache<T>(clock, cacheMilliseconds);

  const canaryPost: PostRequest = { id: options.canaryPost, thread: 'off', replies: 'off' };
  const postReaders = providers.map(({ provider }) => provider.readPost);
  const askPost = createFallback(sourcesOf(postReaders, canaryPost, options, limits), 'post');
  const sharePost = share<Conversation>();
  const profileReaders = providers.map(({ provider }) => provider.readProfile);
  const profileSources = sourcesOf(profileReaders, options.canaryProfile, options, limits, PROFILE_FOUND_MILLISECONDS);
  const [preferred, ...others] = profileSources;
  // What a later source lacks of a post it says itself.
  const standIns = others.map((source) => ({ ...source, call: markAsFallback(source.call) }));
  const askProfile = createFallback(preferred === undefined ? [] : [preferred, ...standIns], 'profile');
  const shareProfile = share<User>();
  return {
    readPost: (request, deadline, requester) =>
      sharePost({
        key: postCacheKey(request),
        deadline,
        admit: requester?.admit,
        ask: () => unlessStarved(askPost, request, { deadline, retries: 1, caller: requester?.caller }),
      }),
    readProfile: (handle, deadline, requester) =>
      shareProfile({
        key: handle.toLowerCase(),
        deadline,
        admit: requester?.admit,
        ask: () => unlessStarved(askProfile, handle, { deadline, retries: 1, caller: requester?.caller }),
      }),
    ...createListReaders(providers, { clock, log, memoryMilliseconds: cacheMilliseconds }),
  };
};
