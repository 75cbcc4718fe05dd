// Reads lists from FxTwitter: follows, searches, and the quotes and reposts of a post.
import { queryString } from '../../contract/query-string.ts';
import type { Provider, ProviderOptions } from '../provider.ts';
import { MIN_ID_DIGITS } from './conversation-response.ts';
import { LIST, listIn, pageParameters, posts, readPage, SEARCH, suggestedUsers, users } from './list-response.ts';

export const createFollowsReader =
  (options: ProviderOptions): NonNullable<Provider['listFollows']> =>
  async ({ list: name, handle }, page, budget) => {
    const url = `${options.baseUrl}/2/profile/${handle}/${name}?${queryString(pageParameters(page))}`;
    return readPage(options, url, budget, listIn('results', users), LIST);
  };

export const createPostSearcher =
  (options: ProviderOptions): NonNullable<Provider['searchPosts']> =>
  async ({ query, feed }, page, budget) => {
    const url = `${options.baseUrl}/2/search?${queryString({ q: query, feed, ...pageParameters(page) })}`;
    return readPage(options, url, budget, listIn('results', posts(options.clock())), SEARCH);
  };

/** Reads the accounts that X suggests during typing. The list is short and has one page. */
export const createUserSearcher =
  (options: ProviderOptions): NonNullable<Provider['searchUsers']> =>
  async ({ query }, _page, budget) => {
    const url = `${options.baseUrl}/2/typeahead?${queryString({ q: query, result_type: 'users' })}`;
    return readPage(options, url, budget, listIn('users', suggestedUsers), SEARCH);
  };

/** Reads the quotes of a post, latest first. FxTwitter searches for them. */
export const createQuotesReader =
  (options: ProviderOptions): NonNullable<Provider['listQuotes']> =>
  async ({ id }, page, budget) => {
    if (id.length < MIN_ID_DIGITS) return { kind: 'ambiguous' };
    const url = `${options.baseUrl}/2/status/${id}/quotes?${queryString(pageParameters(page))}`;
    return readPage(options, url, budget, listIn('results', posts(options.clock())), LIST);
  };

/** Reads the accounts that reposted a post. X lists the latest ones only. */
export const createRepostsReader =
  (options: ProviderOptions): NonNullable<Provider['listReposts']> =>
  async ({ id }, page, budget) => {
    if (id.length < MIN_ID_DIGITS) return { kind: 'ambiguous' };
    const url = `${options.baseUrl}/2/status/${id}/reposts?${queryString(pageParameters(page))}`;
    return readPage(options, url, budget, listIn('results', users), LIST);
  };
