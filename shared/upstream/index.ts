// How each provider is made, and the upstream port made of them.
import type { ProviderName } from '../contract/providers.ts';
import type { Conversation } from '../model/conversation.ts';
import type { Clock, Log, PostRequest, Upstream } from '../ports.ts';
import { firstAnswer } from './first-answer.ts';
import { createFxTwitter } from './fxtwitter/provider.ts';
import { createJsonClient, type Limits, PRODUCTION_LIMITS } from './http.ts';
import type { PostProvider } from './providers.ts';
import { createShare } from './share.ts';
import { createSyndication } from './syndication/provider.ts';

const factories = { fxtwitter: createFxTwitter, syndication: createSyndication } satisfies Record<
  ProviderName,
  unknown
>;

export interface UpstreamOptions {
  /** In order of preference. */
  readonly providers: readonly { readonly name: ProviderName; readonly baseUrl: string; readonly source: string }[];
  readonly canaryPost: string;
  readonly userAgent: string;
  /** How long answers are remembered; 0 turns memory and sharing off. */
  readonly memoryMilliseconds: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** @default PRODUCTION_LIMITS, each */
  readonly limits?: Partial<Limits>;
}

/** Callers who want the same; how much of a thread is cut from the whole later on. */
const shareKey = ({ id, thread, replies }: PostRequest): string =>
  `${id} ${thread === 'off' ? 'post' : 'thread'} ${replies}`;

export const createUpstream = (options: UpstreamOptions): Upstream => {
  const { clock, log, random, userAgent, canaryPost } = options;
  const limits = { ...PRODUCTION_LIMITS, ...options.limits };
  const providers = options.providers.map(({ name, baseUrl, source }): PostProvider => {
    const http = createJsonClient({ source: name, userAgent, clock, log, random, limits });
    return factories[name]({ baseUrl, source, http, clock });
  });
  const ask = firstAnswer({ providers, canaryPost, attemptMilliseconds: limits.attemptMilliseconds, clock, log });
  const share = createShare<Conversation>(clock, options.memoryMilliseconds);
  return {
    readPost: (request, deadline) => share(shareKey(request), () => ask(request, { deadline, retries: 1 })),
  };
};
