// Tests the kinds of query: each has its own breaker, and its canary is a query of the same kind.
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/conversation.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import { fxTwitterQueryKinds } from '../../../shared/upstream/fxtwitter/query-kinds.ts';
import type { CallBudget } from '../../../shared/upstream/json-client.ts';
import type { Provider, ProviderOptions } from '../../../shared/upstream/provider.ts';
import { createXApi } from '../../../shared/upstream/x-api/provider.ts';
import { xApiQueryKinds } from '../../../shared/upstream/x-api/query-kinds.ts';

const NOW = Date.parse('2026-08-25T00:00:00Z');
const BASE = 'https://provider.example';
const CANARIES = { post: '20', profile: 'X' };
const PAGE = { size: 20 };
const ID = '2028036267832246272';

type Read = (provider: Provider, budget: CallBudget) => Promise<Outcome<unknown>> | undefined;
type Reads = Readonly<Record<string, Read>>;

const readAlone = (id: string): Read => {
  return ({ readPost }, budget): Promise<Outcome<Conversation>> | undefined =>
    readPost?.({ id, thread: 'off', replies: 'off' }, budget);
};

const timeline =
  (kind: 'posts' | 'replies' | 'media' | 'articles', until?: number): Read =>
  ({ listPosts }, budget) =>
    listPosts?.({ list: 'posts', handle: 'ada', kind, ...(until !== undefined && { until }) }, PAGE, budget);

const follows =
  (list: 'followers' | 'following'): Read =>
  ({ listFollows }, budget) =>
    listFollows?.({ list, handle: 'ada' }, { ...PAGE, cursor: '7:T' }, budget);

const lists: Reads = {
  quotes: ({ listQuotes }, budget) => listQuotes?.({ list: 'quotes', id: ID }, PAGE, budget),
  reposts: ({ listReposts }, budget) => listReposts?.({ list: 'reposts', id: ID }, PAGE, budget),
  followers: follows('followers'),
  following: follows('following'),
};

const search: Read = ({ searchPosts }, budget) =>
  searchPosts?.({ list: 'search', query: 'tide /2/profile/a/media', feed: 'latest' }, PAGE, budget);

const profile: Read = ({ readProfile }, budget) => readProfile?.('ada', budget);

const replies: Read = ({ listReplies }, budget) =>
  listReplies?.(
    { list: 'replies', id: ID, order: 'recent' },
    { ...PAGE, cursor: 'conversation|ada|20|9|5|0|||T' },
    budget,
  );

/** Sends one read to a provider without an answer. @returns the URLs of its requests */
const urlsOf = async (create: (options: ProviderOptions) => Provider, read: Read): Promise<readonly string[]> => {
  const urls: string[] = [];
  const provider = create({
    baseUrl: BASE,
    source: 'test',
    clock: () => NOW,
    http: {
      get: async (url) => {
        urls.push(url);
        return { kind: 'down', why: 'no answer' };
      },
    },
  });
  await read(provider, { deadline: NOW + 8000, retries: 0, caller: 'ada' });
  return urls;
};

const urlOf = async (create: (options: ProviderOptions) => Provider, read: Read): Promise<string> =>
  (await urlsOf(create, read))[0] ?? 'no request';

describe('the kinds of query of FxTwitter', () => {
  const { kindOf, canaryUrlOf } = fxTwitterQueryKinds(BASE, CANARIES);
  const reads: Reads = {
    ...lists,
    status: readAlone(ID),
    conversation: replies,
    about: profile,
    search,
    statuses: timeline('posts'),
    'statuses with replies': timeline('replies'),
    media: timeline('media'),
    articles: timeline('articles'),
    typeahead: ({ searchUsers }, budget) => searchUsers?.({ list: 'users', query: 'tide' }, PAGE, budget),
  };

  test.each(Object.entries(reads))('%s have their kind, and the canary has it too', async (kind, read) => {
    expect(kindOf(await urlOf(createFxTwitter, read))).toBe(kind);
    const canary = canaryUrlOf(kind);
    expect(canary?.startsWith(`${BASE}/2/`)).toBe(true);
    expect(kindOf(canary ?? '')).toBe(kind);
  });

  test('a profile without an answer is requested again without the query about the account', async () => {
    const urls = await urlsOf(createFxTwitter, profile);
    expect(urls).toEqual([`${BASE}/2/profile/ada?about_account=1`, `${BASE}/2/profile/ada`]);
    expect(urls.map(kindOf)).toEqual(['about', 'profile']);
    expect(canaryUrlOf('profile')).toBe(`${BASE}/2/profile/${CANARIES.profile}`);
  });

  test('posts before an instant are searched for', async () => {
    expect(kindOf(await urlOf(createFxTwitter, timeline('media', NOW - 1)))).toBe('search');
  });

  test('an unknown kind has no canary', () => {
    expect(kindOf(`${BASE}/2/trends`)).toBe('other');
    expect(canaryUrlOf('other')).toBeUndefined();
  });
});

describe('the kinds of query of the official API', () => {
  const { kindOf, canaryUrlOf } = xApiQueryKinds(BASE, CANARIES);
  const paged =
    (read: Provider['listPosts']): Read =>
    (_, budget) =>
      read?.({ list: 'posts', handle: 'ada', kind: 'posts' }, { ...PAGE, cursor: '7:T' }, budget);

  test.each<readonly [string, Read]>([
    ['/2/tweets/{id}', readAlone(ID)],
    ['/2/users/by/username/{username}', profile],
    ['/2/users/{id}', ({ readProfile }, budget) => readProfile?.('id:12', budget)],
    ['/2/tweets/search/recent', search],
    ['/2/tweets/{id}/quote_tweets', lists['quotes'] ?? search],
    ['/2/tweets/{id}/retweeted_by', lists['reposts'] ?? search],
    ['/2/users/{id}/followers', follows('followers')],
    ['/2/users/{id}/following', follows('following')],
    ['/2/users/{id}/tweets', (provider, budget) => paged(provider.listPosts)(provider, budget)],
    [
      '/2/tweets',
      (provider, budget) =>
        Promise.all(['20', '21'].map((id) => readAlone(id)(provider, budget))).then(
          ([first]) => first ?? { kind: 'ambiguous' },
        ),
    ],
  ])('%s is a kind of its own', async (kind, read) => {
    expect(kindOf(await urlOf(createXApi, read))).toBe(kind);
  });

  test.each([
    ['/2/tweets/{id}', '/2/tweets/20'],
    ['/2/tweets', '/2/tweets?ids=20'],
    ['/2/users/by/username/{username}', '/2/users/by/username/X'],
    ['/2/tweets/search/recent', '/2/tweets/search/recent?query=from%3AX&max_results=10'],
  ])('the canary of %s is of this kind', (kind, path) => {
    expect(canaryUrlOf(kind)).toBe(`${BASE}${path}`);
    expect(kindOf(`${BASE}${path}`)).toBe(kind);
  });

  test.each([
    '/2/tweets/{id}/quote_tweets',
    '/2/tweets/{id}/retweeted_by',
    '/2/users/{id}/tweets',
    '/2/users/{id}/followers',
  ])('%s has no canary, because X bills every row', (kind) => expect(canaryUrlOf(kind)).toBeUndefined());
});
