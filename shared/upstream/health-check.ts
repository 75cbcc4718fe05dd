// Checks for the dashboard which providers respond, by base URL. Each is requested for the canary post, without its token.
import { type ProviderBaseUrl, type ProviderName, providers } from '../contract/providers.ts';
import { SAMPLE_SOURCE } from '../contract/sample.ts';
import type { Deadline } from '../ports/system.ts';
import type { FetchResult } from './http-request.ts';
import { createJsonClient, type JsonClientOptions } from './json-client.ts';

const PROBE_MILLISECONDS = 3000;
/** Repeated checks within this time return the same result. */
const CACHE_MILLISECONDS = 20_000;

export interface ProviderState {
  readonly name: ProviderName | typeof SAMPLE_SOURCE;
  /** The host of the base URL, if the provider has several. */
  readonly address?: string;
  readonly state: 'up' | 'down';
}

export interface HealthCheckOptions extends Pick<JsonClientOptions, 'userAgent' | 'clock' | 'wall' | 'log' | 'random'> {
  readonly providers: readonly { readonly name: ProviderName; readonly baseUrls: readonly ProviderBaseUrl[] }[];
  /** Id of a post that is known to exist. */
  readonly canaryPost: string;
}

const mediaTypesOf = (name: ProviderName): readonly string[] => providers[name].probe.types;

/** Any status counts, because a response in the right media type shows that the provider itself responds. */
const isResponse = (fetched: FetchResult, acceptsHtml: boolean): boolean =>
  fetched.kind === 'response' && (fetched.json !== undefined || (acceptsHtml && fetched.isHtml));

/** The providers are not used: their answers are bundled. */
export const sampleCheck = async (): Promise<readonly ProviderState[]> => [{ name: SAMPLE_SOURCE, state: 'up' }];

/** Never rejects. */
export const createHealthCheck = ({
  providers: configured,
  canaryPost,
  ...shared
}: HealthCheckOptions): (() => Promise<readonly ProviderState[]>) => {
  const servers = configured.flatMap(({ name, baseUrls: all }) =>
    all.map(({ baseUrl }) => ({ name, baseUrl, ...(all.length > 1 && { address: new URL(baseUrl).host }) })),
  );
  const clients = servers.map(({ name, baseUrl, ...address }) => ({
    name,
    address,
    acceptsHtml: mediaTypesOf(name).includes('text/html'),
    url: `${baseUrl}${providers[name].probe.path.replace('{id}', canaryPost)}`,
    http: createJsonClient({ source: name, role: 'health_check', ...shared }),
  }));
  const checkAll = (deadline: Deadline) =>
    Promise.all(
      clients.map(async ({ name, address, acceptsHtml, url, http }): Promise<ProviderState> => {
        const fetched = await http.get({ kind: 'any', url }, { deadline, calls: { retries: 0 } });
        return { name, ...address, state: isResponse(fetched, acceptsHtml) ? 'up' : 'down' };
      }),
    );
  let last: { readonly at: number; readonly states: Promise<readonly ProviderState[]> } | undefined;
  return () => {
    const now = shared.clock();
    if (last === undefined || now - last.at >= CACHE_MILLISECONDS) {
      last = { at: now, states: checkAll(now + PROBE_MILLISECONDS) };
    }
    return last.states;
  };
};
