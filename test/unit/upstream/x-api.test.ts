// Tests the outcomes of responses of the official API, and the requests that the golden file of requests.test.ts does not have.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import type { Outcome, PostListRequest, PostRequest } from '../../../shared/ports/upstream.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import type { ReadPage } from '../../../shared/upstream/provider.ts';
import { createXApi, type XApi } from '../../../shared/upstream/x-api/provider.ts';
import { readingAt } from '../../support/clocks.ts';
import { json, providerCalling } from '../../support/provider-calls.ts';

const FIXTURES = new URL('../../fixtures/x_api/', import.meta.url);
const NOW = Date.parse('2026-08-25T00:00:00Z');
const BUDGET = { deadline: readingAt(NOW + 8000), calls: { retries: 0 } };
/** The post of most fixtures. */
const FOCAL = '2028036267832246272';
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
  return json(JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8')), exchange.status);
};

/** Creates a provider with these responses and records its requests. */
const answering = (...answers: readonly (string | FetchResult)[]) => {
  const requests: URL[] = [];
  const next = (url: URL): FetchResult => {
    const answer = answers[requests.length];
    if (answer === undefined) throw new Error(`one request too many: ${url}`);
    requests.push(url);
    return typeof answer === 'string' ? answerOf(answer) : answer;
  };
  const provider = providerCalling(createXApi, next, NOW);
  const listPosts = (request: PostListRequest): ReadPage<Post> => {
    const read = provider.listPosts(request);
    if (read === undefined) throw new Error(`no list ${request.list}`);
    return read;
  };
  return { requests, ...provider, listPosts };
};

const POST_PARAMETERS = {
  'post.fields':
    'created_at,author_id,conversation_id,lang,public_metrics,entities,attachments,article,possibly_sensitive,in_reply_to_user_id,community_id,source,note_post,referenced_posts,edit_history_post_ids',
  'user.fields':
    'created_at,description,entities,location,profile_image_url,profile_banner_url,protected,public_metrics,url,verified,verified_type',
  'media.fields': 'url,preview_image_url,alt_text,variants,width,height,duration_ms,type',
  'poll.fields': 'options,end_datetime,voting_status',
  expansions:
    'author_id,attachments.media_keys,attachments.poll_ids,referenced_posts,referenced_posts.id,referenced_posts.id.author_id,referenced_posts.id.attachments.media_keys',
};

/** The older words of the guides. */
const OLDER_PARAMETERS = {
  ...POST_PARAMETERS,
  'post.fields': undefined,
  'tweet.fields':
    'created_at,author_id,conversation_id,lang,public_metrics,entities,attachments,article,possibly_sensitive,in_reply_to_user_id,community_id,source,note_tweet,referenced_tweets,edit_history_tweet_ids',
  expansions:
    'author_id,attachments.media_keys,attachments.poll_ids,referenced_tweets.id,referenced_tweets.id.author_id,referenced_tweets.id.attachments.media_keys',
};

const parametersOf = (url: URL | undefined): Record<string, string> => Object.fromEntries(url?.searchParams ?? []);
const pathsOf = (urls: readonly URL[]): string[] => urls.map(({ pathname }) => pathname);

describe('the words of requests', () => {
  const bare = json({ data: { id: FOCAL, text: 'x', edit_history_tweet_ids: [FOCAL] } });
  const understood = (text: string): FetchResult =>
    json({ data: { id: FOCAL, text, created_at: '2026-08-24T00:00:00Z', public_metrics: { retweet_count: 1 } } });
  const rejected = json({ title: 'Invalid Request' }, 400);
  const search = { list: 'search', query: 'tide', feed: 'latest' } as const;

  const asking = (...answers: readonly FetchResult[]) => {
    const { requests, readPost, listPosts } = answering(...answers);
    return {
      read: async () => {
        const outcome = await readPost({ ...AT_ONCE, id: FOCAL }, BUDGET);
        return outcome.kind === 'found' ? outcome.value.post.text : outcome.kind;
      },
      search: async () => (await listPosts(search)({ size: 20 }, BUDGET)).kind,
      words: () => requests.map(({ searchParams }) => (searchParams.has('post.fields') ? 'documented' : 'older')),
      requests,
    };
  };

  test('[provider-faults 15] an answer without the fields is asked for once in the older words, which are kept', async () => {
    const { read, words, requests } = asking(bare, understood('a'), understood('b'));
    expect([await read(), await read()]).toEqual(['a', 'b']);
    expect(words()).toEqual(['documented', 'older', 'older']);
    expect(parametersOf(requests[1])).toEqual(JSON.parse(JSON.stringify(OLDER_PARAMETERS)));
  });

  test('[provider-faults 15] the documented words are asked for again when X understands only them', async () => {
    const { read, words } = asking(bare, understood('a'), bare, understood('b'), understood('c'));
    expect([await read(), await read(), await read()]).toEqual(['a', 'b', 'c']);
    expect(words()).toEqual(['documented', 'older', 'older', 'documented', 'documented']);
  });

  test('words that X has not answered in are replaced when it rejects them', async () => {
    const { read, words } = asking(rejected, understood('a'), understood('b'), rejected);
    expect([await read(), await read(), await read()]).toEqual(['a', 'b', 'failed']);
    expect(words()).toEqual(['documented', 'older', 'older', 'older']);
  });

  test('a query that X rejects in both words is refused, and the documented words are kept', async () => {
    const { read, search: find, words } = asking(rejected, rejected, understood('a'), rejected);
    expect([await find(), await read(), await find()]).toEqual(['refused', 'a', 'refused']);
    expect(words()).toEqual(['documented', 'older', 'documented', 'documented']);
  });

  test('an answer without fields in both words is returned, and nothing is asked twice again', async () => {
    const { read, words } = asking(bare, bare, bare);
    expect([await read(), await read()]).toEqual(['x', 'x']);
    expect(words()).toEqual(['documented', 'older', 'documented']);
  });

  test.each<[string, FetchResult]>([
    ['no post', json({ meta: { result_count: 0 } })],
    ['a status about the provider', json({}, 503)],
    ['no response', { kind: 'down', why: 'time-out' }],
  ])('%s says nothing about the words', async (_, answer) => {
    const { search: find, words } = asking(answer);
    await find();
    expect(words()).toEqual(['documented']);
  });
});

test('a profile by id takes one request', async () => {
  const { requests, readProfile } = answering('user');
  expect((await readProfile('id:2201001', BUDGET)).kind).toBe('found');
  expect(pathsOf(requests)).toEqual(['/2/users/2201001']);
});

describe('replies', () => {
  const request = { list: 'replies', id: FOCAL, order: 'top' } as const;

  test('[pages 3] the first page reads the post and searches for its conversation', async () => {
    const { requests, listPosts } = answering('post', 'replies_p1');
    const outcome = await listPosts(request)({ size: 20 }, BUDGET);
    expect(pathsOf(requests)).toEqual([`/2/tweets/${FOCAL}`, '/2/tweets/search/recent']);
    expect(parametersOf(requests[1])).toEqual({
      ...POST_PARAMETERS,
      query: `conversation_id:${FOCAL}`,
      sort_order: 'relevancy',
      max_results: '20',
    });
    expect(outcome).toMatchObject({
      kind: 'found',
      value: {
        items: [{ id: '2028036267832246290' }, { id: '2028036267832246293' }],
        next: `${FOCAL}:ada_larsson:b26v89c19zqg8o3fpe`,
      },
      warnings: [{ code: 'recent_only' }],
    });
  });

  test('[pages 3] the conversation of a reply is that of its first post, and the answers to the reply are kept', async () => {
    const { requests, listPosts } = answering('post_reply', 'replies_p1');
    const outcome = await listPosts({ ...request, id: '2033000000000000007' })({ size: 20 }, BUDGET);
    expect(requests[1]?.searchParams.get('query')).toBe('conversation_id:2032900000000000001');
    expect(outcome).toMatchObject({
      value: {
        items: [],
        others: expect.arrayContaining(['2028036267832246290']),
        next: '2032900000000000001:ada_larsson:b26v89c19zqg8o3fpe',
      },
    });
  });

  test.each([
    ['post_suspended', '2033000000000000016', 'gone'],
    ['429', FOCAL, 'down'],
    ['401', FOCAL, 'failed'],
    ['user', FOCAL, 'failed'],
  ])('if the post is %s, nothing more is requested', async (name, id, kind) => {
    expect((await answering(name).listPosts({ ...request, id })({ size: 20 }, BUDGET)).kind).toBe(kind);
  });
});

describe('several posts', () => {
  const ids = [FOCAL, '2034000000000000001', '1999999999999999999', '2033000000000000015', '77'];
  const readAll = (readPost: XApi['readPost'], caller = 'ada') =>
    Promise.all(ids.map((id) => readPost({ ...AT_ONCE, id }, { ...BUDGET, calls: { retries: 0, caller } })));

  test('[pages 3] of one caller take one request, and each has its own outcome', async () => {
    const { requests, readPost } = answering('batch');
    expect(await readAll(readPost)).toMatchObject([
      { kind: 'found', value: { post: { id: FOCAL, author: { handle: 'ada_larsson' } } } },
      { kind: 'found', value: { post: { id: '2034000000000000001' } } },
      { kind: 'gone', reason: 'unknown' },
      { kind: 'gone', reason: 'protected' },
      { kind: 'failed', why: 'no data' },
    ]);
    expect(pathsOf(requests)).toEqual(['/2/tweets']);
    expect(parametersOf(requests[0])).toEqual({ ...POST_PARAMETERS, ids: ids.join(',') });
  });

  test('[pages 3] all have the outcome of a call that failed', async () => {
    expect(await readAll(answering('429').readPost)).toEqual(ids.map(() => ({ kind: 'down', why: 'status 429' })));
    expect(await readAll(answering('401').readPost)).toEqual(ids.map(() => ({ kind: 'failed', why: 'status 401' })));
  });

  test('a later edit of a post is found by the id of the first', async () => {
    const edited = JSON.parse(readFileSync(new URL('post_edited.json', FIXTURES), 'utf8'));
    const [first] = edited.data.edit_history_tweet_ids;
    const { readPost } = answering(json({ ...edited, data: [edited.data] }));
    const read = (id: string) => readPost({ ...AT_ONCE, id }, { ...BUDGET, calls: { retries: 0, caller: 'ada' } });
    const [found] = await Promise.all([read(first), read('77')]);
    expect(first).not.toBe(edited.data.id);
    expect(found).toMatchObject({ kind: 'found', value: { post: { id: edited.data.id } } });
  });

  test('a post alone, a post with its thread and a post without a caller have requests of their own', async () => {
    const alone = answering('post');
    await alone.readPost({ ...AT_ONCE, id: FOCAL }, { ...BUDGET, calls: { retries: 0, caller: 'ada' } });
    expect(pathsOf(alone.requests)).toEqual([`/2/tweets/${FOCAL}`]);
    const others = answering('post', 'post');
    await Promise.all([
      others.readPost(
        { id: FOCAL, thread: 'off', replies: 'top' },
        { ...BUDGET, calls: { retries: 0, caller: 'ada' } },
      ),
      others.readPost({ ...AT_ONCE, id: FOCAL }, BUDGET),
    ]);
    expect(pathsOf(others.requests)).toEqual([`/2/tweets/${FOCAL}`, `/2/tweets/${FOCAL}`]);
  });
});

test.each([
  ['user_suspended', 'spam_tower', { kind: 'gone', reason: 'suspended' }],
  ['429', 'ada_larsson', { kind: 'down', why: 'status 429' }],
  ['user', 'somebody_else', { kind: 'failed', why: 'wrong profile' }],
] as const)('a list of a profile that cannot be read asks for nothing more: %s', async (name, handle, outcome) => {
  const posts = answering(name).listPosts({ list: 'posts', kind: 'posts', handle });
  expect(await posts({ size: 20 }, BUDGET)).toEqual(outcome);
  const follows = answering(name).listUsers({ list: 'followers', handle });
  expect(await follows?.({ size: 20 }, BUDGET)).toEqual(outcome);
});

/** Sends the request of the fixture. */
const replayed = (name: string): Promise<Outcome<unknown> | undefined> | undefined => {
  const { pathname, searchParams } = new URL(
    exchanges.find(({ file }) => file === `x_api/${name}.json`)?.path ?? '',
    'http://127.0.0.1',
  );
  // X may reject the words, so a 400 is asked for in both.
  const provider = answering(name, name);
  const [, , kind, subject = '', rest = ''] = pathname.split('/');
  const page = { size: 20, cursor: `${subject}:${searchParams.get('pagination_token') ?? 'T'}` };
  if (subject === 'search')
    return provider.listPosts({ list: 'search', query: 'tide', feed: 'latest' })({ size: 20 }, BUDGET);
  if (rest === 'quote_tweets') return provider.listPosts({ list: 'quotes', id: subject })({ size: 20 }, BUDGET);
  if (rest === 'retweeted_by') return provider.listUsers({ list: 'reposts', id: subject })?.({ size: 20 }, BUDGET);
  if (kind === 'tweets' && subject === '') {
    const [first = '', second = ''] = searchParams.get('ids')?.split(',') ?? [];
    const read = (id: string) =>
      provider.readPost({ ...AT_ONCE, id }, { ...BUDGET, calls: { retries: 0, caller: 'ada' } });
    void read(second);
    return read(first);
  }
  if (kind === 'tweets') return provider.readPost({ ...AT_ONCE, id: subject }, BUDGET);
  if (subject === 'by') return provider.readProfile(pathname.split('/')[5] ?? '', BUDGET);
  if (rest === 'tweets') return provider.listPosts({ list: 'posts', kind: 'posts', handle: 'ada' })(page, BUDGET);
  return provider.listUsers({ list: rest === 'following' ? rest : 'followers', handle: 'ada' })?.(page, BUDGET);
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
  quotes_missing: GONE('unknown'),
  timeline_protected: GONE('protected'),
  user_missing: GONE('unknown'),
  user_suspended: GONE('suspended'),
};

describe('the outcomes of responses', () => {
  const names = exchanges.map(({ file }) => file.replace(/^x_api\/(.+)\.json$/, '$1'));

  test.each(names)('the response %s gives its outcome', async (name) => {
    const expected = outcomes[name] ?? { kind: 'found', source: 'test', fetchedAt: NOW };
    expect(await replayed(name)).toEqual(outcomes[name] === undefined ? expect.objectContaining(expected) : expected);
  });

  /** Reads a post, a profile and a first page, each from this answer. */
  const readEach = (fetched: FetchResult) => {
    const search = { list: 'search', query: 'tide', feed: 'latest' } as const;
    return Promise.all([
      answering(fetched).readPost(AT_ONCE, BUDGET),
      answering(fetched).readProfile('ada', BUDGET),
      answering(fetched).listPosts(search)({ size: 20 }, BUDGET),
      answering('user', fetched).listUsers({ list: 'followers', handle: 'ada_larsson' })?.({ size: 20 }, BUDGET),
    ]);
  };

  test.each([[{ kind: 'down', why: 'time-out' }], [{ kind: 'failed', why: 'not JSON' }]] as const)(
    'without an answer it is what the network says: $kind',
    async (fetched) => expect(await readEach(fetched)).toEqual(Array(4).fill(fetched)),
  );

  const status = (code: number, body: unknown = { detail: 'words of the provider' }) => json(body, code);

  test.each([
    [401, 'failed'],
    [402, 'down'],
    [403, 'failed'],
    [404, 'failed'],
    [429, 'down'],
    [500, 'down'],
  ])('status %i gives %s without text of the provider', async (code, kind) => {
    expect(await readEach(status(code))).toEqual(Array(4).fill({ kind, why: `status ${code}` }));
  });

  test.each([undefined, null, 'x', [], {}, { errors: 'x' }, { errors: [null, {}, { type: 'x' }] }])(
    'an HTML page or an empty object does not mean that the resource is missing: %j',
    async (body) => expect(await readEach(status(200, body))).toMatchObject(Array(4).fill({ kind: 'failed' })),
  );

  test('an empty page is found, a damaged page fails, and an empty page with a reason is gone', async () => {
    const read = (body: unknown) =>
      answering(status(200, body)).listPosts({ list: 'posts', kind: 'posts', handle: 'ada' })(
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
    const { listUsers } = answering(status(200, { data: { username: 'ada' } }));
    expect(await listUsers({ list: 'followers', handle: 'ada' })?.({ size: 20 }, BUDGET)).toEqual({
      kind: 'failed',
      why: 'profile without id',
    });
  });

  test('[provider-faults 12] a response with another post or profile gives failed', async () => {
    expect(await answering('post').readPost(AT_ONCE, BUDGET)).toEqual({ kind: 'failed', why: 'wrong post' });
    expect(await answering('user').readProfile('bob', BUDGET)).toEqual({ kind: 'failed', why: 'wrong profile' });
    expect(await answering('user').readProfile('id:2201002', BUDGET)).toEqual({ kind: 'failed', why: 'wrong profile' });
    expect((await answering('user').readProfile('ADA_Larsson', BUDGET)).kind).toBe('found');
  });
});
