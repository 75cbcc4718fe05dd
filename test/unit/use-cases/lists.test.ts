// What profiles, lists and searches are to the caller, outcome by outcome.
import { describe, expect, test } from 'vitest';
import type { HandleInput, SearchInput } from '../../../shared/contract/inputs.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { User } from '../../../shared/model/user.ts';
import type { Outcome, Upstream, UpstreamPage } from '../../../shared/ports/upstream.ts';
import { listFollows } from '../../../shared/use-cases/list-follows.ts';
import { readProfile } from '../../../shared/use-cases/read-profile.ts';
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

describe('followers', () => {
  const list = (users: UserPage, profile: Profile = OPEN, input = of()) =>
    listFollows('followers', input, ports({ listUsers: async () => users, readProfile: async () => profile }));

  test.each<readonly [string, UserPage, Profile, string, string | undefined]>([
    ['not found, and the profile is suspended', AMBIGUOUS, SUSPENDED, 'profile_not_found', 'suspended'],
    ['not found, and neither is the profile', AMBIGUOUS, ABSENT, 'profile_not_found', 'unknown'],
    ['not found, and the profile is protected', AMBIGUOUS, LOCKED, 'profile_protected', 'protected'],
    ['not found, but the profile is', AMBIGUOUS, OPEN, 'upstream_unavailable', undefined],
    ['not found, and the profile is in doubt', AMBIGUOUS, AMBIGUOUS, 'upstream_unavailable', undefined],
    ['not found, and the profile cannot be read', AMBIGUOUS, DOWN, 'upstream_unavailable', undefined],
    ['not found, and the profile is unusable', AMBIGUOUS, FAILED, 'upstream_failed', undefined],
    ['empty, and the profile is protected', EMPTY, LOCKED, 'profile_protected', 'protected'],
    ['empty, and the profile is suspended', EMPTY, SUSPENDED, 'profile_not_found', 'suspended'],
    ['empty, and nobody knows whether it is protected', EMPTY, DOWN, 'upstream_unavailable', undefined],
    ['of a protected profile', PROTECTED, OPEN, 'profile_protected', 'protected'],
    ['of a suspended profile', SUSPENDED, OPEN, 'profile_not_found', 'suspended'],
    ['not to be had', DOWN, OPEN, 'upstream_unavailable', undefined],
    ['unusable', FAILED, OPEN, 'upstream_failed', undefined],
    ['refused though nothing is wrong with it', REFUSED, OPEN, 'upstream_failed', undefined],
  ])('%s', async (_, users, profile, code, reason) => {
    const thrown = await refusal(list(users, profile));
    expect(thrown.code).toBe(code);
    expect(thrown.options.reason).toBe(reason);
    const { cause: __, ...told } = thrown.options;
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  test('of a protected profile are refused also when the list seems to go on', async () => {
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

  test('that are none are an empty list, of a profile that is public', async () => {
    expect(await list(EMPTY)).toMatchObject({ value: { handle: 'jack', users: [] }, warnings: [] });
  });

  test('are asked for without the profile as long as there are some', async () => {
    const asked: string[] = [];
    const upstream = {
      listUsers: async () => found(page([user('ada')])),
      readProfile: async (handle: string) => {
        asked.push(handle);
        return OPEN;
      },
    };
    await listFollows('followers', of(), ports(upstream));
    expect(asked).toEqual([]);
  });

  test('[bounds #4] a page that the provider does not know any more is the cursor’s fault, and the profile is not asked', async () => {
    expect((await refusal(list(REFUSED, OPEN, of({ position: position })))).code).toBe('invalid_cursor');
    expect((await list(EMPTY, LOCKED, of({ position: position }))).value.users).toEqual([]);
  });

  test('who renamed themselves between two pages come once', async () => {
    const pages = [found(page([user('ada', { id: '1' })], 'n')), found(page([user('ada_l', { id: '1' }), user('bo')]))];
    const read = await listFollows('followers', of(), ports({ listUsers: async () => pages.shift() ?? EMPTY }));
    expect(read.value.users.map(({ handle }) => handle)).toEqual(['ada', 'bo']);
  });
});

describe('a profile', () => {
  const read = (profile: Profile, posts: Outcome<UpstreamPage<Post>>, input = of({ list: ['posts', 'jack'] })) =>
    readProfile(input, ports({ readProfile: async () => profile, listPosts: async () => posts }));
  const POSTS = found(page([post('21'), post('20')]));

  test.each<readonly [string, Profile, string, string | undefined]>([
    ['that is suspended', SUSPENDED, 'profile_not_found', 'suspended'],
    ['that was deactivated', { kind: 'gone', reason: 'deleted' }, 'profile_not_found', 'deleted'],
    ['that does not exist', ABSENT, 'profile_not_found', 'unknown'],
    ['in doubt', AMBIGUOUS, 'upstream_unavailable', undefined],
    ['not to be had', DOWN, 'upstream_unavailable', undefined],
    ['unusable', FAILED, 'upstream_failed', undefined],
  ])('%s', async (_, profile, code, reason) => {
    const thrown = await refusal(read(profile, POSTS));
    expect(thrown).toMatchObject({ code, options: reason === undefined ? {} : { reason } });
  });

  test('that cannot be had is said at once, however long its posts take', async () => {
    const never = new Promise<never>(() => undefined);
    const upstream = { readProfile: async () => SUSPENDED, listPosts: () => never };
    expect((await refusal(readProfile(of(), ports(upstream)))).code).toBe('profile_not_found');
  });

  test.each([SUSPENDED, LOCKED])('that has nothing to show asks for no more pages of it: %o', async (profile) => {
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
  });

  test('that is protected is shown without posts, and without waiting for them', async () => {
    const never = new Promise<never>(() => undefined);
    const upstream = { readProfile: async () => LOCKED, listPosts: () => never };
    expect(await readProfile(of(), ports(upstream))).toMatchObject({
      value: { profile: { protected: true }, posts: [] },
      warnings: [{ code: 'posts_protected' }],
    });
  });

  test.each<readonly [string, Outcome<UpstreamPage<Post>>]>([
    ['not found', AMBIGUOUS],
    ['not to be had', DOWN],
    ['unusable', FAILED],
    ['refused', REFUSED],
  ])('whose posts are %s is shown without them', async (_, posts) => {
    const { value, warnings } = await read(OPEN, posts);
    expect(value).toEqual({ profile: user('jack'), posts: [] });
    expect(warnings).toMatchObject([{ code: 'posts_unavailable' }]);
  });

  test('whose later posts cannot be read says where to try again', async () => {
    const input = of({ position: position, list: ['posts', 'jack'] });
    const { value } = await read(OPEN, DOWN, input);
    expect(cursors.decode(input.list, value.next_cursor ?? '')).toEqual(position);
    expect((await refusal(read(OPEN, REFUSED, input))).code).toBe('invalid_cursor');
  });

  test('has its own posts: no reposts, no replies, nobody else’s', async () => {
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

  test('says once what is true of both its parts', async () => {
    const note = [{ code: 'fallback_answered', message: 'another one' }];
    const { warnings } = await read(found(user('jack'), note), found(page([post('21')]), note));
    expect(warnings).toEqual(note);
  });

  test('is as old as the older of its two parts', async () => {
    const late: Outcome<UpstreamPage<Post>> = { ...POSTS, ...(POSTS.kind === 'found' && { fetchedAt: NOW - 5000 }) };
    expect((await read(OPEN, late)).fetchedAt).toBe(NOW - 5000);
  });
});

describe('a search', () => {
  const search = (posts: Outcome<UpstreamPage<Post>>, input = query()) =>
    searchPosts(input, ports({ listPosts: async () => posts }));

  test.each<readonly [string, Outcome<UpstreamPage<Post>>, string]>([
    ['that the provider refuses', REFUSED, 'invalid_query'],
    ['without an answer', DOWN, 'upstream_unavailable'],
    ['that is not found, which no search is', AMBIGUOUS, 'upstream_unavailable'],
    ['that is gone, which no search is', SUSPENDED, 'upstream_unavailable'],
    ['that is absent, which no search is', ABSENT, 'upstream_unavailable'],
    ['with an unusable answer', FAILED, 'upstream_failed'],
  ])('%s', async (_, posts, code) => {
    expect((await refusal(search(posts))).code).toBe(code);
  });

  test('that the provider refuses to continue is the cursor’s fault', async () => {
    expect((await refusal(search(REFUSED, query({ position: position })))).code).toBe('invalid_cursor');
  });

  test('without hits is an empty list', async () => {
    expect(await search(found(page([])))).toMatchObject({ value: { query: 'tide', feed: 'latest', posts: [] } });
  });

  test('says when a fallback answered', async () => {
    const stood = { ...page([post('20')]), isFallback: true };
    expect((await search(found(stood))).value).toMatchObject({ degraded: true });
    expect((await search(found(page([post('20')])))).value).not.toHaveProperty('degraded');
  });

  test('for accounts has users instead of posts, and says that they are a few', async () => {
    const { value, warnings } = await searchPosts(query({ feed: 'users' }), ports({}));
    expect(value).toMatchObject({ feed: 'users', users: [{ handle: 'ada' }] });
    expect(value).not.toHaveProperty('posts');
    expect(warnings).toMatchObject([{ code: 'users_partial' }]);
  });

  test('that comes out short says so and goes on', async () => {
    const pages = [found(page([post('20')], 'n')), DOWN];
    const { value, warnings } = await searchPosts(query(), ports({ listPosts: async () => pages.shift() ?? DOWN }));
    expect(value.next_cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(warnings).toMatchObject([{ code: 'partial_page' }]);
  });
});

test('every read has 8 seconds', async () => {
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

test('lists of posts say where articles are previews', async () => {
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
