// THE providers, those that need no secret in the default order of preference. What an operator may set and what functions are told is derived.

export interface ProviderRow {
  /** Name of the environment variable that holds its address. */
  readonly variable: string;
  /** Name of the operator's setting of the same. */
  readonly setting: string;
  /** Its address, unless another is set. */
  readonly baseUrl: string;
  /** Where it answers for the post `{id}`, and in which media types: tells it from whatever else is at that address. */
  readonly probe: { readonly path: string; readonly types: readonly string[] };
  /** What it must be given to answer at all; one that needs it is asked only where the operator lists it. */
  readonly secret?: {
    /** Name of the environment variable that holds it. */
    readonly variable: string;
    /** Name of the operator's setting: the name of a secret in Secrets Manager. */
    readonly setting: 'xApiTokenSecret';
  };
}

export const providers = {
  fxtwitter: {
    variable: 'FXTWITTER_BASE_URL',
    setting: 'fxTwitterBaseUrl',
    baseUrl: 'https://api.fxtwitter.com',
    probe: { path: '/2/status/{id}', types: ['application/json'] },
  },
  syndication: {
    variable: 'SYNDICATION_BASE_URL',
    setting: 'syndicationBaseUrl',
    baseUrl: 'https://cdn.syndication.twimg.com',
    // A post that it does not have is answered with a page.
    probe: { path: '/tweet-result?id={id}', types: ['application/json', 'text/html'] },
  },
  x_api: {
    variable: 'X_API_BASE_URL',
    setting: 'xApiBaseUrl',
    baseUrl: 'https://api.x.com',
    // Without the token it says 401, which is an answer.
    probe: { path: '/2/tweets/{id}', types: ['application/json', 'application/problem+json'] },
    secret: { variable: 'X_API_BEARER_TOKEN', setting: 'xApiTokenSecret' },
  },
} as const satisfies Readonly<Record<string, ProviderRow>>;

export type ProviderName = keyof typeof providers;

export const isProviderName = (name: string): name is ProviderName => Object.hasOwn(providers, name);

export const providerNames: readonly ProviderName[] = Object.keys(providers).filter(isProviderName);

export const providerRow = (name: ProviderName): ProviderRow => providers[name];

/** Who is asked, in this order, where the operator says nothing. */
export const defaultProviders: readonly ProviderName[] = providerNames.filter(
  (name) => providerRow(name).secret === undefined,
);
