// Compares lists with golden files: their first, last and empty pages in every format. `npm run update -- golden` writes the
// files again; review their diff.
import { describe, expect, test } from 'vitest';
import type { Format } from '../../../shared/contract/media-types.ts';
import { warning } from '../../../shared/contract/warnings.ts';
import { FEEDS, TIMELINE_KINDS } from '../../../shared/model/lists.ts';
import type { Profile, SearchResults, UserList } from '../../../shared/model/resources.ts';
import type { User } from '../../../shared/model/user.ts';
import {
  createRelatedPostsPresenter,
  createUsersPresenter,
  presentProfile,
  presentProfilePosts,
  presentReposters,
  presentSearch,
} from '../../../shared/render/presenters/lists.ts';
import { presentPostLookup } from '../../../shared/render/presenters/present-post.ts';
import type { Presenter } from '../../../shared/render/presenters/view.ts';
import { indentedJson } from '../../support/indented-json.ts';
import {
  fullUser,
  METRICS,
  pageUrlsAt,
  type RenderRequest,
  recordedPosts,
  recordedUser,
  recordedUsers,
  renderList,
} from '../../support/list-models.ts';
import { mainOf } from '../../support/page-parts.ts';
import { postOf, userOf } from '../../support/post-models.ts';
import { bo } from '../../support/rich-media.ts';
import { RICH_POSTS } from '../../support/rich-posts.ts';

const headOf = (html: string): string => /<title>[\s\S]*?(?=<meta name="theme-color")/.exec(html)?.[0] ?? '';

const boxOf = (html: string): string => /name="q" value="[^"]*"/.exec(html)?.[0] ?? '';

const textOf = (format: Format, body: string): string => {
  if (format === 'json') return indentedJson(body);
  return format === 'html' ? `${headOf(body)}${boxOf(body)}\n${mainOf(body)}` : body;
};

const NEXT = { next_cursor: 'v1.bGlzdCAyMA.0kq3Yc2b' };

/** The pages of a list without items, in one text: the first and a later page, without and with a next page. */
const emptyPages = <T extends object>(present: Presenter<T>, value: T, path: string): string =>
  ([path, `${path}${path.includes('?') ? '&' : '?'}cursor=v1.x&limit=7`] as const)
    .flatMap((at) =>
      [value, { ...value, ...NEXT }].flatMap((shown) =>
        (['markdown', 'html'] as const).map((format) => {
          const { body } = renderList(present, shown, { format, ...pageUrlsAt(at) });
          return `==== ${at}, ${'next_cursor' in shown ? 'with' : 'without'} a next page, ${format}\n${textOf(format, body)}`;
        }),
      ),
    )
    .join('\n');

const golden = (path: string): string => `../../golden/lists/${path}`;

const FILES = [
  ['markdown', 'md'],
  ['json', 'json'],
  ['html', 'html'],
] as const;

/** @param isWhole false: without the lines of JSON and the head of the page */
const expectFiles = async <T>(
  path: string,
  present: Presenter<T>,
  value: T,
  request: RenderRequest = {},
  isWhole = false,
): Promise<void> => {
  for (const [format, extension] of isWhole ? [...FILES, ['ndjson', 'ndjson'] as const] : FILES) {
    const { body } = renderList(present, value, { ...request, format });
    const text = format === 'html' && !isWhole ? mainOf(body) : textOf(format, body);
    await expect(text).toMatchFileSnapshot(`../../golden/${path}.${extension}`);
  }
};

const expectPages = <T>(name: string, present: Presenter<T>, value: T, request: RenderRequest): Promise<void> =>
  expectFiles(`lists/${name}`, present, value, request, true);

const posts = [...RICH_POSTS.values()].slice(0, 3).concat(recordedPosts('statuses/reposts').slice(0, 2));
const people = [
  fullUser(),
  fullUser({ handle: 'gov', name: '', verified_type: 'government', protected: false, bio: 'Long. '.repeat(80) }),
  { ...userOf('Cy', 'cy'), metrics: { ...METRICS, followers: null, following: null, posts: 1, likes: 1 } },
];

const quoted = postOf({ id: '7', text: 'The fjord is quiet.', author: userOf('Ada', 'Ada_L'), lang: 'en' });
const quoting = postOf({ id: '21', text: 'Listen', author: bo, quote: quoted });
const answering = postOf({
  id: '22',
  text: '@ada_l Yes',
  mentions: ['ada_l'],
  in_reply_to: { handle: 'Ada_L', id: '7' },
});

describe('golden files of lists', () => {
  test('createRelatedPostsPresenter writes the golden files of replies and quotes', async () => {
    const first = pageUrlsAt('/ada_l/status/7/quotes?limit=3');
    await expectPages(
      'quotes',
      createRelatedPostsPresenter('quotes'),
      { id: '7', posts: [quoting, ...posts], ...NEXT },
      first,
    );
    const last = pageUrlsAt('/i/status/7/replies?cursor=v1.x');
    await expectPages('replies', createRelatedPostsPresenter('replies'), { id: '7', posts: [answering] }, last);
  });

  test('presentReposters writes the golden files of reposts', async () => {
    await expectPages(
      'reposts',
      presentReposters,
      { id: '7', users: people, ...NEXT },
      pageUrlsAt('/ada_l/status/7/retweets'),
    );
  });

  test('createUsersPresenter writes the golden files of a last page', async () => {
    const value = { handle: 'ada', users: people };
    await expectPages(
      'followers',
      createUsersPresenter('followers'),
      value,
      pageUrlsAt('/ada/followers?cursor=v1.x&limit=7'),
    );
  });

  test('presentProfile writes the golden files of posts by the account and by others', async () => {
    const profile = fullUser({ protected: true });
    const own = postOf({ id: '30', author: userOf('Ada', 'ADA') });
    const shownPosts = [
      own,
      { ...own, id: '31', reposted_by: profile },
      postOf({ id: '32', author: bo, reposted_by: profile }),
      postOf({ id: '33', author: bo }),
    ];
    await expectPages('profile-of-several-authors', presentProfile, { profile, posts: shownPosts }, pageUrlsAt('/ada'));
  });

  test.each(TIMELINE_KINDS)('presentProfilePosts writes the golden files of the timeline %s', async (kind) => {
    const warnings = [warning('article_previews'), warning('posts_failed')];
    const value = { handle: 'ADA', kind, posts: [...posts, answering], ...NEXT };
    await expectPages(`timeline-${kind}`, presentProfilePosts, value, { ...pageUrlsAt(`/ADA/${kind}`), warnings });
  });

  test('presentPostLookup writes the golden files of posts that are there, gone, and not read', async () => {
    const value = {
      posts: [
        quoting,
        { id: '8', unavailable: true, reason: 'deleted' },
        { id: '9', unavailable: true, reason: 'failed' },
        answering,
      ] as const,
    };
    for (const format of ['markdown', 'json', 'ndjson'] as const) {
      const { body } = renderList(presentPostLookup, { posts: [...value.posts] }, { format });
      await expect(textOf(format, body)).toMatchFileSnapshot(golden(`lookup.${format}`));
    }
    const pages = [[], [quoting]].map((found) => renderList(presentPostLookup, { posts: found }).body);
    await expect(pages.join('====\n')).toMatchFileSnapshot(golden('lookup-short.md'));
  });
});

describe('golden files of empty pages', () => {
  const none = { posts: [] };

  test('lists below a post', async () => {
    const pages = [
      emptyPages(createRelatedPostsPresenter('quotes'), { id: '7', ...none }, '/ada/status/7/quotes'),
      emptyPages(createRelatedPostsPresenter('replies'), { id: '7', ...none }, '/i/status/7/replies'),
      emptyPages(presentReposters, { id: '7', users: [] }, '/ada/status/7/retweets'),
    ];
    await expect(pages.join('\n')).toMatchFileSnapshot(golden('empty-engagements.txt'));
  });

  test('followers and followed accounts', async () => {
    const pages = (['followers', 'following'] as const).map((follows) =>
      emptyPages(createUsersPresenter(follows), { handle: 'ada', users: [] }, `/ada/${follows}`),
    );
    await expect(pages.join('\n')).toMatchFileSnapshot(golden('empty-follows.txt'));
  });

  test('timelines', async () => {
    const pages = TIMELINE_KINDS.map((kind) =>
      emptyPages(presentProfilePosts, { handle: 'ada', kind, ...none }, `/ada/${kind}`),
    );
    await expect(pages.join('\n')).toMatchFileSnapshot(golden('empty-timelines.txt'));
  });

  test('searches', async () => {
    const pages = FEEDS.map((feed) =>
      emptyPages(
        presentSearch,
        { query: 'tide', feed, ...(feed === 'users' ? { users: [] } : none) },
        `/search?q=tide&feed=${feed}`,
      ),
    );
    await expect(pages.join('\n')).toMatchFileSnapshot(golden('empty-searches.txt'));
  });

  test('searches with words, operators, handles and tags', async () => {
    // biome-ignore format: side by side they fit on a screen
    const queries = [
      'tide', '@ada', 'from:ada', 'from:ada "high tide"', '-filter:links', '(a OR b) lang:en', '#tide', 'docs', '!',
    ];
    const pages = queries.flatMap((query) =>
      FEEDS.map((feed) => {
        const { body } = renderList(
          presentSearch,
          { query, feed },
          { format: 'html', ...pageUrlsAt('/search?q=tide') },
        );
        return `==== ${query}, ${feed}\n${headOf(body).split('\n')[0]}\n${mainOf(body).replace(/<details>.*<\/details>/s, '')}`;
      }),
    );
    await expect(pages.join('\n')).toMatchFileSnapshot(golden('empty-search-texts.txt'));
  });

  test('profiles without posts', async () => {
    const profiles: readonly Profile[] = [
      { profile: fullUser({ protected: false }), ...none },
      { profile: fullUser({ protected: true }), ...none },
      {
        profile: {
          ...userOf(),
          metrics: { ...METRICS, posts: 1, followers: 1 },
          website: 'https://www.tide.example/',
          bio: '#tide #20 @bo https://tide.example.',
        },
        ...none,
      },
    ];
    const pages = profiles.map((value) => emptyPages(presentProfile, value, '/ada'));
    await expect(pages.join('\n')).toMatchFileSnapshot(golden('empty-profiles.txt'));
  });
});

describe('golden files of presentProfile', () => {
  const profileWith = (name: string, posts: string, count = 5): Profile => ({
    profile: recordedUser(`profile/${name}`),
    posts: recordedPosts(`statuses/${posts}`).slice(0, count),
  });

  test.each<[string, Profile, RenderRequest]>([
    ['ada_larsson', { ...profileWith('ada_larsson', 'p1_default', 6), ...NEXT }, pageUrlsAt('/ada_larsson')],
    ['md_breaker', profileWith('md_breaker', 'user_md_breaker'), {}],
    ['noor_alhuda', profileWith('noor_alhuda', 'empty'), {}],
    ['odd_handle', profileWith('odd_handle____1', 'empty'), {}],
    ['private_pia', profileWith('private_pia', 'empty'), { warnings: [warning('posts_protected')] }],
    ['haru_k-without-posts', profileWith('haru_k', 'empty'), { warnings: [warning('posts_unavailable')] }],
    [
      'ada_larsson-cut',
      { ...profileWith('ada_larsson', 'p1_default'), ...NEXT },
      { ...pageUrlsAt('/ada_larsson'), maxTokens: 220 },
    ],
  ])('presentProfile writes the golden files of %s', (name, value, request) =>
    expectFiles(`profiles/${name}`, presentProfile, value, request),
  );
});

describe('golden files of createUsersPresenter', () => {
  const followers = (users: User[], next?: string): UserList => ({
    handle: 'ada_larsson',
    users,
    next_cursor: next,
  });

  test.each<[string, 'followers' | 'following', UserList, RenderRequest]>([
    [
      'followers',
      'followers',
      followers(recordedUsers('followers/ada_larsson_count5'), NEXT.next_cursor),
      pageUrlsAt('/ada_larsson/followers?limit=5'),
    ],
    ['following', 'following', followers(recordedUsers('following/ada_larsson_count5')), {}],
    ['empty', 'followers', followers([]), {}],
    [
      'strange',
      'followers',
      followers(['md_breaker', 'odd_handle____1', 'noor_alhuda'].map((name) => recordedUser(`profile/${name}`))),
      { warnings: [warning('partial_page')] },
    ],
    [
      'cut',
      'followers',
      followers(recordedUsers('followers/ada_larsson_count100').slice(0, 8), NEXT.next_cursor),
      { ...pageUrlsAt('/ada_larsson/followers'), maxTokens: 200 },
    ],
  ])('createUsersPresenter writes the golden files of %s', (name, follows, value, request) =>
    expectFiles(`users/${name}`, createUsersPresenter(follows), value, request),
  );
});

test.each<[string, SearchResults, RenderRequest]>([
  [
    'puffins',
    {
      query: 'puffins',
      feed: 'latest',
      posts: recordedPosts('search/q_puffins').slice(0, 4),
      ...NEXT,
    },
    pageUrlsAt('/search?q=puffins'),
  ],
  [
    'reposts-and-replies',
    {
      query: 'from:kestrel_labs # *fjord* [x](y)',
      feed: 'top',
      posts: [...recordedPosts('statuses/reposts'), ...recordedPosts('statuses/p1_default').slice(1, 2)],
      degraded: true,
    },
    { warnings: [warning('recent_only')] },
  ],
  ['nothing', { query: 'no such thing', feed: 'media', posts: [] }, {}],
  [
    'accounts',
    { query: 'fjord', feed: 'users', users: recordedUsers('followers/ada_larsson_count5') },
    { warnings: [warning('users_partial')] },
  ],
  ['cut', { query: 'hearing', feed: 'latest', posts: recordedPosts('search/latest_p1') }, { maxTokens: 200 }],
])('presentSearch writes the golden files of %s', (name, value, request) =>
  expectFiles(`search/${name}`, presentSearch, value, request),
);
