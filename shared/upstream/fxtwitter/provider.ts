// Creates the provider for the FxTwitter API v2.
import { queryString } from '../../contract/query-string.ts';
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import type { PostListRequest, UserListRequest } from '../../ports/upstream.ts';
import { withPartWarnings } from '../media.ts';
import type { Provider, ProviderOptions, ReadPage } from '../provider.ts';
import { MIN_ID_DIGITS } from './conversation-response.ts';
import { LIST, listIn, pageParameters, posts, readPage, SEARCH, suggestedUsers, users } from './list-response.ts';
import { createConversationReader } from './read-conversation.ts';
import { createProfileReader } from './read-profile.ts';
import { createRepliesReader } from './read-replies.ts';
import { createTimelineReader } from './read-timeline.ts';

/** Pages of X have about 20 items. For more, FxTwitter calls X several times. */
const PAGE_SIZES = [20, 100] as const;

export interface FxTwitter extends Required<Provider> {
  readPosts(request: PostListRequest): ReadPage<Post>;
  readUsers(request: UserListRequest): ReadPage<User>;
}

/** Reads a list of a post, if FxTwitter accepts its id. */
const ofPost =
  <T>(id: string, read: ReadPage<T>): ReadPage<T> =>
  async (page, budget) =>
    id.length < MIN_ID_DIGITS ? { kind: 'ambiguous' } : read(page, budget);

export const createFxTwitter = (options: ProviderOptions<'fxtwitter'>): FxTwitter => {
  const base = `${options.baseUrl}/2`;
  const readTimeline = createTimelineReader(options);
  const readReplies = createRepliesReader(options);
  return withPartWarnings<FxTwitter>({
    pageSize: (requested) => PAGE_SIZES.find((size) => requested <= size) ?? 100,
    readPost: createConversationReader(options),
    readProfile: createProfileReader(options),
    readPosts(request) {
      switch (request.list) {
        case 'posts':
          return (page, budget) => readTimeline(request, page, budget);
        case 'replies':
          return (page, budget) => readReplies(request, page, budget);
        case 'search':
          return (page, budget) => {
            const { query, feed } = request;
            const url = `${base}/search?${queryString({ q: query, feed, ...pageParameters(page) })}`;
            const read = listIn('results', posts(options.clock()));
            return readPage(options, { kind: 'search', url }, budget, read, SEARCH);
          };
        case 'quotes': // latest first; FxTwitter searches for them
          return ofPost(request.id, (page, budget) => {
            const url = `${base}/status/${request.id}/quotes?${queryString(pageParameters(page))}`;
            const read = listIn('results', posts(options.clock()));
            return readPage(options, { kind: 'quotes', url }, budget, read, LIST);
          });
        default:
          return request satisfies never;
      }
    },
    readUsers(request) {
      switch (request.list) {
        case 'followers':
        case 'following':
          return (page, budget) => {
            const { list: kind, handle } = request;
            const url = `${base}/profile/${handle}/${kind}?${queryString(pageParameters(page))}`;
            return readPage(options, { kind, url }, budget, listIn('results', users), LIST);
          };
        case 'users': // the accounts that X suggests during typing: a short list with one page
          return (_page, budget) => {
            const url = `${base}/typeahead?${queryString({ q: request.query, result_type: 'users' })}`;
            return readPage(options, { kind: 'typeahead', url }, budget, listIn('users', suggestedUsers), SEARCH);
          };
        case 'reposts': // X lists the latest ones only
          return ofPost(request.id, (page, budget) => {
            const url = `${base}/status/${request.id}/reposts?${queryString(pageParameters(page))}`;
            return readPage(options, { kind: 'reposts', url }, budget, listIn('results', users), LIST);
          });
        default:
          return request satisfies never;
      }
    },
  });
};
