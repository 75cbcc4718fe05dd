// Lists the kinds of query of each provider: the values of the dimension `kind`. No text of a caller or of a provider can
// add one.
import type { ProviderName } from './providers.ts';

export const queryKinds = {
  fxtwitter: [
    'quotes',
    'reposts',
    'status',
    'conversation',
    'statuses with replies',
    'statuses',
    'media',
    'articles',
    'followers',
    'following',
    'about',
    'profile',
    'search',
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
  ],
} as const satisfies Readonly<Record<ProviderName, readonly string[]>>;

export type QueryKind<Name extends ProviderName> = (typeof queryKinds)[Name][number];
