// Lists the kinds of query of the official API with their canaries. Each endpoint is a kind, because X limits it separately.
// Most lists have no canary, because X bills every row.
import { OTHER_KIND, queryKindNames } from '../../contract/query-kinds.ts';
import type { QueryKinds } from '../json-client.ts';
import type { Canaries } from '../provider.ts';

export const xApiQueryKinds = (baseUrl: string, { post, profile }: Canaries): QueryKinds => {
  const canaryPaths = new Map([
    ['/2/tweets/{id}', `/2/tweets/${post}`],
    ['/2/tweets', `/2/tweets?ids=${post}`],
    ['/2/users/by/username/{username}', `/2/users/by/username/${profile}`],
    ['/2/tweets/search/recent', `/2/tweets/search/recent?query=from%3A${profile}&max_results=10`],
  ]);
  return {
    kindOf(url) {
      const template = url
        .slice(baseUrl.length)
        .replace(/\?.*/s, '')
        .replace(/(?<=.)\/[0-9]+(?=\/|$)/g, '/{id}') // not the version at the start
        .replace(/(?<=\/username\/).*/, '{username}');
      return queryKindNames.x_api.includes(template) ? template : OTHER_KIND;
    },
    canaryUrlOf(kind) {
      const path = canaryPaths.get(kind);
      return path === undefined ? undefined : `${baseUrl}${path}`;
    },
  };
};
