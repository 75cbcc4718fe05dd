// Lists the kinds of query of each provider: the values of the dimension `kind`. No text of a caller or of a provider can
// add one.
import type { ProviderName } from './providers.ts';

/** The kind of a URL that matches no other. */
export const OTHER_KIND = 'other';

export const queryKindNames: Readonly<Record<ProviderName, readonly string[]>> = {
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
    OTHER_KIND,
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
    OTHER_KIND,
  ],
};
