// Asks every operation for withheld posts and accounts, as the subject and in every position, in every form: nothing of
// them is in an answer, whatever the upstream has.
import { describe, expect, test } from 'vitest';
import { isNegotiated, type Operation, queryNames } from '../../shared/contract/operations.ts';
import { useCases } from '../../shared/contract/use-cases.ts';
import { ANSWERED, BROADCASTER } from '../../shared/model/account-names.ts';
import type { Post } from '../../shared/model/post.ts';
import type { Conversation } from '../../shared/model/resources.ts';
import type { User } from '../../shared/model/user.ts';
import { createWithheld, parseWithheld } from '../../shared/model/withheld.ts';
import type { FailedOutcome, Upstream } from '../../shared/ports/upstream.ts';
import { withhold } from '../../shared/upstream/withhold.ts';
import { issuedKey } from '../support/access-control.ts';
import { withQuery } from '../support/browse-routes.ts';
import { createTestRegistry } from '../support/mcp-registry.ts';
import { codesIn, expectProblem } from '../support/problem.ts';
import { type Route, routes, routesAbout } from '../support/routes.ts';
import { createTestApp, found, NOW, page, post, upstreamReturning, user } from '../support/test-app.ts';

/** Nothing of a withheld post or account has another word. */
const SECRET = /secret/i;

const POST_ID = '1900000000000000031';
const POST_OF_PROFILE = '1900000000000000032';
const EXPIRING_POST = '1900000000000000033';
const POST_OF_EXPIRING = '1900000000000000034';
const EXPIRES_AT = NOW + 10_000;

const LIST: readonly { post?: string; profile?: string; reason: string; until?: string }[] = [
  { post: `https://vxtwitter.com/SecretAuthor/status/${POST_ID}?s=20`, reason: 'copyright' },
  { profile: '@Secret_Wanda', reason: 'privacy' },
  { post: EXPIRING_POST, reason: 'court', until: new Date(EXPIRES_AT).toISOString() },
  // The handle of an old account.
  { profile: 'secret_very_long_handle', reason: 'terms' },
  { profile: 'secret_late', reason: 'other', until: new Date(EXPIRES_AT).toISOString() },
];

/** In lower case. */
const IDS: ReadonlyMap<string, string> = new Map([
  ['secret_wanda', '7001'],
  ['secret_late', '7002'],
]);

const account = (handle: string): User =>
  user(handle, {
    id: IDS.get(handle.toLowerCase()) ?? '7003',
    name: `Name ${handle}`,
    bio: `Bio ${handle}`,
    avatar_url: `https://pbs.twimg.com/${handle}.jpg`,
  });

/** As LIST, with the accounts by their ids where a provider says them. */
const LIST_BY_ID = LIST.map(({ profile, ...entry }) => {
  const id = IDS.get(profile?.replace('@', '').toLowerCase() ?? '');
  return { ...entry, ...(profile !== undefined && { profile: id === undefined ? profile : `id:${id}` }) };
});

const secretPost = (id: string, handle = 'secret_author'): Post => ({
  ...post(id, handle, `Secret words of ${handle}`),
  author: account(handle),
  media: [{ type: 'photo', url: 'https://pbs.twimg.com/media/secret.jpg', alt_text: 'A secret' }],
});

const withheldPosts: readonly Post[] = [
  secretPost(POST_ID),
  secretPost(POST_OF_PROFILE, 'secret_wanda'),
  secretPost(EXPIRING_POST),
  secretPost(POST_OF_EXPIRING, 'SECRET_late'),
];

const withheldUsers: readonly User[] = [account('secret_wanda'), account('Secret_Late')];

const SECRET_BROADCAST = {
  url: 'https://x.com/i/broadcasts/1secret',
  state: 'live',
  thumbnail_url: 'https://pbs.twimg.com/secret.jpg',
};

let others = 0;
const nextId = (): string => {
  others += 1;
  return String(1_800_000_000_000_000_000n + BigInt(others));
};

/** Posts that may be shown, with what is withheld in each position. */
const postsAround = (handle: string): readonly Post[] => [
  ...withheldPosts.flatMap((quote): Post[] => {
    const inner = { ...post(nextId(), 'ben', 'A quote'), quote };
    return [
      { ...post(nextId(), handle, 'Quotes it'), quote },
      { ...post(nextId(), handle, 'Quotes a quote'), quote: inner },
      { ...post(nextId(), handle, 'Links it'), quote: { id: quote.id, url: quote.url } },
      {
        ...post(nextId(), handle, 'Answers it'),
        in_reply_to: { id: quote.id, ...(quote.author?.handle !== 'secret_author' && { ...answered(quote) }) },
      },
    ];
  }),
  {
    ...post(nextId(), handle, 'Links an old account'),
    quote: { id: '98', url: 'https://x.com/secret_very_long_handle/status/98' },
  },
  ...withheldUsers.map(
    (publisher): Post => ({
      ...post(nextId(), handle, 'Has its video'),
      media: [{ type: 'video', url: 'https://video.twimg.com/secret.mp4', publisher }],
    }),
  ),
  ...withheldUsers.flatMap(({ handle: name, id }): Post[] => [
    ...[{ handle: name, id }, { handle: name }].map((names) => ({
      ...post(nextId(), handle, 'Shares its broadcast'),
      broadcast: { ...SECRET_BROADCAST, [BROADCASTER]: names },
      card: { url: SECRET_BROADCAST.url, title: 'Secret title', image_url: SECRET_BROADCAST.thumbnail_url },
    })),
    ...[`https://x.com/${name}`, `https://twitter.com/${name}/status/97`, `https://x.com/i/status/${POST_ID}`].map(
      (url) => ({ ...post(nextId(), handle, 'Has a card of it'), card: { url, title: 'Secret title' } }),
    ),
  ]),
];

const answered = ({ author }: Post) => ({ handle: author?.handle ?? '', name: author?.name ?? '' });

const reposts = withheldUsers.map((by): Post => ({ ...post(nextId(), 'ben', 'A repost'), reposted_by: by }));

const conversationAbout = (id: string, handle: string, author?: User): Conversation => ({
  post: {
    ...post(id, handle),
    ...(author && { author, text: 'Secret words' }),
    article: {
      title: author ? 'Secret title' : 'A title',
      blocks: [{ type: 'paragraph', spans: [{ text: author ? 'secret' : 'words' }] }],
    },
    metrics: { ...post(id).metrics, replies: 30 },
  },
  ancestors: [...withheldPosts, ...postsAround('ben')],
  thread: [...withheldPosts, ...postsAround(handle)],
  replies: [...withheldPosts, ...postsAround('ben')],
});

/** Has everything, also what is withheld. */
const upstreamWithAll: Upstream = {
  readPost: async ({ id }) => {
    const secret = withheldPosts.find((known) => known.id === id);
    return found(conversationAbout(id, secret?.author?.handle ?? 'jack', secret?.author));
  },
  readProfile: async (name) => found(/secret/i.test(name) ? account(name) : user('jack')),
  listPosts: async (request) => {
    const handle = 'handle' in request && request.handle !== undefined ? request.handle : 'ben';
    return found(page([...withheldPosts, ...postsAround(handle), ...reposts]));
  },
  listUsers: async () => found(page([...withheldUsers, user('ada')])),
};

const withholding = (list: readonly object[], upstream: Upstream, now: () => number = () => NOW): Upstream => {
  const entries = parseWithheld(list);
  if ('problem' in entries) throw new Error(entries.problem);
  const withheld = createWithheld(entries, now);
  return withhold(upstream, () => withheld);
};

const createApp = (now: () => number = () => NOW, upstream: Upstream = upstreamWithAll, list = LIST) =>
  createTestApp({ upstream: withholding(list, upstream, now), now });

/** A form does not depend on the way in which an account is listed, so the second list is tried in one. */
const LISTS: readonly (readonly [string, typeof LIST, number])[] = [
  ['by its handle', LIST, Number.POSITIVE_INFINITY],
  ['by its id', LIST_BY_ID, 1],
];

const BROWSER = { headers: { accept: 'text/html' } };

const formatsOf = ({ operation, useCase }: Route): readonly string[] => {
  const { formats } = useCases[useCase];
  return queryNames(operation).includes('format') && operation.fixed?.format === undefined ? formats : [];
};

interface Form {
  readonly target: string;
  readonly options: { readonly headers?: Readonly<Record<string, string>> };
}

const isPage = (operation: Operation): boolean => operation.surface === 'permalink' && isNegotiated(operation);

/** Every form of the route. */
const formsOf = (route: Route): readonly Form[] => [
  { target: route.target, options: {} },
  ...formatsOf(route).map((format) => ({ target: withQuery(route.target, `format=${format}`), options: {} })),
  ...(isPage(route.operation) ? [{ target: route.target, options: BROWSER }] : []),
  ...(isPage(route.operation) && queryNames(route.operation).includes('download')
    ? [{ target: withQuery(route.target, 'download=1'), options: BROWSER }]
    : []),
  ...(queryNames(route.operation).includes('layout')
    ? [
        { target: withQuery(route.target, 'layout=unrolled'), options: {} },
        { target: withQuery(route.target, 'part=1&max_tokens=400'), options: {} },
      ]
    : []),
];

const SUBJECTS: readonly (readonly [string, { readonly handle: string; readonly id: string }])[] = [
  ['a withheld post by a link with another handle', { handle: 'jack', id: POST_ID }],
  ['a post of a withheld profile by a link with another handle', { handle: 'jack', id: POST_OF_PROFILE }],
  ['a withheld profile', { handle: 'SECRET_WANDA', id: POST_OF_PROFILE }],
  ['an entry that has not ended', { handle: 'secret_late', id: EXPIRING_POST }],
];

const SHOWN: readonly string[] = ['jack', '20'];

/** A search, a lookup and a list of X have no subject, and an account by its id names no handle. */
const isAbout = ({ useCase, target }: Route, subject: { readonly handle: string; readonly id: string }): boolean => {
  if (['searchPosts', 'lookupPosts', 'readProfileById', 'readXList'].includes(useCase)) return false;
  return [subject.handle, subject.id].some((name) => !SHOWN.includes(name) && target.includes(name));
};

describe('[withheld 1] as the subject of a read', () => {
  test.each(
    LISTS.flatMap(([way, list, forms]) => SUBJECTS.map(([name, subject]) => ({ name, way, subject, list, forms }))),
  )('$name, with an account $way, is 451 on every route and in every form', async ({ subject, list, forms }) => {
    const app = createApp(undefined, undefined, list);
    for (const route of routesAbout(subject).filter((one) => isAbout(one, subject))) {
      for (const { target, options } of formsOf(route).slice(0, forms)) {
        const answer = await app.get(target, options);
        if (answer.headers['content-type']?.startsWith('text/html')) {
          expect(codesIn(answer.body)).toBe('451 · withheld_by_operator');
          expect(answer.body).toContain('href="/docs/removal"');
        } else expectProblem(answer, 451, 'withheld_by_operator');
        expect([target, answer.status]).toEqual([target, 451]);
        expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
        expect(answer.headers['link']).toContain('<https://api.example.test/docs/removal>; rel="blocked-by"');
        expect(answer.body.replaceAll(new RegExp(subject.handle, 'gi'), '')).not.toMatch(SECRET);
      }
    }
  });

  test('an account by its id is 451, whose handle only the answer says', async () => {
    const upstream = { ...upstreamWithAll, readProfile: async () => found(account('secret_wanda')) };
    const app = createApp(undefined, upstream);
    for (const target of ['/api/v1/users/7', '/i/user/7']) expect((await app.get(target)).status).toBe(451);
  });

  test('a route that honours keys is private with a key', async () => {
    const { bearer, keys } = issuedKey();
    const app = createTestApp({
      upstream: withholding(LIST, upstreamWithAll),
      access: { keys },
    });
    const answer = await app.get('/secret_wanda', { headers: { authorization: bearer } });
    expect([answer.status, answer.headers['cache-control']]).toEqual([451, 'private, no-store']);
  });

  test.each<FailedOutcome>([{ kind: 'down', why: '' }, { kind: 'absent' }, { kind: 'failed', why: '' }])(
    'the answer does not depend on the provider, whose outcome is %j, if the request names what is withheld',
    async (outcome) => {
      const app = createApp(undefined, upstreamReturning(outcome));
      const subject = { handle: 'secret_wanda', id: POST_ID };
      const asked = routesAbout(subject).filter((route) => isAbout(route, subject));
      for (const { target } of asked) expect([target, (await app.get(target)).status]).toEqual([target, 451]);
    },
  );

  test('the lists of a post are 503 while the author cannot be read who may be withheld', async () => {
    const upstream: Upstream = { ...upstreamWithAll, readPost: async () => ({ kind: 'down', why: '' }) };
    const answer = await createApp(undefined, upstream).get('/api/v1/posts/20/reposts');
    expectProblem(answer, 503, 'upstream_unavailable');
  });

  test('the answer is as without the list after an entry has ended', async () => {
    let now = NOW;
    const app = createApp(() => now);
    const target = `/i/status/${EXPIRING_POST}?format=json`;
    expect((await app.get(target)).status).toBe(451);
    now = EXPIRES_AT - 1;
    expect((await app.get(target)).status).toBe(451);
    now = EXPIRES_AT;
    expect((await app.get(target)).json()).toMatchObject({ post: { id: EXPIRING_POST, text: 'Secret words' } });
    expect((await app.get('/secret_late?format=json')).json()).toMatchObject({ profile: { handle: 'secret_late' } });
  });
});

describe('[withheld 2] elsewhere', () => {
  test.each(LISTS)(
    'nothing of a withheld post or of an account, %s, is on any route and in any form',
    async (_, list) => {
      const app = createApp(undefined, undefined, list);
      for (const route of routes) {
        for (const { target, options } of formsOf(route)) {
          const answer = await app.get(target, options);
          expect([target, answer.status]).toEqual([target, 200]);
          expect([target, SECRET.exec(answer.body)?.input.match(/.{0,80}secret.{0,80}/i)?.[0]]).toEqual([
            target,
            undefined,
          ]);
        }
      }
    },
  );

  test('a conversation has tombstones at the same places', async () => {
    const answer = await createApp().get('/i/status/20?format=json');
    const gone = withheldPosts.map(({ id }) => ({ id, unavailable: true, reason: 'withheld' }));
    const { ancestors, thread, replies } = answer.json() as unknown as Conversation;
    for (const list of [ancestors, thread, replies]) {
      expect(list.slice(0, gone.length)).toEqual(gone);
      const quotes = list.flatMap((entry) => ('quote' in entry ? [entry.quote] : []));
      expect(quotes.slice(0, 1)).toEqual(gone.slice(0, 1));
      // The last is a link to a post of an old account.
      expect(quotes).toHaveLength(3 * gone.length + 1);
    }
  });

  test('[withheld 6] a card and a broadcast of other accounts stay', async () => {
    const broadcast = { url: 'https://x.com/i/broadcasts/1abc', [BROADCASTER]: { handle: 'ben', id: '7009' } };
    const card = { url: 'https://x.com/ben/status/97', title: 'A title' };
    const upstream = { ...upstreamWithAll, listPosts: async () => found(page([{ ...post('21'), broadcast, card }])) };
    for (const [, list] of LISTS) {
      const answer = await createApp(undefined, upstream, list).get('/api/v1/search?q=a&format=json');
      expect(answer.json()['posts']).toMatchObject([{ broadcast: { url: broadcast.url }, card }]);
    }
  });

  test('a lookup has tombstones in its order', async () => {
    const ids = ['20', POST_OF_PROFILE, POST_ID];
    const answer = await createApp().get(`/api/v1/posts/lookup?ids=${ids}&format=json`);
    expect(answer.json()['posts']).toMatchObject([
      { id: '20', text: 'just setting up my twttr' },
      { id: POST_OF_PROFILE, unavailable: true, reason: 'withheld' },
      { id: POST_ID, unavailable: true, reason: 'withheld' },
    ]);
  });

  test('a list leaves out items with one warning without a count or an id, and its pages are full', async () => {
    const LENGTH = 90;
    const items = Array.from({ length: LENGTH }, (_, index) =>
      index % 3 === 0 ? secretPost(`9${1_000 + index}`, 'secret_wanda') : post(`9${1_000 + index}`, 'ben'),
    );
    const upstream: Upstream = {
      ...upstreamWithAll,
      listPosts: async (_, { cursor = '0' }) => {
        const from = Number(cursor);
        const next = from + 7 < LENGTH ? String(from + 7) : undefined;
        return found(page(items.slice(from, from + 7), next));
      },
    };
    const app = createApp(undefined, upstream);
    const ids: string[] = [];
    let cursor: unknown = '';
    while (cursor !== undefined) {
      const target = `/api/v1/search?q=a&limit=20&format=json${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { posts, warnings, next_cursor: next } = (await app.get(target)).json();
      if (!Array.isArray(posts)) throw new Error('no posts');
      expect(posts).toHaveLength(20);
      expect(warnings).toEqual([
        { code: 'withheld', message: 'The operator of this service withholds posts or accounts: they are left out.' },
      ]);
      ids.push(...posts.map(({ id }) => id));
      cursor = next;
    }
    expect(ids).toEqual(items.filter(({ author }) => author?.handle === 'ben').map(({ id }) => id));
  });

  test('a list of which all is withheld ends without a claim that its owner has nothing', async () => {
    const upstream: Upstream = { ...upstreamWithAll, listPosts: async () => found(page(withheldPosts.slice(0, 1))) };
    const app = createApp(undefined, upstream);
    const answer = await app.get('/api/v1/posts/20/quotes?format=json');
    expect(answer.json()).toMatchObject({ posts: [], warnings: [{ code: 'withheld' }] });
    const { body } = await app.get('/api/v1/posts/20/quotes?format=markdown');
    expect(body).toContain('*Incomplete: The operator of this service withholds posts or accounts');
  });

  test('a timeline has no warning because of items that do not belong to it', async () => {
    const upstream: Upstream = { ...upstreamWithAll, listPosts: async () => found(page([post('21'), ...reposts])) };
    const answer = await createApp(undefined, upstream).get('/jack?format=json');
    expect(answer.json()).toMatchObject({ posts: [{ id: '21' }], warnings: [] });
  });
});

describe('[withheld 7] an account that is withheld by its id', () => {
  const LIST_OF_ID = [{ profile: 'id:7001', reason: 'court' }];
  const renamed = (handle: string): User => ({ ...account('secret_wanda'), handle });
  const isCalled = { value: false };
  const finding = (profile: User): Upstream => ({
    ...upstreamWithAll,
    readProfile: async () => {
      isCalled.value = true;
      return found(profile);
    },
    listUsers: async () => found(page([user('ada')])),
    listPosts: async () => found(page([{ ...post('21'), author: profile }])),
  });

  test('is 451 below its present handle, also its posts and the lists of its followers', async () => {
    for (const path of [
      '/new_name',
      '/new_name/followers',
      '/new_name/following',
      '/new_name/media',
      '/new_name/rss',
    ]) {
      const answer = await createApp(undefined, finding(renamed('New_Name')), LIST_OF_ID).get(path);
      expect([path, answer.status]).toEqual([path, 451]);
    }
  });

  test('is 451 without a provider by its id', async () => {
    const app = createApp(undefined, upstreamReturning({ kind: 'down', why: '' }), LIST_OF_ID);
    for (const target of ['/api/v1/users/7001', '/i/user/7001']) expect((await app.get(target)).status).toBe(451);
    expect((await app.get('/api/v1/users/7009')).status).toBe(503);
  });

  test('is found by its handle alone for an hour after it was seen, and not where another account has the handle', async () => {
    let now = NOW;
    let listed: readonly Post[] = [{ ...post('21'), author: renamed('new_name') }];
    const answer: Post = { ...post('22'), in_reply_to: { handle: 'New_name', name: 'New', id: '7' } };
    const upstream: Upstream = { ...upstreamWithAll, listPosts: async () => found(page(listed)) };
    const app = createApp(() => now, upstream, LIST_OF_ID);
    const parentOf = async () => {
      const posts: unknown = (await app.get('/api/v1/search?q=a&format=json')).json()['posts'];
      return Array.isArray(posts) ? posts.at(-1)?.in_reply_to : undefined;
    };
    await parentOf();
    listed = [answer];
    expect(await parentOf()).toEqual({ id: '7' });
    now += 3_600_000;
    expect(await parentOf()).toMatchObject({ handle: 'New_name' });

    listed = [answer, { ...post('21'), author: renamed('new_name') }];
    await parentOf();
    listed = [{ ...post('23'), author: user('New_name', { id: '7009' }) }, answer];
    expect(await parentOf()).toMatchObject({ handle: 'New_name' });
  });

  test('is not named by a post that answers it or shares its broadcast, if the provider says its id', async () => {
    const names = { handle: 'new_name', id: '7001' };
    const answer: Post = { ...post('22'), in_reply_to: { handle: 'new_name', name: 'Secret' }, [ANSWERED]: names };
    const share: Post = { ...post('23'), broadcast: { ...SECRET_BROADCAST, [BROADCASTER]: names } };
    const upstream: Upstream = { ...upstreamWithAll, listPosts: async () => found(page([answer, share])) };
    const { body } = await createApp(undefined, upstream, LIST_OF_ID).get('/api/v1/search?q=a&format=json');
    expect(body).not.toMatch(/secret|new_name/i);
  });

  test('costs no further call where nothing is withheld by an id', async () => {
    isCalled.value = false;
    const app = createApp(undefined, finding(user('ben')), [{ profile: 'secret_wanda', reason: 'court' }]);
    expect((await app.get('/ben/followers')).status).toBe(200);
    expect(isCalled.value).toBe(false);
  });

  test('takes the lists of an account away while its profile cannot be read', async () => {
    const upstream: Upstream = { ...upstreamWithAll, readProfile: async () => ({ kind: 'down', why: '' }) };
    const answer = await createApp(undefined, upstream, LIST_OF_ID).get('/api/v1/profiles/ben/followers');
    expectProblem(answer, 503, 'upstream_unavailable');
  });
});

describe('[withheld 3] tools', () => {
  const registry = createTestRegistry({
    upstream: withholding(LIST, upstreamWithAll),
  });

  test.each<readonly [string, object, boolean]>([
    ['x_get_post', { id: POST_ID }, true],
    ['x_get_post', { id: POST_OF_PROFILE }, true],
    ['x_get_profile', { handle: 'secret_wanda' }, true],
    ['x_list_posts', { handle: 'secret_wanda' }, true],
    ['x_list_followers', { handle: 'secret_wanda' }, true],
    ['x_list_following', { handle: 'secret_wanda' }, true],
    ['x_list_replies', { id: POST_ID }, true],
    ['x_get_post', { id: '20' }, false],
    ['x_get_posts', { ids: ['20', POST_ID] }, false],
    ['x_get_profile', { handle: 'jack' }, false],
    ['x_list_posts', { handle: 'jack' }, false],
    ['x_list_followers', { handle: 'jack' }, false],
    ['x_list_replies', { id: '20' }, false],
    ['x_search_posts', { q: 'a' }, false],
  ])(
    '%s %j shows nothing of it, and is an error with the code if it is the subject: %s',
    async (name, args, isError) => {
      const result = await registry.call(name, args);
      if (isError) expect(result).toMatchObject({ isError, _meta: { code: 'withheld_by_operator', status: 451 } });
      else expect(result).not.toHaveProperty('isError');
      expect(JSON.stringify(result)).not.toMatch(SECRET);
    },
  );
});
