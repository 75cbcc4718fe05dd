// Tests the requests to the official API and the outcomes of its responses.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Outcome, PostRequest } from '../../../shared/ports/upstream.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import type { Provider } from '../../../shared/upstream/provider.ts';
import { createXApi } from '../../../shared/upstream/x-api/provider.ts';

const FIXTURES = new URL('../../fixtures/x_api/', import.meta.url);
const NOW = Date.parse('2026-08-25T00:00:00Z');
const BUDGET = { deadline: NOW + 8000, retries: 0 };
const AT_ONCE: PostRequest = { id: '20', thread: 'off', replies: 'off' };

interface Exchange {
  readonly file: string;
  readonly path: string;
  readonly status: number;
}

const exchanges: readonly Exchange[] = JSON.parse(readFileSync(new URL('manifest.json', FIXTURES), 'utf8'));

const answerOf = (name: string): FetchResult => {
  const exchange = exchanges.find(({ file }) => file === `x_api/${name}.json`);
  if (exchange === undefined) throw new Error(`no fixture ${name}`);
  const json: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'));
  return { kind: 'response', status: exchange.status, json, isHtml: false };
};

/** Creates a provider with these responses and records its requests. */
const answering = (...answers: readonly (string | FetchResult)[]) => {
  const requests: URL[] = [];
  const provider = createXApi({
    baseUrl: 'http://127.0.0.1:1',
    source: 'x_api',
    clock: () => NOW,
    http: {
      get: async (url) => {
        const answer = answers[requests.length];
        if (answer === undefined) throw new Error(`one request too many: ${url}`);
        requests.push(new URL(url));
        return typeof answer === 'string' ? answerOf(answer) : answer;
      },
    },
  });
  // The provider has all methods, but in the type Provider they are optional.
  return { requests, ...(provider as Required<Omit<Provider, 'searchUsers'>>) };
};

const POST_PARAMETERS = {
  'tweet.fields':
    'created_at,author_id,conversation_id,lang,public_metrics,entities,referenced_tweets,attachments,note_tweet,article,possibly_sensitive,in_reply_to_user_id,edit_history_tweet_ids',
  'user.fields':
    'created_at,description,entities,location,profile_image_url,profile_banner_url,protected,public_metrics,url,verified,verified_type',
  'media.fields': 'url,preview_image_url,alt_text,variants,width,height,duration_ms,type',
  'poll.fields': 'options,end_datetime,voting_status',
  expansions:
    'author_id,attachments.media_keys,attachments.poll_ids,referenced_tweets.id,referenced_tweets.id.author_id,referenced_tweets.id.attachments.media_keys',
};
const USER_PARAMETERS = { 'user.fields': POST_PARAMETERS['user.fields'] };

const parametersOf = (url: URL | undefined): Record<string, string> => Object.fromEntries(url?.searchParams ?? []);
const pathsOf = (urls: readonly URL[]): string[] => urls.map(({ pathname }) => pathname);
const nextOf = (outcome: Outcome<{ readonly next?: string }>): string | undefined =>
  outcome.kind === 'found' ? outcome.value.next : outcome.kind;

describe('the requests', () => {
  test('a post takes one request with all its fields', async () => {
    const { requests, readPost } = answering('post');
    await readPost({ id: '2028036267832246272', thread: 'full', replies: 'top' }, BUDGET);
    expect(pathsOf(requests)).toEqual(['/2/tweets/2028036267832246272']);
    expect(parametersOf(requests[0])).toEqual(POST_PARAMETERS);
  });

  test('a profile takes one request', async () => {
    const { requests, readProfile } = answering('user');
    await readProfile('ada_larsson', BUDGET);
    expect(pathsOf(requests)).toEqual(['/2/users/by/username/ada_larsson']);
    expect(parametersOf(requests[0])).toEqual(USER_PARAMETERS);
  });

  test('the first page of posts takes a request for the id of the author and one for the posts', async () => {
    const { requests, listPosts } = answering('user', 'timeline_p1');
    await listPosts({ list: 'posts', kind: 'posts', handle: 'ada_larsson' }, { size: 20 }, BUDGET);
    expect(pathsOf(requests)).toEqual(['/2/users/by/username/ada_larsson', '/2/users/2201001/tweets']);
    expect(parametersOf(requests[1])).toEqual({
      ...POST_PARAMETERS,
      exclude: 'retweets,replies',
      max_results: '20',
    });
  });

  test.each(['followers', 'following'] as const)(
    'the first page of %s requests exactly as many accounts as are returned',
    async (list) => {
      const { requests, listFollows } = answering('user', 'followers_p1');
      await listFollows({ list, handle: 'ada_larsson' }, { size: 7 }, BUDGET);
      expect(pathsOf(requests)).toEqual(['/2/users/by/username/ada_larsson', `/2/users/2201001/${list}`]);
      expect(parametersOf(requests[1])).toEqual({ ...USER_PARAMETERS, max_results: '7' });
    },
  );

  test.each([
    ['posts', 1, '5'],
    ['posts', 5, '5'],
    ['posts', 100, '100'],
    ['posts', 101, '100'],
    ['followers', 1, '1'],
    ['followers', 1000, '1000'],
    ['followers', 1001, '1000'],
    ['search', 1, '10'],
    ['search', 10, '10'],
    ['search', 100, '100'],
    ['search', 101, '100'],
  ] as const)('of %s, where %i are wanted: %s', async (list, size, expected) => {
    const { requests, listPosts, listFollows, searchPosts } = answering('timeline_p2');
    if (list === 'posts') await listPosts({ list, kind: 'posts', handle: 'ada' }, { size, cursor: '1:T' }, BUDGET);
    else if (list === 'followers') await listFollows({ list, handle: 'ada' }, { size, cursor: '1:T' }, BUDGET);
    else await searchPosts({ list, query: 'tide', feed: 'latest' }, { size }, BUDGET);
    expect(requests[0]?.searchParams.get('max_results')).toBe(expected);
  });

  test.each([
    ['latest', 'tide & ebb', 'tide & ebb', 'recency'],
    ['top', 'tide #now', 'tide #now', 'relevancy'],
    ['media', 'tide OR ebb', '(tide OR ebb) has:media', 'recency'],
  ] as const)('a search in %s', async (feed, query, words, order) => {
    const { requests, searchPosts } = answering('search_recent');
    await searchPosts({ list: 'search', query, feed }, { size: 20 }, BUDGET);
    expect(pathsOf(requests)).toEqual(['/2/tweets/search/recent']);
    expect(parametersOf(requests[0])).toEqual({
      ...POST_PARAMETERS,
      query: words,
      sort_order: order,
      max_results: '20',
    });
  });

  test('a search with a lone surrogate gives a valid request', async () => {
    const { requests, searchPosts } = answering('search_empty');
    await searchPosts({ list: 'search', query: 'a\ud83d', feed: 'latest' }, { size: 20 }, BUDGET);
    expect(requests[0]?.searchParams.get('query')).toBe('a\ufffd');
  });

  test.each([
    ['latest', 512],
    ['top', 512],
    ['media', 500],
  ] as const)('a search in %s of more than %i characters is no request', async (feed, most) => {
    const { requests, searchPosts } = answering('search_empty');
    const outcomeOf = (length: number) =>
      searchPosts({ list: 'search', query: 'x'.repeat(length), feed }, { size: 20 }, BUDGET);
    expect((await outcomeOf(most + 1)).kind).toBe('refused');
    expect(requests).toEqual([]);
    expect((await outcomeOf(most)).kind).toBe('found');
  });

  test('the provider has no search for accounts', () => {
    const { requests, ...provider } = answering();
    expect(Object.keys(provider).sort()).toEqual([
      'listFollows',
      'listPosts',
      'readPost',
      'readProfile',
      'searchPosts',
    ]);
  });
});

describe('pages', () => {
  test('the cursor of a list has the id of the owner, so the next page takes one request', async () => {
    const first = answering('user', 'followers_p1');
    const request = { list: 'followers', handle: 'ada_larsson' } as const;
    const cursor = nextOf(await first.listFollows(request, { size: 10 }, BUDGET));
    expect(cursor).toBe('2201001:NEXT123ABC');
    const second = answering('followers_p2');
    const end = nextOf(await second.listFollows(request, { size: 10, ...(cursor && { cursor }) }, BUDGET));
    expect(pathsOf(second.requests)).toEqual(['/2/users/2201001/followers']);
    expect(parametersOf(second.requests[0])).toEqual({
      ...USER_PARAMETERS,
      max_results: '10',
      pagination_token: 'NEXT123ABC',
    });
    expect(end).toBeUndefined();
  });

  test('later pages of posts take one request', async () => {
    const { requests, listPosts } = answering('user', 'timeline_p1', 'timeline_p2');
    const request = { list: 'posts', kind: 'posts', handle: 'ada_larsson' } as const;
    const cursor = nextOf(await listPosts(request, { size: 5 }, BUDGET));
    expect(cursor).toBe('2201001:7140dibdnow9c7btw482');
    const last = await listPosts(request, { size: 5, ...(cursor && { cursor }) }, BUDGET);
    expect(requests[2]?.searchParams.get('pagination_token')).toBe('7140dibdnow9c7btw482');
    expect(last).toMatchObject({ kind: 'found', value: { items: [{ text: 'The last one' }] } });
    expect(nextOf(last)).toBeUndefined();
  });

  test('later pages of a search need only the token', async () => {
    const { requests, searchPosts } = answering('search_recent', 'search_repost');
    const request = { list: 'search', query: 'tide', feed: 'latest' } as const;
    const cursor = nextOf(await searchPosts(request, { size: 10 }, BUDGET));
    expect(cursor).toBe('b26v89c19zqg8o3f');
    expect(nextOf(await searchPosts(request, { size: 10, ...(cursor && { cursor }) }, BUDGET))).toBeUndefined();
    expect(parametersOf(requests[1])).toEqual({ ...parametersOf(requests[0]), next_token: 'b26v89c19zqg8o3f' });
  });

  test('a token with colons and other characters is sent back unchanged', async () => {
    const { requests, listFollows } = answering('followers_p2');
    await listFollows({ list: 'followers', handle: 'ada' }, { size: 10, cursor: '7:a:b&c=d/ä' }, BUDGET);
    expect(pathsOf(requests)).toEqual(['/2/users/7/followers']);
    expect(requests[0]?.searchParams.get('pagination_token')).toBe('a:b&c=d/ä');
  });

  test.each(['', ':', '7', '7:', ':T', 'T', '07:T', '-1:T', '1.5:T', '../1:T', '99999999999999999999:T', 'ada:T'])(
    'the cursor "%s" is refused without a request',
    async (cursor) => {
      const { requests, listFollows, listPosts } = answering();
      const page = { size: 10, cursor };
      expect((await listFollows({ list: 'following', handle: 'ada' }, page, BUDGET)).kind).toBe('refused');
      expect((await listPosts({ list: 'posts', kind: 'posts', handle: 'ada' }, page, BUDGET)).kind).toBe('refused');
      expect(requests).toEqual([]);
    },
  );
});

describe('lists of profiles that cannot be read', () => {
  test.each([
    ['user_missing', 'nobody_at_all', { kind: 'gone', reason: 'unknown' }],
    ['user_suspended', 'spam_tower', { kind: 'gone', reason: 'suspended' }],
    ['user_protected', 'quiet_mo', { kind: 'gone', reason: 'protected' }],
    ['429', 'ada_larsson', { kind: 'down', why: 'status 429' }],
    ['401', 'ada_larsson', { kind: 'failed', why: 'status 401' }],
    ['user', 'somebody_else', { kind: 'failed', why: 'wrong profile' }],
  ] as const)('%s: nothing more is asked for', async (name, handle, outcome) => {
    const forPosts = answering(name);
    expect(await forPosts.listPosts({ list: 'posts', kind: 'posts', handle }, { size: 20 }, BUDGET)).toEqual(outcome);
    const forFollows = answering(name);
    expect(await forFollows.listFollows({ list: 'followers', handle }, { size: 20 }, BUDGET)).toEqual(outcome);
  });

  test('a list is gone when the profile became protected between two pages', async () => {
    const { listPosts } = answering('timeline_protected');
    expect(
      await listPosts({ list: 'posts', kind: 'posts', handle: 'quiet_mo' }, { size: 20, cursor: '2201004:T' }, BUDGET),
    ).toEqual({
      kind: 'gone',
      reason: 'protected',
    });
  });
});

/** Sends the request of the fixture. */
const replayed = (name: string): Promise<Outcome<unknown>> => {
  const { pathname, searchParams } = new URL(
    exchanges.find(({ file }) => file === `x_api/${name}.json`)?.path ?? '',
    'http://127.0.0.1',
  );
  const provider = answering(name);
  const [, , kind, subject = '', rest = ''] = pathname.split('/');
  const page = { size: 20, cursor: `${subject}:${searchParams.get('pagination_token') ?? 'T'}` };
  if (subject === 'search')
    return provider.searchPosts({ list: 'search', query: 'tide', feed: 'latest' }, { size: 20 }, BUDGET);
  if (kind === 'tweets') return provider.readPost({ ...AT_ONCE, id: subject }, BUDGET);
  if (subject === 'by') return provider.readProfile(pathname.split('/')[5] ?? '', BUDGET);
  if (rest === 'tweets') return provider.listPosts({ list: 'posts', kind: 'posts', handle: 'ada' }, page, BUDGET);
  return provider.listFollows({ list: rest === 'following' ? rest : 'followers', handle: 'ada' }, page, BUDGET);
};

const GONE = (reason: string) => ({ kind: 'gone', reason });
const DOWN = (status: number) => ({ kind: 'down', why: `status ${status}` });
const FAILED = (why: string) => ({ kind: 'failed', why });

const outcomes: Readonly<Record<string, unknown>> = {
  '400_cursor': { kind: 'refused', why: 'status 400' },
  '400_query': { kind: 'refused', why: 'status 400' },
  '401': FAILED('status 401'),
  '402_credits': DOWN(402),
  '403_client': FAILED('status 403'),
  '403_not_authorized': GONE('protected'),
  '403_suspended_app': FAILED('status 403'),
  '429': DOWN(429),
  '429_usage_capped': DOWN(429),
  '503': DOWN(503),
  post_missing_200_errors: GONE('unknown'),
  post_protected: GONE('protected'),
  post_repost_missing: FAILED('post without usable content'),
  post_suspended: GONE('suspended'),
  timeline_protected: GONE('protected'),
  user_missing: GONE('unknown'),
  user_suspended: GONE('suspended'),
};

describe('the outcomes of responses', () => {
  const names = exchanges.map(({ file }) => file.replace(/^x_api\/(.+)\.json$/, '$1'));

  test('every fixture is in the manifest', () => {
    const files = readdirSync(FIXTURES).filter((file) => file !== 'manifest.json');
    expect(names.map((name) => `${name}.json`).sort()).toEqual(files.sort());
    expect(names).toEqual(expect.arrayContaining(Object.keys(outcomes)));
  });

  test.each(names)('the response %s gives its outcome', async (name) => {
    const expected = outcomes[name] ?? { kind: 'found', source: 'x_api', fetchedAt: NOW };
    expect(await replayed(name)).toEqual(outcomes[name] === undefined ? expect.objectContaining(expected) : expected);
  });

  test.each([[{ kind: 'down', why: 'time-out' }], [{ kind: 'failed', why: 'not JSON' }]] as const)(
    'without an answer it is what the network says: $kind',
    async (fetched) => {
      expect(await answering(fetched).readPost(AT_ONCE, BUDGET)).toEqual(fetched);
      expect(await answering(fetched).readProfile('ada', BUDGET)).toEqual(fetched);
      const search = { list: 'search', query: 'tide', feed: 'latest' } as const;
      expect(await answering(fetched).searchPosts(search, { size: 20 }, BUDGET)).toEqual(fetched);
      const list = { list: 'followers', handle: 'ada_larsson' } as const;
      expect(await answering('user', fetched).listFollows(list, { size: 20 }, BUDGET)).toEqual(fetched);
    },
  );

  const status = (code: number, json: unknown = { detail: 'words of the provider' }): FetchResult => ({
    kind: 'response',
    status: code,
    json,
    isHtml: false,
  });

  test.each([
    [400, 'failed'],
    [401, 'failed'],
    [402, 'down'],
    [403, 'failed'],
    [404, 'failed'],
    [429, 'down'],
    [500, 'down'],
    [503, 'down'],
  ])('status %i for a post, a profile or a first page gives %s without text of the provider', async (code, kind) => {
    const outcome = { kind, why: `status ${code}` };
    expect(await answering(status(code)).readPost(AT_ONCE, BUDGET)).toEqual(outcome);
    expect(await answering(status(code)).readProfile('ada', BUDGET)).toEqual(outcome);
    const list = { list: 'posts', kind: 'posts', handle: 'ada_larsson' } as const;
    expect(await answering('user', status(code)).listPosts(list, { size: 20 }, BUDGET)).toEqual(outcome);
  });

  test('an HTML page or an empty object does not mean that the resource is missing', async () => {
    for (const json of [undefined, null, 'x', [], {}, { errors: 'x' }, { errors: [null, {}, { type: 'x' }] }]) {
      expect((await answering(status(200, json)).readPost(AT_ONCE, BUDGET)).kind).toBe('failed');
      expect((await answering(status(200, json)).readProfile('ada', BUDGET)).kind).toBe('failed');
      const search = { list: 'search', query: 'tide', feed: 'latest' } as const;
      expect((await answering(status(200, json)).searchPosts(search, { size: 20 }, BUDGET)).kind).toBe('failed');
    }
  });

  test('an empty page is found, a damaged page fails, and an empty page with a reason is gone', async () => {
    const read = (json: unknown) =>
      answering(status(200, json)).listPosts(
        { list: 'posts', kind: 'posts', handle: 'ada' },
        { size: 20, cursor: '7:T' },
        BUDGET,
      );
    expect(await read({ meta: { result_count: 0 } })).toMatchObject({ kind: 'found', value: { items: [] } });
    expect((await read({ data: 'x', meta: { result_count: 1 } })).kind).toBe('failed');
    const errors = [{ resource_id: '7', type: 'https://api.x.com/2/problems/not-authorized-for-resource' }];
    expect(await read({ errors, meta: { result_count: 0 } })).toEqual({ kind: 'gone', reason: 'protected' });
    expect(await read({ errors, data: [], meta: { result_count: 0 } })).toMatchObject({ kind: 'found' });
  });

  test('the lists of a profile without an id fail', async () => {
    const { listFollows } = answering(status(200, { data: { username: 'ada' } }));
    expect(await listFollows({ list: 'followers', handle: 'ada' }, { size: 20 }, BUDGET)).toEqual({
      kind: 'failed',
      why: 'profile without id',
    });
  });

  test('a search is never gone', async () => {
    const { searchPosts } = answering('user_suspended');
    const outcome = await searchPosts({ list: 'search', query: 'tide', feed: 'latest' }, { size: 20 }, BUDGET);
    expect(outcome.kind).toBe('failed');
  });

  test('an error about another resource is ignored', async () => {
    expect((await answering('post_protected').readPost(AT_ONCE, BUDGET)).kind).toBe('failed');
    expect((await answering('user_suspended').readProfile('ada', BUDGET)).kind).toBe('failed');
  });

  test('[provider-fault #12] a response with another post or profile gives failed', async () => {
    expect(await answering('post').readPost(AT_ONCE, BUDGET)).toEqual({ kind: 'failed', why: 'wrong post' });
    expect(await answering('user').readProfile('bob', BUDGET)).toEqual({ kind: 'failed', why: 'wrong profile' });
    expect((await answering('user').readProfile('ADA_Larsson', BUDGET)).kind).toBe('found');
  });
});
