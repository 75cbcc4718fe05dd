// Whether providers answer at all, for the operator: each is asked for something that is there, without its token.
import { type ProviderName, providers } from '../contract/providers.ts';
import type { Clock, Deadline, Log } from '../ports/system.ts';
import type { FetchResult } from './http-request.ts';
import { createJsonClient } from './json-client.ts';

const PROBE_MILLISECONDS = 3000;
/** Whoever looks again sooner is told the same. */
const CACHE_MILLISECONDS = 20_000;

export interface ProviderState {
  readonly name: ProviderName;
  readonly state: 'up' | 'down';
}

export interface HealthCheckOptions {
  readonly providers: readonly { readonly name: ProviderName; readonly baseUrl: string }[];
  /** Id of a post that is known to exist. */
  readonly canaryPost: string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
}

const types = (name: ProviderName): readonly string[] => providers[name].probe.types;

/** Whatever it says of what it is asked for, it is the provider who says it. */
const isAnswer = (fetched: FetchResult, mayBePage: boolean): boolean =>
  fetched.kind === 'response' && (fetched.json !== undefined || (mayBePage && fetched.isHtml));

/** Never rejects. */
export const createHealthCheck = ({
  providers: configured,
  canaryPost,
  userAgent,
  clock,
  log,
  random,
}: HealthCheckOptions): (() => Promise<readonly ProviderState[]>) => {
  const clients = configured.map(({ name, baseUrl }) => ({
    name,
    mayBePage: types(name).includes('text/html'),
    url: `${baseUrl}${providers[name].probe.path.replace('{id}', canaryPost)}`,
    http: createJsonClient({ source: name, userAgent, clock, log, random }),
  }));
  const ask = (deadline: Deadline) =>
    Promise.all(
      clients.map(async ({ name, mayBePage, url, http }): Promise<ProviderState> => {
        const fetched = await http.get(url, { deadline, retries: 0 });
        return { name, state: isAnswer(fetched, mayBePage) ? 'up' : 'down' };
      }),
    );
  let last: { readonly at: number; readonly states: Promise<readonly ProviderState[]> } | undefined;
  return () => {
    const now = clock();
    if (last === undefined || now - last.at >= CACHE_MILLISECONDS) {
      last = { at: now, states: ask(now + PROBE_MILLISECONDS) };
    }
    return last.states;
  };
};
