// Names the canary of each kind of query of the official API. Each endpoint is a kind, because X limits it separately. Most
// lists have no canary, because X bills every row.
import type { QueryKind } from '../../contract/query-kinds.ts';
import type { QueryKinds } from '../json-client.ts';
import type { Canaries } from '../provider.ts';

type Kind = QueryKind<'x_api'>;

export const xApiQueryKinds = (baseUrl: string, { post, profile }: Canaries): QueryKinds<Kind> => {
  const canaryPaths: Readonly<Record<Kind, string | undefined>> = {
    '/2/tweets/{id}': `/2/tweets/${post}`,
    '/2/tweets': `/2/tweets?ids=${post}`,
    '/2/tweets/search/recent': `/2/tweets/search/recent?query=from%3A${profile}&max_results=10`,
    '/2/tweets/{id}/quote_tweets': undefined,
    '/2/tweets/{id}/retweeted_by': undefined,
    '/2/users/by/username/{username}': `/2/users/by/username/${profile}`,
    '/2/users/{id}': undefined,
    '/2/users/{id}/tweets': undefined,
    '/2/users/{id}/followers': undefined,
    '/2/users/{id}/following': undefined,
  };
  return {
    canaryUrlOf(kind) {
      const path = canaryPaths[kind];
      return path === undefined ? undefined : `${baseUrl}${path}`;
    },
  };
};
