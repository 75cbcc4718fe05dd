// Lists the providers, in the default order of preference, with what they can be asked, and the cost of each read of the
// official API. Settings and environment variables are derived from these tables.
import { DAY_MILLISECONDS } from '../model/instant-text.ts';

// Lists the kinds of query of each provider: the values of the dimension `kind`. No text of a caller or of a provider can
// add one.

export const queryKinds = {
  fxtwitter: [
    'quotes',
    'reposts',
    'status',
    'conversation',
    'translation',
    'statuses with replies',
    'statuses',
    'media',
    'articles',
    'followers',
    'following',
    'about',
    'profile',
    'search',
    'users',
    'typeahead',
  ],
  syndication: ['post'],
  x_api: [
    '/2/tweets/{id}',
    '/2/tweets',
    '/2/tweets/search/recent',
    '/2/tweets/{id}/quote_tweets',
    '/2/tweets/{id}/retweeted_by',
    '/2/users/by/username/{username}',
    '/2/users/{id}',
    '/2/users/{id}/tweets',
    '/2/users/{id}/followers',
    '/2/users/{id}/following',
    '/2/lists/{id}/tweets',
  ],
} as const satisfies Readonly<Record<ProviderName, readonly string[]>>;

export type QueryKind<Name extends ProviderName> = (typeof queryKinds)[Name][number];

export interface ProviderRow {
  /** Name of the environment variable with the base URL. */
  readonly variable: string;
  /** Name of the operator's setting of the base URL. */
  readonly setting: string;
  /** The default base URL. */
  readonly baseUrl: string;
  /** The path of the post `{id}` and the media types of its response. They tell the provider from another server. */
  readonly probe: { readonly path: string; readonly types: readonly string[] };
  /** A provider with a secret is called only if the operator lists the provider. */
  readonly secret?: {
    /** Name of the environment variable with the secret. */
    readonly variable: string;
    /** Name of the operator's setting: the name of a secret in Secrets Manager. */
    readonly setting: 'xApiTokenSecret';
    /** Name of the operator's setting that increases when the secret has a new value. */
    readonly versionSetting: 'xApiTokenVersion';
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
    // The response for an unknown post is an HTML page.
    probe: { path: '/tweet-result?id={id}', types: ['application/json', 'text/html'] },
  },
  x_api: {
    variable: 'X_API_BASE_URL',
    setting: 'xApiBaseUrl',
    baseUrl: 'https://api.x.com',
    // Without a token the response is a 401 with one of these types.
    probe: { path: '/2/tweets/{id}', types: ['application/json', 'application/problem+json'] },
    secret: { variable: 'X_API_BEARER_TOKEN', setting: 'xApiTokenSecret', versionSetting: 'xApiTokenVersion' },
  },
} as const satisfies Readonly<Record<string, ProviderRow>>;

export type ProviderName = keyof typeof providers;

export const MAX_BASE_URLS = 10;

export const isProviderName = (name: string): name is ProviderName => Object.hasOwn(providers, name);

export const providerNames: readonly ProviderName[] = Object.keys(providers).filter(isProviderName);

export const providerRow = (name: ProviderName): ProviderRow => providers[name];

/** The providers of a deployment that sets none, in order of preference. */
export const defaultProviders: readonly ProviderName[] = providerNames.filter(
  (name) => providerRow(name).secret === undefined,
);

// Lists the cost of each read of the official API, for operators. X bills every returned row, and the same post or account
// once per day (UTC). It also limits the requests of each endpoint.

/** In US dollars, as documented in 2026. */
export const X_API_PRICES = { post: 0.005, user: 0.01 } as const;

export interface ReadCost {
  readonly read: string;
  /** The requests of the first page, or of the whole read if it has no pages. */
  readonly requests: number;
  /** The requests of a later page; unset: the read has no pages. */
  readonly laterRequests?: number;
  readonly row: keyof typeof X_API_PRICES;
  /** The least and the most rows that a request for rows returns, if X has as many. */
  readonly rows: readonly [least: number, most: number];
  /** Rows that are billed, but not part of an answer. */
  readonly unused?: string;
}

export const xApiCosts = {
  post: { read: 'a post alone', requests: 1, row: 'post', rows: [1, 1] },
  posts: { read: 'several posts at the same moment', requests: 1, row: 'post', rows: [1, 100] },
  profile: { read: 'a profile', requests: 1, row: 'user', rows: [1, 1] },
  timeline: {
    read: 'posts, or posts and replies, of a profile',
    requests: 2,
    laterRequests: 1,
    row: 'post',
    rows: [5, 100],
  },
  selectedTimeline: {
    read: 'media or articles of a profile',
    requests: 2,
    laterRequests: 1,
    row: 'post',
    rows: [5, 100],
    unused: 'posts of other kinds',
  },
  follows: { read: 'followers or followed accounts', requests: 2, laterRequests: 1, row: 'user', rows: [1, 1000] },
  search: { read: 'a search', requests: 1, laterRequests: 1, row: 'post', rows: [10, 100] },
  replies: {
    read: 'replies of a post',
    requests: 2,
    laterRequests: 1,
    row: 'post',
    rows: [10, 100],
    unused: 'the post, parts of its thread, and answers to other posts of the conversation',
  },
  xList: { read: 'a list of X', requests: 1, laterRequests: 1, row: 'post', rows: [1, 100] },
  quotes: { read: 'quotes of a post', requests: 1, laterRequests: 1, row: 'post', rows: [10, 100] },
  reposts: { read: 'reposts of a post', requests: 1, laterRequests: 1, row: 'user', rows: [1, 100] },
} as const satisfies Readonly<Record<string, ReadCost>>;

/** The partition of the counters table with the billed rows, one item per day. */
export const paidRowsPartition = 'rows#x_api';

/** @returns the day (UTC) of an instant, in milliseconds since the epoch */
export const paidRowsDay = (now: number): { readonly startsAt: number; readonly endsAt: number } => {
  const startsAt = Math.floor(now / DAY_MILLISECONDS) * DAY_MILLISECONDS;
  return { startsAt, endsAt: startsAt + DAY_MILLISECONDS };
};

/** The ceiling of rows that may be billed per day (UTC); 0: no ceiling. A page of 20 posts has 20 rows. */
export const paidRowsSetting = { variable: 'X_API_DAILY_ROWS', setting: 'xApiDailyRows', preset: '2000' } as const;
