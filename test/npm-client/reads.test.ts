// Uses the npm client with the local service, which answers from its sample.
import { describe, expect, test } from 'vitest';
import { type Client, type ClientOptions, createClient, PosternError } from '../../client/src/index.ts';
import { methodRows } from '../../client/src/method-rows.ts';
import type { MethodRow } from '../../client/src/options.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { createKey } from '../support/create-key.ts';
import { localOptions, shareService } from '../support/local-service.ts';
import { checkedFetch, type SentRequest } from './checked-fetch.ts';

const JACK = 'https://x.com/jack/status/20';
const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests-only';

const service = shareService(localOptions({ ADMIN_TOKEN, ...AMPLE_ALLOWANCES }));
const { get } = service;

/** A client, and the requests that it sends. */
const createTestClient = (options: Omit<ClientOptions, 'baseUrl'> = {}) => {
  const sent: SentRequest[] = [];
  return { postern: createClient({ baseUrl: service.origin, fetch: checkedFetch(sent), ...options }), sent };
};

const errorOf = (promise: Promise<unknown>): Promise<PosternError> =>
  promise.then(
    () => {
      throw new Error('the client did not throw');
    },
    (error: unknown) => {
      if (error instanceof PosternError) return error;
      throw error;
    },
  );

/** The query of the first request. */
const parametersOf = ([first]: readonly SentRequest[]): URLSearchParams =>
  new URLSearchParams(first?.target.split('?')[1]);

const collect = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
};

describe('a single answer', () => {
  test.each([JACK, '20', 'twitter.com/jack/status/20?s=20'])('post(%s) is the JSON body of the post', async (post) => {
    const { postern } = createTestClient();
    const body = (await get(`/api/v1/posts?url=${encodeURIComponent(JACK)}&format=json`)).json();
    expect(await postern.post(post)).toEqual({ ...body, fetched_at: expect.any(String) });
  });

  test('post sends its options as query parameters', async () => {
    const { postern, sent } = createTestClient();
    const { thread, replies } = await postern.post('20', { thread: 'off', replies: 'off', max_tokens: undefined });
    expect([thread, replies]).toEqual([[], []]);
    expect([...parametersOf(sent)]).toEqual([
      ['thread', 'off'],
      ['replies', 'off'],
      ['format', 'json'],
      ['url', 'https://x.com/i/status/20'],
    ]);
  });

  test.each([
    ['markdown', {}],
    ['markdown', { layout: 'unrolled' }],
    ['obsidian', { format: 'obsidian' }],
  ] as const)('markdown is the text of the format %s with %j', async (format, options) => {
    const { postern } = createTestClient();
    const layout = 'layout' in options ? `&layout=${options.layout}` : '';
    const { body } = await get(`/jack/status/20?format=${format}${layout}`);
    expect(await postern.markdown(JACK, options)).toBe(body);
  });

  test('profile has the recent posts, and limit and cursor page through them', async () => {
    const { postern } = createTestClient();
    const { profile, posts, next_cursor } = await postern.profile('@ada_larsson', { limit: 2 });
    expect(profile).toMatchObject({ handle: 'ada_larsson', name: 'Ada Larsson' });
    const next = await postern.profile('ada_larsson', { limit: 2, cursor: next_cursor ?? '' });
    expect(new Set([...posts, ...next.posts].map(({ id }) => id)).size).toBe(4);
  });

  test('lookup is the answer for ids and URLs, also for a URL with a comma', async () => {
    const { postern, sent } = createTestClient();
    const { posts } = await postern.lookup(['1990000000000000001', `${JACK}?s=20,21`, '20']);
    expect(posts).toEqual([
      { id: '1990000000000000001', unavailable: true, reason: expect.any(String) },
      expect.objectContaining({ id: '20', text: 'just setting up my twttr' }),
    ]);
    expect(parametersOf(sent).get('ids')).toBe('1990000000000000001,20');
    expect(await errorOf(postern.lookup([]))).toMatchObject({ status: 400, errors: [{ parameter: 'ids' }] });
    expect(await errorOf(postern.lookup(['20', 'https://example.org/a,20']))).toMatchObject({
      code: 'unsupported_host',
    });
    expect(parametersOf(sent.slice(-1)).get('ids')).toBe('20,https://example.org/a%2C20');
  });

  test('oembed is the oEmbed answer', async () => {
    const { postern } = createTestClient();
    expect(await postern.oembed('20', { maxwidth: 300 })).toMatchObject({ version: '1.0', type: 'rich', width: 300 });
  });

  test('a base URL can end with a slash', async () => {
    const postern = createClient({ baseUrl: new URL(service.origin), fetch: checkedFetch() });
    expect((await postern.post('20')).post.id).toBe('20');
    expect(() => createClient({ baseUrl: 'postern.example' })).toThrow(TypeError);
  });
});

describe('a list', () => {
  const lists: readonly (readonly [
    string,
    (postern: Client, limit: number) => AsyncIterable<{ readonly url: string }>,
  ])[] = [
    ['posts', (postern, limit) => postern.posts('ada_larsson', { kind: 'replies', limit })],
    ['timeline', (postern, limit) => postern.timeline(['@ada_larsson', 'https://x.com/X'], { limit })],
    ['listPosts', (postern, limit) => postern.listPosts('2026', { limit })],
    ['replies', (postern, limit) => postern.replies('2034932961899447678', { sort: 'recent', limit })],
    ['quotes', (postern, limit) => postern.quotes('2028036267832246272', { limit })],
    ['reposts', (postern, limit) => postern.reposts('2028036267832246272', { limit })],
    ['followers', (postern, limit) => postern.followers('ada_larsson', { limit })],
    ['following', (postern, limit) => postern.following('ada_larsson', { limit })],
    ['search', (postern, limit) => postern.search('tide', { feed: 'top', limit })],
  ];

  test.each(lists)('%s iterates the same items with small and with large pages', async (_, read) => {
    const { postern, sent } = createTestClient();
    const whole = await collect(read(postern, 100));
    const requests = sent.length;
    const small = await collect(read(postern, 7));
    expect(small).toEqual(whole);
    expect(new Set(whole.map(({ url }) => url)).size).toBe(whole.length);
    expect(sent.length - requests).toBe(Math.ceil(whole.length / 7));
  });

  test('posts sends dates as instants, and days as they are', async () => {
    const { postern, sent } = createTestClient();
    const options = { kind: 'media', since: new Date('2026-01-01T12:00:00Z'), until: '2026-02-01' } as const;
    const posts = await collect(postern.posts('ada_larsson', options));
    expect(posts.length).toBeGreaterThan(0);
    expect(posts.every(({ created_at = '' }) => created_at >= '2026-01-01T12' && created_at < '2026-02')).toBe(true);
    expect(parametersOf(sent).get('since')).toBe('2026-01-01T12:00:00.000Z');
  });

  test('requests nothing before the iteration, and no page after its end', async () => {
    const { postern, sent } = createTestClient();
    const followers = postern.followers('ada_larsson', { limit: 2 });
    expect(sent).toEqual([]);
    let count = 0;
    for await (const { handle } of followers) {
      expect(handle).not.toBe('');
      count += 1;
      if (count === 3) break;
    }
    expect(sent.length).toBe(2);
    expect((await collect(followers)).length).toBeGreaterThan(count); // starts again
  });

  test('pages are the answers, and a cursor continues the list', async () => {
    const { postern } = createTestClient();
    const pages = await collect(postern.followers('ada_larsson', { limit: 50 }).pages());
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.map((page) => page.next_cursor === undefined)).toEqual(pages.map((_, n) => n === pages.length - 1));
    expect(pages.every(({ handle }) => handle === 'ada_larsson')).toBe(true);
    expect(pages.flatMap(({ warnings }) => warnings.map(({ code }) => code))).toEqual(pages.map(() => 'sample'));
    const rest = await collect(postern.followers('ada_larsson', { limit: 50, cursor: pages[0]?.next_cursor }));
    expect(rest).toEqual(pages.slice(1).flatMap(({ users }) => users));
  });

  test('[releases 9] page is the first answer, and first the first items in as few requests as they need', async () => {
    const { postern, sent } = createTestClient();
    const followers = postern.followers('ada_larsson', { limit: 50 });
    const all = await collect(followers);
    sent.length = 0;
    const { users, next_cursor } = await followers.page();
    expect(users).toEqual(all.slice(0, 50));
    expect(sent.length).toBe(1);
    expect(await followers.first(50)).toEqual(all.slice(0, 50));
    expect(sent.length).toBe(2);
    expect(await followers.first(51)).toEqual(all.slice(0, 51));
    expect(sent.length).toBe(4);
    expect(await followers.first(0)).toEqual([]);
    expect(sent.length).toBe(4);
    expect(await followers.first(Number.POSITIVE_INFINITY)).toEqual(all);
    expect((await postern.followers('ada_larsson', { limit: 50, cursor: next_cursor }).page()).users).toEqual(
      all.slice(50, 100),
    );
  });

  test.each([
    ['profile', (postern: Client, limit: number) => postern.profile('ada_larsson', { limit })],
    ['profileById', (postern: Client, limit: number) => postern.profileById('2201001', { limit })],
  ] as const)('[releases 9] %s is its first page, and iterates the posts of all pages', async (_, read) => {
    const { postern, sent } = createTestClient();
    const reading = read(postern, 7);
    const { profile, posts } = await reading;
    expect(profile.handle).toBe('ada_larsson');
    expect(sent.length).toBe(1);
    const all = await collect(reading);
    expect(all.slice(0, 7)).toEqual(posts);
    expect(all.length).toBeGreaterThan(14);
    expect(sent.length).toBe(Math.ceil(all.length / 7));
    expect(await collect(read(postern, 100))).toEqual(all);
  });

  test('search with the feed users iterates accounts', async () => {
    const { postern } = createTestClient();
    const [user] = await collect(postern.search('tide', { feed: 'users' }));
    expect(user?.handle).toBe('ada_larsson');
  });

  test('search without the feed users iterates posts, also if the words need encoding', async () => {
    const { postern, sent } = createTestClient();
    await collect(postern.search('from:ada_larsson "tide table" #tides & 100% ünï', { feed: 'latest' }));
    expect(parametersOf(sent).get('q')).toBe('from:ada_larsson "tide table" #tides & 100% ünï');
    const [post] = await collect(postern.search('tide'));
    expect(post?.text.toLowerCase()).toContain('tide');
  });
});

describe('[releases 6] a link in the place of an id, a handle or words', () => {
  const POST = 'https://x.com/ada_larsson/status/2028036267832246272';
  const first = <Item>(list: AsyncIterable<Item>): Promise<IteratorResult<Item>> => list[Symbol.asyncIterator]().next();

  type Call = (postern: Client, text: string) => Promise<unknown>;
  const callOf =
    (name: string, { isSeveral, result }: MethodRow): Call =>
    async (postern, text) => {
      const read = Reflect.get(postern, name)(isSeveral ? [text] : text);
      return result === 'list' ? read.page() : read;
    };

  /** @returns the methods that take the subject */
  const methodsOf = (subject: MethodRow['subject']): readonly (readonly [string, Call])[] => [
    ...Object.entries(methodRows).flatMap(([name, row]) =>
      row.subject === subject ? [[name, callOf(name, row)] as const] : [],
    ),
    ...(subject === 'post' ? [['markdown', callOf('markdown', methodRows.post)] as const] : []),
  ];

  const equals: readonly (readonly [MethodRow['subject'], string, readonly string[]])[] = [
    [
      'post',
      '2028036267832246272',
      [
        POST,
        'mobile.twitter.com/ada_larsson/status/2028036267832246272/photo/1?s=20',
        `${POST}/quotes`,
        'hxxps://x[.]com/ada_larsson/status/2028036267832246272',
        'ada_larsson/status/2028036267832246272',
        'https://nitter.net/ada_larsson/status/2028036267832246272#m',
        'SERVICE/ada_larsson/status/2028036267832246272',
      ],
    ],
    [
      'profile',
      'ada_larsson',
      [
        'https://x.com/ada_larsson',
        ' mobile.twitter.com/@ada_larsson/?s=20 ',
        'https://x.com/ada_larsson/followers',
        'https://x.com/intent/follow?screen_name=ada_larsson',
        'SERVICE/ada_larsson',
      ],
    ],
    ['account', '2201001', ['https://x.com/i/user/2201001', 'https://twitter.com/intent/user?user_id=2201001']],
    ['list', '2026', ['https://x.com/i/lists/2026', 'SERVICE/i/lists/2026']],
    ['search', '#tides', ['https://x.com/hashtag/tides', 'https://twitter.com/search?q=%23tides']],
  ];
  const cases = equals.flatMap(([subject, name, links]) =>
    methodsOf(subject).flatMap(([method, call]) => links.map((link) => ({ method, call, name, link }))),
  );

  test.each(cases)('$method($link) reads $name', async ({ call, name, link }) => {
    const { postern, sent } = createTestClient();
    await call(postern, name);
    await call(postern, link.replace('SERVICE', service.origin));
    const [asked, linked] = sent.map(({ target }) => target.replace(/&feed=top/, ''));
    expect(linked).toBe(asked);
    expect(sent.map(({ status }) => status)).toEqual([200, 200]);
  });

  const others = [
    ['post', POST, 'https://x.com/ada_larsson/status/2028036267832246272 is the link of a post, which post() reads'],
    ['profile', 'x.com/ada_larsson', 'x.com/ada_larsson is the link of a profile, which profile() reads'],
    [
      'account',
      'https://x.com/i/user/12',
      'https://x.com/i/user/12 is the link of an account by its id, which profileById() reads',
    ],
    [
      'list',
      'https://x.com/i/lists/12',
      'https://x.com/i/lists/12 is the link of a list of X, which listPosts() reads',
    ],
    [
      'search',
      'https://x.com/hashtag/tides',
      'https://x.com/hashtag/tides is the link of a search, which search() reads',
    ],
    ['', 'https://x.com/a,b', 'https://x.com/a,b is the link of the posts of several accounts, which timeline() reads'],
  ] as const;
  const mistaken = others.flatMap(([kind, link, message]) =>
    (['post', 'profile', 'account', 'list', 'search'] as const)
      .filter((subject) => subject !== kind)
      .flatMap(methodsOf)
      .filter(([method]) => kind !== '' || method !== 'timeline')
      .map(([method, call]) => ({ method, call, link, message })),
  );

  test.each(mistaken)('$method($link) requests nothing, and names the method', async ({ call, link, message }) => {
    const { postern, sent } = createTestClient();
    await expect(call(postern, link)).rejects.toThrow(new TypeError(message));
    expect(sent).toEqual([]);
  });

  test('has the feed of a search, unless the option says another', async () => {
    const { postern, sent } = createTestClient();
    const latest = 'https://x.com/search?q=tide&f=live';
    await first(postern.search(latest));
    await first(postern.search(latest, { feed: 'media' }));
    expect(sent.map((request) => parametersOf([request]).get('feed'))).toEqual(['latest', 'media']);
  });

  test('has the kind of the tab of a profile where the method takes a kind, unless the option says another', async () => {
    const { postern, sent } = createTestClient();
    const media = 'https://x.com/ada_larsson/media';
    await first(postern.posts(media));
    await first(postern.posts(media, { kind: 'replies' }));
    await first(postern.timeline(['https://x.com/X,ada_larsson/with_replies']));
    await first(postern.followers(media));
    expect(sent.map((request) => parametersOf([request]).get('kind'))).toEqual(['media', 'replies', 'replies', null]);
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('of a search for accounts needs the feed users', async () => {
    const { postern } = createTestClient();
    const link = 'https://x.com/search?q=tide&f=user';
    await expect(first(postern.search(link))).rejects.toThrow(/feed: 'users'/);
    expect((await first(postern.search(link, { feed: 'users' }))).value).toMatchObject({ handle: 'ada_larsson' });
  });

  test('reads a link of several profiles as a timeline', async () => {
    const { postern } = createTestClient();
    const { handles } = await postern.timeline(['https://x.com/X,ada_larsson']).page();
    expect(handles).toEqual(['ada_larsson', 'x']);
  });

  test('is left to the service if it is of another host, unless a path would have to hold it', async () => {
    const { postern, sent } = createTestClient();
    const link = 'https://example.com/ada_larsson';
    expect(await errorOf(postern.lookup([link]))).toMatchObject({ code: 'unsupported_host' });
    expect(parametersOf(sent).get('ids')).toBe(link);
    await expect(postern.profile(link)).rejects.toThrow(new TypeError(`${link} is not the link of a profile`));
    expect(await errorOf(postern.profile('node.js/x'))).toMatchObject({ status: 404 });
    expect(sent.length).toBe(2);
  });

  test.each(['"https://x.com/jack"', 'url:x.com/jack', 'node.js', 'tide https://x.com/jack'])(
    'is only a whole text: %s is searched',
    async (words) => {
      const { postern, sent } = createTestClient();
      await first(postern.search(words));
      expect(parametersOf(sent).get('q')).toBe(words);
    },
  );
});

describe('an error', () => {
  test('[problems 1] has the members of the problem document', async () => {
    const { postern } = createTestClient();
    const error = await errorOf(postern.post('https://example.org/jack/status/20'));
    expect(error).toMatchObject({
      name: 'PosternError',
      status: 400,
      code: 'unsupported_host',
      errors: [{ parameter: 'url', message: expect.any(String) }],
      retryAfter: undefined,
      reason: undefined,
      requestId: expect.stringMatching(/^[\w-]{8,}$/),
    });
    expect(error.message).toBe(`${error.detail} ${error.resolution} (400 unsupported_host)`);
    expect(error.type).toMatch(/\/docs\/errors#unsupported_host$/);
  });

  test('of a missing post has its reason', async () => {
    const { postern } = createTestClient();
    const error = await errorOf(postern.post('1990000000000000001'));
    expect(error).toMatchObject({ status: 404, code: 'post_not_found', reason: expect.any(String), errors: [] });
  });

  test('of a list is thrown by the iteration', async () => {
    const { postern } = createTestClient();
    const list = postern.search(' ');
    expect(await errorOf(collect(list))).toMatchObject({ status: 400, code: 'missing_query' });
  });

  test.each(['a/b', 'a b', '../followers', 'jack?format=markdown', 'jack#', '%2e%2e', 'é'])(
    'the handle %j stays one segment of the path',
    async (handle) => {
      const { postern, sent } = createTestClient();
      expect((await errorOf(postern.profile(handle))).code).toMatch(/^(?:invalid_handle|route_not_found)$/);
      expect(sent[0]?.target).toBe(`/api/v1/profiles/${encodeURIComponent(handle)}?format=json`);
    },
  );

  test.each(['', '.', '..'])('the handle %j would name another route, so nothing is requested', async (handle) => {
    const { postern, sent } = createTestClient();
    await expect(postern.profile(handle)).rejects.toThrow(TypeError);
    await expect(collect(postern.followers(handle))).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });

  test('is unexpected_response if another server answers', async () => {
    // A text that is no answer of version 1.
    const error = await errorOf(createTestClient({ fetch: checkedFetch([], () => '/robots.txt') }).postern.post('20'));
    expect(error).toMatchObject({ status: 200, code: 'unexpected_response' });
    expect(error.detail).toContain('text/plain');
  });
});

describe('an API key', () => {
  test('[keys 2] is sent with each request', async () => {
    const { postern, sent } = createTestClient({ apiKey: await createKey(service.origin, ADMIN_TOKEN) });
    await collect(postern.search('tide', { feed: 'top', limit: 10 }));
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent.map(({ keyStatus }) => keyStatus))).toEqual(new Set(['valid']));
  });

  test('[keys 3] that is unknown is the error invalid_key, and is sent once', async () => {
    const { postern, sent } = createTestClient({ apiKey: 'unknown' });
    expect(await errorOf(collect(postern.search('tide')))).toMatchObject({ status: 401, code: 'invalid_key' });
    expect(sent.map(({ status }) => status)).toEqual([401]);
  });

  test('is not sent if there is none', async () => {
    const { postern, sent } = createTestClient();
    await postern.profile('X');
    expect(sent[0]?.headers).toEqual({ Accept: 'application/json' });
  });
});

describe('a cache', () => {
  test('answers 304 from the kept answer, and each answer is a new object', async () => {
    const { postern, sent } = createTestClient({ cache: new Map() });
    const first = await postern.post('20');
    const second = await postern.post('20');
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(sent.map(({ status }) => status)).toEqual([200, 304]);
    await postern.post('20', { replies: 'off' });
    await postern.markdown('20');
    expect(sent.map(({ status }) => status)).toEqual([200, 304, 200, 200]);
  });

  test('keeps no error', async () => {
    const cache = new Map();
    const { postern } = createTestClient({ cache });
    await errorOf(postern.post('1990000000000000001'));
    expect(cache.size).toBe(0);
  });
});
