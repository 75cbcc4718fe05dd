// Checks for the dashboard which providers respond, by base URL. Each is requested for the canary post, without its token.
import { type ProviderName, providers } from '../contract/providers.ts';
import { SAMPLE_SOURCE } from '../contract/sample.ts';
import { DAY_MILLISECONDS } from '../model/instant-text.ts';
import { elapsed, later, type Monotonic } from '../model/time.ts';
import type { Deadline } from '../ports/system.ts';
import type { AttemptResult, FetchResult } from './http-request.ts';
import { createJsonClient, type JsonClientOptions, type RejectedCall } from './json-client.ts';

const PROBE_MILLISECONDS = 3000;
/** Repeated checks within this time return the same result. */
const CACHE_MILLISECONDS = 20_000;
/** A provider may name any time, and dates have an end. */
const MAX_PAUSE_MILLISECONDS = 31 * DAY_MILLISECONDS;

export interface ProviderState {
  readonly name: ProviderName | typeof SAMPLE_SOURCE;
  /** The host of the base URL, if the provider has several. */
  readonly address?: string;
  /** `limited`: it answers that it gets too many calls (429). */
  readonly state: 'up' | 'limited' | 'down';
  /** The instant until which a limited provider asks for no call, if it names one. */
  readonly until?: string;
  /** The instant of the first check of this instance after which the provider did not answer any more. */
  readonly since?: string;
}

type Condition = Pick<ProviderState, 'state' | 'until' | 'since'>;

const instantOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

export interface HealthCheckOptions extends Pick<JsonClientOptions, 'userAgent' | 'clock' | 'wall' | 'log' | 'random'> {
  readonly providers: readonly { readonly name: ProviderName; readonly baseUrls: readonly string[] }[];
  /** Id of a post that is known to exist. */
  readonly canaryPost: string;
}

const mediaTypesOf = (name: ProviderName): readonly string[] => providers[name].probe.types;

/** Any status counts, because a response in the right media type shows that the provider itself responds. */
const isResponse = (fetched: FetchResult, acceptsHtml: boolean): boolean =>
  fetched.kind === 'response' && (fetched.json !== undefined || (acceptsHtml && fetched.isHtml));

/** @param previous the result of the check before @param now milliseconds since the epoch */
const conditionOf = (
  call: AttemptResult | RejectedCall,
  acceptsHtml: boolean,
  previous: Condition | undefined,
  now: number,
): Condition => {
  const down = { state: 'down', since: previous?.since ?? instantOf(now) } as const;
  // After a failure the client pauses, so there is nothing new.
  if ('why' in call) return previous === undefined || previous.state === 'up' ? down : previous;
  const { fetched, status, retryAfter } = call;
  if (isResponse(fetched, acceptsHtml)) return { state: 'up' };
  if (status !== 429) return down;
  const pause = retryAfter === undefined ? undefined : Math.min(retryAfter, MAX_PAUSE_MILLISECONDS);
  return { state: 'limited', ...(pause !== undefined && { until: instantOf(now + pause) }) };
};

/** The providers are not used: their answers are bundled. */
export const sampleCheck = async (): Promise<readonly ProviderState[]> => [{ name: SAMPLE_SOURCE, state: 'up' }];

/** Never rejects. */
export const createHealthCheck = ({
  providers: configured,
  canaryPost,
  ...shared
}: HealthCheckOptions): (() => Promise<readonly ProviderState[]>) => {
  const servers = configured.flatMap(({ name, baseUrls: all }) =>
    all.map((baseUrl) => ({ name, baseUrl, ...(all.length > 1 && { address: new URL(baseUrl).host }) })),
  );
  const clients = servers.map(({ name, baseUrl, ...address }) => ({
    name,
    address,
    acceptsHtml: mediaTypesOf(name).includes('text/html'),
    url: `${baseUrl}${providers[name].probe.path.replace('{id}', canaryPost)}`,
    http: createJsonClient({ source: name, role: 'health_check', ...shared }),
  }));
  const { clock, wall } = shared;
  const conditions = new Map<string, Condition>();
  const checkAll = (deadline: Deadline) =>
    Promise.all(
      clients.map(async ({ name, address, acceptsHtml, url, http }): Promise<ProviderState> => {
        const call = await http.send({ kind: 'any', url }, { deadline, calls: { retries: 0 } });
        const condition = conditionOf(call, acceptsHtml, conditions.get(url), wall.now());
        conditions.set(url, condition);
        return { name, ...address, ...condition };
      }),
    );
  let last: { readonly at: Monotonic; readonly states: Promise<readonly ProviderState[]> } | undefined;
  return () => {
    const now = clock();
    if (last === undefined || elapsed(last.at, now) >= CACHE_MILLISECONDS) {
      last = { at: now, states: checkAll(later(now, PROBE_MILLISECONDS)) };
    }
    return last.states;
  };
};
