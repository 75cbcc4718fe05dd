// Tests the results and problems of profiles, lists and searches for each outcome.
import { describe, expect, test } from 'vitest';
import type { HandleInput, SearchInput } from '../../../shared/contract/list-inputs.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { ReplyOrder } from '../../../shared/model/replies.ts';
import type { User } from '../../../shared/model/user.ts';
import type { Outcome, Upstream, UpstreamPage } from '../../../shared/ports/upstream.ts';
import { listReplies } from '../../../shared/use-cases/list-engagements.ts';
import { listFollows } from '../../../shared/use-cases/list-follows.ts';
import { listPosts } from '../../../shared/use-cases/list-posts.ts';
import { readProfile } from '../../../shared/use-cases/read-profile.ts';
import { fingerprint } from '../../../shared/use-cases/recent-items.ts';
import { searchPosts } from '../../../shared/use-cases/search-posts.ts';
import { cursors, found, NOW, page, post, upstreamFindingAll, user } from '../../support/test-app.ts';

const ports = (upstream: Partial<Upstream>) => ({
  upstream: { ...upstreamFindingAll, ...upstream },
  cursors,
  clock: () => NOW,
});

const position = {
  provider: 'fxtwitter',
  size: 20,
  cursor: 'n',
  isPartial: false,
  emptyPages: 0,
  recentFingerprints: [],
};
const of = (more: Partial<HandleInput> = {}): HandleInput => ({
  handle: 'jack',
  limit: 20,
  list: ['followers', 'jack'],
  ...more,
});
const query = (more: Partial<SearchInput> = {}): SearchInput => ({
  query: 'tide',
  feed: 'latest',
  limit: 20,
  list: ['search', 'latest', 'tide'],
  ...more,
});

const refusal = async (answer: Promise<unknown>): Promise<Problem> => {
  const thrown: unknown = await answer.catch((error: unknown) => error);
  if (!(thrown instanceof Problem)) throw new Error('no Problem was thrown');
  return thrown;
};

type UserPage = Outcome<UpstreamPage<User>>;
type Profile = Outcome<User>;

const DOWN = { kind: 'down', why: 'secret host' } as const;
const FAILED = { kind: 'failed', why: 'secret host' } as const;
const AMBIGUOUS = { kind: 'ambiguous' } as const;
const ABSENT = { kind: 'absent' } as const;
const REFUSED = { kind: 'refused', why: 'secret host' } as const;
const SUSPENDED = { kind: 'gone', reason: 'suspended' } as const;
const PROTECTED = { kind: 'gone', reason: 'protected' } as const;
const LOCKED: Profile = found(user('jack', { protected: true }));
const OPEN: Profile = found(user('jack'));
const EMPTY: UserPage = found(page([]));

describe('listFollows', () => {
  const list = (users: UserPage, profile: Profile = OPEN, input = of()) =>
    listFollows('followers', input, ports({ listUsers: async () => users, readProfile: async () => profile }));

  test.each<readonly [string, UserPage, Profile, string, string | undefined]>([
    ['not found, and the profile is suspended', AMBIGUOUS, SUSPENDED, 'profile_not_found', 'suspended'],
    ['not found, and the profile is absent', AMBIGUOUS, ABSENT, 'profile_not_found', 'unknown'],
    ['not found, and the profile is protected', AMBIGUOUS, LOCKED, 'profile_protected', 'protected'],
    ['not found, but the profile is found', AMBIGUOUS, OPEN, 'upstream_unavailable', undefined],
    ['not found, and the profile is ambiguous', AMBIGUOUS, AMBIGUOUS, 'upstream_unavailable', undefined],
    ['not found, and the profile cannot be read', AMBIGUOUS, DOWN, 'upstream_unavailable', undefined],
    ['not found, and the profile is unusable', AMBIGUOUS, FAILED, 'upstream_failed', undefined],
    ['empty, and the profile is protected', EMPTY, LOCKED, 'profile_protected', 'protected'],
    ['empty, and the profile is suspended', EMPTY, SUSPENDED, 'profile_not_found', 'suspended'],
    ['empty, and the profile cannot be read', EMPTY, DOWN, 'upstream_unavailable', undefined],
    ['of a protected profile', PROTECTED, OPEN, 'profile_protected', 'protected'],
    ['of a suspended profile', SUSPENDED, OPEN, 'profile_not_found', 'suspended'],
    ['down', DOWN, OPEN, 'upstream_unavailable', undefined],
    ['down, and the profile is protected', DOWN, LOCKED, 'profile_protected', 'protected'],
    ['down, and the profile cannot be read', DOWN, FAILED, 'upstream_unavailable', undefined],
    ['unusable', FAILED, OPEN, 'upstream_failed', undefined],
    ['unusable, and the profile is protected', FAILED, LOCKED, 'profile_protected', 'protected'],
    ['refused', REFUSED, OPEN, 'upstream_failed', undefined],
  ])('listFollows throws a problem for a list: %s', async (_, users, profile, code, reason) => {
    const thrown = await refusal(list(users, profile));
    expect(thrown.code).toBe(code);
    expect(thrown.options.reason).toBe(reason);
    const { cause: __, ...told } = thrown.options;
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  test('listFollows throws profile_protected also when the empty list has a cursor', async () => {
    let calls = 0;
    const upstream = {
      readProfile: async () => LOCKED,
      listUsers: async () => {
        calls += 1;
        return found(page<User>([], `more ${calls}`));
      },
    };
    expect((await refusal(listFollows('followers', of(), ports(upstream)))).code).toBe('profile_protected');
    expect(calls).toBe(1);
  });

  test('listFollows returns an empty list for a public profile without followers', async () => {
    expect(await list(EMPTY)).toMatchObject({ value: { handle: 'jack', users: [] }, warnings: [] });
  });

  test('listFollows does not read the profile if the first page has users', async () => {
    const requests: string[] = [];
    const upstream = {
      listUsers: async () => found(page([user('ada')])),
      readProfile: async (handle: string) => {
        requests.push(handle);
        return OPEN;
      },
    };
    await listFollows('followers', of(), ports(upstream));
    expect(requests).toEqual([]);
  });

  test('[bounds 3] a page that the provider rejects gives invalid_cursor, and the profile is not read', async () => {
    expect((await refusal(list(REFUSED, OPEN, of({ position: position })))).code).toBe('invalid_cursor');
    expect((await list(EMPTY, LOCKED, of({ position: position }))).value.users).toEqual([]);
  });

  test('listFollows returns an account once when its handle changed between two pages', async () => {
    const pages = [found(page([user('ada', { id: '1' })], 'n')), found(page([user('ada_l', { id: '1' }), user('bo')]))];
    const read = await listFollows('followers', of(), ports({ listUsers: async () => pages.shift() ?? EMPTY }));
    expect(read.value.users.map(({ handle }) => handle)).toEqual(['ada', 'bo']);
  });
});

describe('readProfile', () => {
  const read = (profile: Profile, posts: Outcome<UpstreamPage<Post>>, input = of({ list: ['posts', 'jack'] })) =>
    readProfile(input, ports({ readProfile: async () => profile, listPosts: async () => posts }));
  const POSTS = found(page([post('21'), post('20')]));

  test.each<readonly [string, Profile, string, string | undefined]>([
    ['suspended', SUSPENDED, 'profile_not_found', 'suspended'],
    ['deactivated', { kind: 'gone', reason: 'deleted' }, 'profile_not_found', 'deleted'],
    ['absent', ABSENT, 'profile_not_found', 'unknown'],
    ['ambiguous', AMBIGUOUS, 'upstream_unavailable', undefined],
    ['down', DOWN, 'upstream_unavailable', undefined],
    ['unusable', FAILED, 'upstream_failed', undefined],
  ])('readProfile throws a problem for a profile: %s', async (_, profile, code, reason) => {
    const thrown = await refusal(read(profile, POSTS));
    expect(thrown).toMatchObject({ code, options: reason === undefined ? {} : { reason } });
  });

  test('readProfile throws at once when the profile cannot be read, without waiting for the posts', async () => {
    const never = new Promise<never>(() => undefined);
    const upstream = { readProfile: async () => SUSPENDED, listPosts: () => never };
    expect((await refusal(readProfile(of(), ports(upstream)))).code).toBe('profile_not_found');
  });

  test.each([SUSPENDED, LOCKED])(
    'readProfile requests no further page of posts when the posts cannot be shown: %o',
    async (profile) => {
      let calls = 0;
      const upstream = {
        readProfile: async () => profile,
        listPosts: async () => {
          calls += 1;
          return found(page([post(String(calls))], `more ${calls}`));
        },
      };
      await readProfile(of(), ports(upstream)).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      expect(calls).toBeLessThan(3);
    },
  );

  test('readProfile returns a protected profile without posts and does not wait for them', async () => {
    const never = new Promise<never>(() => undefined);
    const upstream = { readProfile: async () => LOCKED, listPosts: () => never };
    expect(await readProfile(of(), ports(upstream))).toMatchObject({
      value: { profile: { protected: true }, posts: [] },
      warnings: [{ code: 'posts_protected' }],
    });
  });

  test.each<readonly [string, Outcome<UpstreamPage<Post>>]>([
    ['not found', AMBIGUOUS],
    ['down', DOWN],
    ['unusable', FAILED],
    ['refused', REFUSED],
  ])('readProfile returns the profile without posts when the posts are %s', async (_, posts) => {
    const { value, warnings } = await read(OPEN, posts);
    expect(value).toEqual({ profile: user('jack'), posts: [] });
    expect(warnings).toMatchObject([{ code: 'posts_unavailable' }]);
  });

  test('readProfile returns the same cursor again when a later page of posts cannot be read', async () => {
    const input = of({ position: position, list: ['posts', 'jack'] });
    const { value } = await read(OPEN, DOWN, input);
    expect(cursors.decode(input.list, value.next_cursor ?? '')).toEqual(position);
    expect((await refusal(read(OPEN, REFUSED, input))).code).toBe('invalid_cursor');
  });

  test('readProfile leaves out reposts, replies and posts of other accounts', async () => {
    const items = [
      post('25', 'Jack'),
      { ...post('24'), reposted_by: user('jack') },
      { ...post('23'), in_reply_to: { handle: 'jack', id: '1' } },
      post('22', 'eve'),
      post('21'),
    ];
    const { value } = await read(OPEN, found(page(items)));
    expect(value.posts.map(({ id }) => id)).toEqual(['25', '21']);
  });

  test('readProfile returns a warning once when profile and posts both have it', async () => {
    const note = [{ code: 'fallback_answered', message: 'another one' }];
    const { warnings } = await read(found(user('jack'), note), found(page([post('21')]), note));
    expect(warnings).toEqual(note);
  });

  test('fetched_at of a profile is the older of its two parts', async () => {
    const late: Outcome<UpstreamPage<Post>> = { ...POSTS, ...(POSTS.kind === 'found' && { fetchedAt: NOW - 5000 }) };
    expect((await read(OPEN, late)).fetchedAt).toBe(NOW - 5000);
  });
});

describe('searchPosts', () => {
  const search = (posts: Outcome<UpstreamPage<Post>>, input = query()) =>
    searchPosts(input, ports({ listPosts: async () => posts }));

  test.each<readonly [string, Outcome<UpstreamPage<Post>>, string]>([
    ['refused', REFUSED, 'invalid_query'],
    ['down', DOWN, 'upstream_unavailable'],
    ['ambiguous', AMBIGUOUS, 'upstream_unavailable'],
    ['gone', SUSPENDED, 'upstream_unavailable'],
    ['absent', ABSENT, 'upstream_unavailable'],
    ['failed', FAILED, 'upstream_failed'],
  ])('searchPosts throws a problem for a search: %s', async (_, posts, code) => {
    expect((await refusal(search(posts))).code).toBe(code);
  });

  test('searchPosts throws invalid_cursor when the provider rejects a later page', async () => {
    expect((await refusal(search(REFUSED, query({ position: position })))).code).toBe('invalid_cursor');
  });

  test('searchPosts returns an empty list when there are no results', async () => {
    expect(await search(found(page([])))).toMatchObject({ value: { query: 'tide', feed: 'latest', posts: [] } });
  });

  test('searchPosts sets degraded when a fallback answered', async () => {
    const stood = { ...page([post('20')]), isFallback: true };
    expect((await search(found(stood))).value).toMatchObject({ degraded: true });
    expect((await search(found(page([post('20')])))).value).not.toHaveProperty('degraded');
  });

  test('searchPosts returns users with a warning for the feed users', async () => {
    const { value, warnings } = await searchPosts(query({ feed: 'users' }), ports({}));
    expect(value).toMatchObject({ feed: 'users', users: [{ handle: 'ada' }] });
    expect(value).not.toHaveProperty('posts');
    expect(warnings).toMatchObject([{ code: 'users_partial' }]);
  });

  test('searchPosts returns a short page with a warning and a cursor', async () => {
    const pages = [found(page([post('20')], 'n')), DOWN];
    const { value, warnings } = await searchPosts(query(), ports({ listPosts: async () => pages.shift() ?? DOWN }));
    expect(value.next_cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(warnings).toMatchObject([{ code: 'partial_page' }]);
  });
});

test('every use case has a deadline of 8 seconds', async () => {
  const deadlines: number[] = [];
  const note =
    <T>(answer: Outcome<T>) =>
    (...facts: readonly unknown[]): Promise<Outcome<T>> => {
      deadlines.push(Number(facts.find((fact) => typeof fact === 'number')));
      return Promise.resolve(answer);
    };
  const upstream = {
    readProfile: note(OPEN),
    listPosts: note(found(page([post('20')]))),
    listUsers: note(found(page([user('ada')]))),
  };
  await readProfile(of(), ports(upstream));
  await listFollows('following', of(), ports(upstream));
  await searchPosts(query(), ports(upstream));
  expect(deadlines).toEqual(Array(4).fill(NOW + 8000));
});

test('lists of posts have a warning when an article is a preview', async () => {
  const article = { title: 'Fjords', blocks: [] };
  const whole: Post['article'] = { title: 'Fjords', blocks: [{ type: 'divider' }] };
  const codes = async (posts: readonly Post[]) => {
    const from = ports({ listPosts: async () => found(page(posts)) });
    const reads = [searchPosts(query(), from), readProfile(of(), from)];
    return (await Promise.all(reads)).map(({ warnings }) => warnings.map(({ code }) => code));
  };
  expect(await codes([post('20'), { ...post('21'), article }])).toEqual([['article_previews'], ['article_previews']]);
  expect(await codes([post('20'), { ...post('21'), article: whole }])).toEqual([[], []]);
});

test('the cursors of a profile and of its posts name the old posts that were returned early', async () => {
  const from = ports({
    listPosts: async () =>
      found(
        page(
          ['20', '30', '29'].map((id) => post(id)),
          'n',
        ),
      ),
  });
  const reads = [readProfile(of({ limit: 3 }), from), listPosts({ ...of({ limit: 3 }), kind: 'posts' }, from)];
  for (const { value } of await Promise.all(reads)) {
    const next = 'next_cursor' in value ? value.next_cursor : undefined;
    expect(cursors.decode(of().list, String(next))).toMatchObject({ earlyIds: ['20', '29'] });
  }
});

describe('the rest of a provider page that was sorted again', () => {
  /** The posts 1 and 2 were returned. */
  const again: HandleInput['position'] = {
    ...position,
    isPartial: true,
    recentFingerprints: ['1', '2'].map(fingerprint),
  };
  const sorted = ['3', '1', '2', '4'];
  const posts = ports({ listPosts: async () => found(page(sorted.map((id) => post(id)))) });
  const users = ports({ listUsers: async () => found(page(sorted.map((id) => user(`u${id}`, { id })))) });
  const replies = (order: ReplyOrder) =>
    listReplies({ id: '20', order, limit: 20, list: ['replies', '20'], position: again }, posts);

  test.each([
    ['a search of the best', () => searchPosts(query({ feed: 'top', position: again }), posts), ['3', '4']],
    ['a search of accounts', () => searchPosts(query({ feed: 'users', position: again }), users), ['3', '4']],
    ['a search by time', () => searchPosts(query({ position: again }), posts), ['4']],
    ['a search with media', () => searchPosts(query({ feed: 'media', position: again }), posts), ['4']],
    ['replies by likes', () => replies('top'), ['3', '4']],
    ['replies by time', () => replies('recent'), ['4']],
  ] as const)('of %s', async (_, run, ids) => {
    const { value } = await run();
    const items = ('users' in value && value.users) || ('posts' in value && value.posts) || [];
    expect(items.map(({ id }) => id)).toEqual(ids);
  });
});
