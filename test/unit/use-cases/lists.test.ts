// Tests the results and problems of profiles, lists and searches for each outcome.
import { describe, expect, test } from 'vitest';
import type { HandleInput, SearchInput } from '../../../shared/contract/list-inputs.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import type { ReplyOrder } from '../../../shared/model/conversation.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { User } from '../../../shared/model/user.ts';
import type { Outcome, Upstream, UpstreamPage } from '../../../shared/ports/upstream.ts';
import { listFollows, listReplies } from '../../../shared/use-cases/list-items.ts';
import { readProfile } from '../../../shared/use-cases/read-profile.ts';
import { readTimeline } from '../../../shared/use-cases/read-timeline.ts';
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

type Profile = Outcome<User>;

const SUSPENDED = { kind: 'gone', reason: 'suspended' } as const;
const LOCKED: Profile = found(user('jack', { protected: true }));
const OPEN: Profile = found(user('jack'));

test('listFollows throws profile_protected also when the empty list has a cursor', async () => {
  let calls = 0;
  const upstream = {
    readProfile: async () => LOCKED,
    listUsers: async () => {
      calls += 1;
      return found(page<User>([], `more ${calls}`));
    },
  };
  expect((await refusal(listFollows('followers')(of(), ports(upstream)))).code).toBe('profile_protected');
  expect(calls).toBe(1);
});

describe('readProfile', () => {
  const read = (profile: Profile, posts: Outcome<UpstreamPage<Post>>, input = of({ list: ['posts', 'jack'] })) =>
    readProfile(input, ports({ readProfile: async () => profile, listPosts: async () => posts }));
  const POSTS = found(page([post('21'), post('20')]));

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

  test('fetched_at of a profile is the older of its two parts', async () => {
    const late: Outcome<UpstreamPage<Post>> = { ...POSTS, ...(POSTS.kind === 'found' && { fetchedAt: NOW - 5000 }) };
    expect((await read(OPEN, late)).fetchedAt).toBe(NOW - 5000);
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
  await listFollows('following')(of(), ports(upstream));
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
  const reads = [readProfile(of({ limit: 3 }), from), readTimeline({ ...of({ limit: 3 }), kind: 'posts' }, from)];
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
