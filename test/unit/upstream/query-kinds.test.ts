// Tests the kinds of query: each has its own breaker, and its canary is a query of the same kind.
import { describe, expect, test } from 'vitest';
import { type QueryKind, queryKinds } from '../../../shared/contract/providers.ts';
import type { TimelineKind } from '../../../shared/model/lists.ts';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import { fxTwitterQueryKinds } from '../../../shared/upstream/fxtwitter/requests.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import type { CallBudget, Query } from '../../../shared/upstream/json-client.ts';
import type { Provider } from '../../../shared/upstream/provider.ts';
import { xApiQueryKinds } from '../../../shared/upstream/x-api/client.ts';
import { createXApi } from '../../../shared/upstream/x-api/provider.ts';
import { readingAt } from '../../support/clocks.ts';
import { BASE_URL, type ListRequest, providerCalling, readList } from '../../support/provider-calls.ts';

const NOW = Date.parse('2026-08-25T00:00:00Z');
const CANARIES = { post: '20', profile: 'X' };
const ID = '2028036267832246272';

type Read = (provider: Provider, budget: CallBudget) => Promise<Outcome<unknown>> | undefined;

const readAlone = (id: string): Read => {
  return ({ readPost }, budget): Promise<Outcome<Conversation>> | undefined =>
    readPost?.({ id, thread: 'off', replies: 'off' }, budget);
};

const listed =
  (request: ListRequest, cursor?: string): Read =>
  (provider, budget) =>
    readList(provider, request, { size: 20, ...(cursor !== undefined && { cursor }) }, budget);

const timeline = (kind: TimelineKind, until?: number): Read =>
  listed({ list: 'posts', handle: 'ada', kind, ...(until !== undefined && { until }) });

const lists: Readonly<Record<'quotes' | 'reposts' | 'followers' | 'following', Read>> = {
  quotes: listed({ list: 'quotes', id: ID }),
  reposts: listed({ list: 'reposts', id: ID }),
  followers: listed({ list: 'followers', handle: 'ada' }, '7:T'),
  following: listed({ list: 'following', handle: 'ada' }, '7:T'),
};

const search = listed({ list: 'search', query: 'tide /2/profile/a/media', feed: 'latest' });

const profile: Read = ({ readProfile }, budget) => readProfile?.('ada', budget);

const replies = listed({ list: 'replies', id: ID, order: 'recent' }, 'conversation|ada|20|9|5|0|||T');

/** Sends one read to a provider without an answer. @returns its queries */
const queriesOf = async (create: typeof createFxTwitter | typeof createXApi, read: Read): Promise<readonly Query[]> => {
  const queries: Query[] = [];
  const answer = (_: URL, query: Query): FetchResult => {
    queries.push(query);
    return { kind: 'down', why: 'no answer' };
  };
  const provider = providerCalling<Provider>(create, answer, NOW);
  await read(provider, { deadline: readingAt(NOW + 8000), calls: { retries: 0, caller: 'ada' } });
  return queries;
};

/** Replaces ids and handles in the path of a URL. */
const endpointOf = (url: string | undefined): string =>
  new URL(url ?? '').pathname.replaceAll(
    /(?<=\/(?:status|conversation|tweets|profile|username)\/)(?!search)[^/]+/g,
    '*',
  );

describe('the kinds of query of FxTwitter', () => {
  const { canaryUrlOf } = fxTwitterQueryKinds(BASE_URL, CANARIES);
  const reads: Readonly<Record<Exclude<QueryKind<'fxtwitter'>, 'profile' | 'typeahead'>, Read>> = {
    ...lists,
    status: readAlone(ID),
    conversation: replies,
    translation: ({ translatePost }, budget) => translatePost?.({ id: ID, lang: 'de' }, budget),
    about: profile,
    search,
    statuses: timeline('posts'),
    'statuses with replies': timeline('replies'),
    media: timeline('media'),
    articles: timeline('articles'),
    users: listed({ list: 'users', query: 'tide' }),
  };
  const kinds = queryKinds.fxtwitter.filter((kind) => kind !== 'profile' && kind !== 'typeahead');

  test.each(kinds)('%s have their kind, and the canary requests the same endpoint', async (kind) => {
    const [query] = await queriesOf(createFxTwitter, reads[kind]);
    expect(query?.kind).toBe(kind);
    expect(endpointOf(canaryUrlOf(kind))).toBe(endpointOf(query?.url));
    for (const parameter of ['with_replies', 'about_account'])
      expect(canaryUrlOf(kind)?.includes(parameter)).toBe(query?.url.includes(parameter));
  });

  test('a profile without an answer is requested again without the query about the account', async () => {
    expect(await queriesOf(createFxTwitter, profile)).toEqual([
      { kind: 'about', url: `${BASE_URL}/2/profile/ada?about_account=1` },
      { kind: 'profile', url: `${BASE_URL}/2/profile/ada` },
    ]);
    expect(canaryUrlOf('profile')).toBe(`${BASE_URL}/2/profile/${CANARIES.profile}`);
  });

  test('a search for accounts without an answer asks for suggestions', async () => {
    const queries = await queriesOf(createFxTwitter, reads.users);
    expect(queries.map(({ kind, url }) => [kind, url])).toEqual([
      ['users', `${BASE_URL}/2/search/users?q=tide`],
      ['typeahead', `${BASE_URL}/2/typeahead?q=tide&result_type=users`],
    ]);
    expect(endpointOf(canaryUrlOf('typeahead'))).toBe('/2/typeahead');
  });

  test('a thread is the same query of X as a conversation', async () => {
    const queries = await queriesOf(createFxTwitter, ({ readPost }, budget) =>
      readPost?.({ id: ID, thread: 'full', replies: 'top' }, budget),
    );
    expect(queries.map(({ kind, url }) => [kind, endpointOf(url).split('/')[2]])).toEqual([
      ['conversation', 'conversation'],
      ['conversation', 'thread'],
    ]);
  });
});

describe('the kinds of query of the official API', () => {
  const { canaryUrlOf } = xApiQueryKinds(BASE_URL, CANARIES);
  const reads: Readonly<Record<QueryKind<'x_api'>, Read>> = {
    '/2/tweets/{id}': readAlone(ID),
    '/2/users/by/username/{username}': profile,
    '/2/users/{id}': ({ readProfile }, budget) => readProfile?.('id:12', budget),
    '/2/tweets/search/recent': search,
    '/2/tweets/{id}/quote_tweets': lists.quotes,
    '/2/tweets/{id}/retweeted_by': lists.reposts,
    '/2/users/{id}/followers': lists.followers,
    '/2/users/{id}/following': lists.following,
    '/2/users/{id}/tweets': listed({ list: 'posts', handle: 'ada', kind: 'posts' }, '7:T'),
    '/2/lists/{id}/tweets': listed({ list: 'list of X', listId: ID }),
    '/2/tweets': (provider, budget) =>
      Promise.all(['20', '21'].map((id) => readAlone(id)(provider, budget))).then(
        ([first]) => first ?? { kind: 'ambiguous' },
      ),
  };

  test.each(queryKinds.x_api)('%s is a kind of its own', async (kind) => {
    const [query] = await queriesOf(createXApi, reads[kind]);
    expect(query?.kind).toBe(kind);
    expect(query?.url.slice(BASE_URL.length).replace(/\?.*/s, '')).toMatch(
      new RegExp(`^${kind.replace(/\{\w+\}/, '[0-9a-z]+')}$`),
    );
  });

  test.each([
    ['/2/tweets/{id}', '/2/tweets/20'],
    ['/2/tweets', '/2/tweets?ids=20'],
    ['/2/users/by/username/{username}', '/2/users/by/username/X'],
    ['/2/tweets/search/recent', '/2/tweets/search/recent?query=from%3AX&max_results=10'],
  ] as const)('the canary of %s is of this kind', (kind, path) => {
    expect(canaryUrlOf(kind)).toBe(`${BASE_URL}${path}`);
  });

  test.each(['/2/tweets/{id}/quote_tweets', '/2/users/{id}/tweets'] as const)(
    '%s has no canary, because X bills every row',
    (kind) => expect(canaryUrlOf(kind)).toBeUndefined(),
  );
});
