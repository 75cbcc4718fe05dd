// THE provider list, and the upstream port made from it.
import type { Conversation } from '../model/conversation.ts';
import type { Clock, Log, Upstream } from '../ports.ts';
import { firstAnswer } from './first-answer.ts';
import { createFxTwitter, postPath } from './fxtwitter/provider.ts';
import { createJsonClient } from './http.ts';
import type { PostProvider } from './providers.ts';
import { createShare } from './share.ts';
import { createSyndication } from './syndication/provider.ts';

export const providerNames = ['fxtwitter', 'syndication'] as const;
export type ProviderName = (typeof providerNames)[number];

const factories = { fxtwitter: createFxTwitter, syndication: createSyndication } satisfies Record<ProviderName, unknown>;

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
}

export const createUpstream = (options: UpstreamOptions): Upstream => {
  const { clock, log, random, userAgent } = options;
  const providers = options.providers.map(({ name, baseUrl, source }): PostProvider => {
    const http = createJsonClient({ source: name, userAgent, clock, log, random });
    return factories[name]({ baseUrl, source, http, clock });
  });
  const ask = firstAnswer({ providers, canaryPost: options.canaryPost, clock });
  const share = createShare<Conversation>(clock, options.memoryMilliseconds);
  return {
    readPost: (request, deadline) => share(postPath(request), () => ask(request, { deadline, retries: 1 })),
  };
};
