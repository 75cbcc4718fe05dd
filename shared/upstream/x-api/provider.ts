// Creates the provider for the official X API v2, with the token of the operator. X bills every returned row, so only rows
// that are part of an answer are requested.
import { warning } from '../../contract/warnings.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { User } from '../../model/user.ts';
import { idOfName, isNamed, type UserName } from '../../model/user-name.ts';
import type { FailedOutcome, Outcome } from '../../ports/upstream.ts';
import type { CallBudget } from '../json-client.ts';
import { withPartWarnings } from '../media.ts';
import type { Provider, ProviderOptions } from '../provider.ts';
import { createXApiClient } from './client.ts';
import { mapPosts, readListPage, rowCount } from './list-page.ts';
import { mapUser } from './map-user.ts';
import { POST_PARAMETERS, USER_PARAMETERS } from './parameters.ts';
import { createPostReader } from './read-post.ts';
import { createPostListReaders } from './read-post-lists.ts';
import { createProfileListReaders } from './read-profile-lists.ts';
import { outcomeWithoutData } from './response.ts';

/** The maximum length of a query, including operators that the provider adds. */
const MAX_QUERY_CHARACTERS = 512;

const userOf = (body: JsonRecord, name: UserName): User | FailedOutcome => {
  const data = asRecord(body['data']);
  if (data === undefined) return outcomeWithoutData(body, idOfName(name) ?? name);
  const user = mapUser(data);
  return user !== undefined && isNamed(user, name) ? user : { kind: 'failed', why: 'wrong profile' };
};

/** @param options the client must send the token of the operator */
export const createXApi = (options: ProviderOptions): Provider => {
  const client = createXApiClient(options);

  const readProfile = async (name: UserName, budget: CallBudget): Promise<Outcome<User>> => {
    const id = idOfName(name);
    const path = id === undefined ? `/2/users/by/username/${name}` : `/2/users/${id}`;
    const answer = await client.get(path, USER_PARAMETERS, budget);
    if (answer.kind !== 'body') return answer;
    const user = userOf(answer.body, name);
    return 'kind' in user ? user : client.found(user, client.clock());
  };

  return withPartWarnings<Provider>({
    readProfile,
    readPost: createPostReader(client),
    ...createProfileListReaders(client, readProfile),
    ...createPostListReaders(client),
    async searchPosts({ query, feed }, { cursor: token, size }, budget) {
      const fullQuery = feed === 'media' ? `(${query}) has:media` : query;
      if (fullQuery.length > MAX_QUERY_CHARACTERS)
        return { kind: 'refused', why: `a search of more than ${MAX_QUERY_CHARACTERS} characters` };
      const parameters = {
        ...POST_PARAMETERS,
        query: fullQuery,
        sort_order: feed === 'top' ? 'relevancy' : 'recency',
        max_results: rowCount(size, 10, 100),
      };
      return readListPage(
        client,
        {
          path: '/2/tweets/search/recent',
          parameters,
          tokenParameter: 'next_token',
          token,
          badRequest: 'refused',
          mapItems: mapPosts,
          warnings: [warning('recent_only')],
        },
        budget,
      );
    },
  });
};
