// Creates the provider for the official X API v2, with the token of the operator. X bills every returned row, so only rows
// that are part of an answer are requested.
import { idOfName, isNamed, type UserName } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import type { FailedOutcome, Outcome, PostListRequest } from '../../ports/upstream.ts';
import { withPartWarnings } from '../attachments.ts';
import type { CallBudget } from '../json-client.ts';
import type { Provider, ProviderOptions, ReadPage } from '../provider.ts';
import { createXApiClient, outcomeWithoutData, USER_PARAMETERS, type XApiQuery } from './client.ts';
import { mapUser } from './map-post.ts';
import { createListReaders } from './read-lists.ts';
import { createPostReader } from './read-post.ts';

const userOf = (body: JsonRecord, name: UserName): User | FailedOutcome => {
  const data = asRecord(body['data']);
  if (data === undefined) return outcomeWithoutData(body, idOfName(name) ?? name);
  const user = mapUser(data);
  return user !== undefined && isNamed(user, name) ? user : { kind: 'failed', why: 'wrong profile' };
};

export interface XApi extends Required<Omit<Provider, 'pageSize' | 'translatePost'>> {
  readPosts(request: PostListRequest): ReadPage<Post>;
}

/** @param options the client must send the token of the operator */
export const createXApi = (options: ProviderOptions<'x_api'>): XApi => {
  const client = createXApiClient(options);

  const readProfile = async (name: UserName, budget: CallBudget): Promise<Outcome<User>> => {
    const id = idOfName(name);
    const query: XApiQuery =
      id === undefined ? { kind: '/2/users/by/username/{username}', id: name } : { kind: '/2/users/{id}', id };
    const answer = await client.get(query, USER_PARAMETERS, budget);
    if (answer.kind !== 'body') return answer;
    const user = userOf(answer.body, name);
    return 'kind' in user ? user : client.found(user, client.clock());
  };

  return withPartWarnings<XApi>({
    readProfile,
    readPost: createPostReader(client),
    ...createListReaders(client, readProfile),
  });
};
