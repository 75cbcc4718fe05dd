// Compares lists with golden files: their first, last and empty pages in every format. `npm run update -- golden` writes the
// files again; review their diff.
import { expect, test } from 'vitest';
import type { Format } from '../../../shared/contract/media-types.ts';
import { type WarningCode, warning } from '../../../shared/contract/warnings.ts';
import { FEEDS, TIMELINE_KINDS } from '../../../shared/model/lists.ts';
import type { Profile, UserList } from '../../../shared/model/resources.ts';
import type { User } from '../../../shared/model/user.ts';
import { createFollowsPresenter } from '../../../shared/reads/follows/present.ts';
import { presentLookup } from '../../../shared/reads/lookup/present.ts';
import { createRelatedPostsPresenter } from '../../../shared/reads/paging/present-related.ts';
import { presentProfile } from '../../../shared/reads/profile/present.ts';
import { presentProfilePosts } from '../../../shared/reads/profile-posts/present.ts';
import { presentReposters } from '../../../shared/reads/reposts/present.ts';
import { presentSearch } from '../../../shared/reads/search/present.ts';
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

const expectFiles = async <T>(
  path: string,
  present: Presenter<T>,
  value: T,
  request: RenderRequest,
  isWhole: boolean,
): Promise<void> => {
  const formats: readonly (readonly [Format, string])[] = [
    ['markdown', 'md'],
    ['json', 'json'],
    ['html', 'html'],
    ...(isWhole
      ? ([
          ['ndjson', 'ndjson'],
          ['csv', 'csv'],
        ] as const)
      : []),
  ];
  for (const [format, extension] of formats) {
    const { body } = renderList(present, value, { ...request, format });
    const text = format === 'html' && !isWhole ? mainOf(body) : textOf(format, body);
    await expect(text).toMatchFileSnapshot(`../../golden/${path}.${extension}`);
  }
};

type Files = readonly [path: string, check: () => Promise<void>];

/** The files of a list: without lines of JSON, CSV and the head of the page. */
const files = <T>(path: string, present: Presenter<T>, value: T, request: RenderRequest = {}): Files => [
  path,
  () => expectFiles(path, present, value, request, false),
];

/** The files of a list with its lines of JSON, CSV and the head of its page. */
const pages = <T>(name: string, present: Presenter<T>, value: T, at: string, request: RenderRequest = {}): Files => [
  name,
  () => expectFiles(`lists/${name}`, present, value, { ...pageUrlsAt(at), ...request }, true),
];

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

const profile = fullUser({ protected: true });
const own = postOf({ id: '30', author: userOf('Ada', 'ADA') });
const ofSeveralAuthors = [
  own,
  { ...own, id: '31', reposted_by: profile },
  postOf({ id: '32', author: bo, reposted_by: profile }),
  postOf({ id: '33', author: bo }),
];
const profileWith = (name: string, statuses: string, count = 5): Profile => ({
  profile: recordedUser(`profile/${name}`),
  posts: recordedPosts(`statuses/${statuses}`).slice(0, count),
});
const presentFollowers = createFollowsPresenter('followers');
const larsson = (users: readonly User[], next?: string): UserList => ({
  handle: 'ada_larsson',
  users: [...users],
  next_cursor: next,
});
const strange = ['md_breaker', 'odd_handle____1', 'noor_alhuda'].map((name) => recordedUser(`profile/${name}`));
const withWarnings = (...codes: readonly WarningCode[]): RenderRequest => ({
  warnings: codes.map((code) => warning(code)),
});

test.each<Files>([
  pages(
    'quotes',
    createRelatedPostsPresenter('quotes'),
    { id: '7', posts: [quoting, ...posts], ...NEXT },
    '/ada_l/status/7/quotes?limit=3',
  ),
  pages(
    'replies',
    createRelatedPostsPresenter('replies'),
    { id: '7', posts: [answering] },
    '/i/status/7/replies?cursor=v1.x',
  ),
  pages('reposts', presentReposters, { id: '7', users: people, ...NEXT }, '/ada_l/status/7/retweets'),
  pages('followers', presentFollowers, { handle: 'ada', users: people }, '/ada/followers?cursor=v1.x&limit=7'),
  pages('profile-of-several-authors', presentProfile, { profile, posts: ofSeveralAuthors }, '/ada'),
  ...TIMELINE_KINDS.map((kind) =>
    pages(
      `timeline-${kind}`,
      presentProfilePosts,
      { handle: 'ADA', kind, posts: [...posts, answering], ...NEXT },
      `/ADA/${kind}`,
      withWarnings('article_previews', 'posts_failed'),
    ),
  ),
  files(
    'profiles/ada_larsson',
    presentProfile,
    { ...profileWith('ada_larsson', 'p1_default', 6), ...NEXT },
    pageUrlsAt('/ada_larsson'),
  ),
  files('profiles/md_breaker', presentProfile, profileWith('md_breaker', 'user_md_breaker')),
  files('profiles/noor_alhuda', presentProfile, profileWith('noor_alhuda', 'empty')),
  files('profiles/odd_handle', presentProfile, profileWith('odd_handle____1', 'empty')),
  files('profiles/private_pia', presentProfile, profileWith('private_pia', 'empty'), withWarnings('posts_protected')),
  files(
    'profiles/haru_k-without-posts',
    presentProfile,
    profileWith('haru_k', 'empty'),
    withWarnings('posts_unavailable'),
  ),
  files(
    'profiles/ada_larsson-cut',
    presentProfile,
    { ...profileWith('ada_larsson', 'p1_default'), ...NEXT },
    { ...pageUrlsAt('/ada_larsson'), maxTokens: 220 },
  ),
  files(
    'users/followers',
    presentFollowers,
    larsson(recordedUsers('followers/ada_larsson_count5'), NEXT.next_cursor),
    pageUrlsAt('/ada_larsson/followers?limit=5'),
  ),
  files('users/following', createFollowsPresenter('following'), larsson(recordedUsers('following/ada_larsson_count5'))),
  files('users/empty', presentFollowers, larsson([])),
  files('users/strange', presentFollowers, larsson(strange), withWarnings('partial_page')),
  files(
    'users/cut',
    presentFollowers,
    larsson(recordedUsers('followers/ada_larsson_count100').slice(0, 8), NEXT.next_cursor),
    { ...pageUrlsAt('/ada_larsson/followers'), maxTokens: 200 },
  ),
  files(
    'search/puffins',
    presentSearch,
    { query: 'puffins', feed: 'latest', posts: recordedPosts('search/q_puffins').slice(0, 4), ...NEXT },
    pageUrlsAt('/search?q=puffins'),
  ),
  files(
    'search/reposts-and-replies',
    presentSearch,
    {
      query: 'from:kestrel_labs # *fjord* [x](y)',
      feed: 'top',
      posts: [...recordedPosts('statuses/reposts'), ...recordedPosts('statuses/p1_default').slice(1, 2)],
      degraded: true,
    },
    withWarnings('recent_only'),
  ),
  files('search/nothing', presentSearch, { query: 'no such thing', feed: 'media', posts: [] }),
  files(
    'search/accounts',
    presentSearch,
    { query: 'fjord', feed: 'users', users: recordedUsers('followers/ada_larsson_count5') },
    withWarnings('users_partial'),
  ),
  files(
    'search/cut',
    presentSearch,
    { query: 'hearing', feed: 'latest', posts: recordedPosts('search/latest_p1') },
    { maxTokens: 200 },
  ),
])('the list %s is that of its golden files', (_, check) => check());

test('presentLookup writes the golden files of posts that are there, gone, and not read', async () => {
  const value = {
    posts: [
      quoting,
      { id: '8', unavailable: true, reason: 'deleted' },
      { id: '9', unavailable: true, reason: 'failed' },
      answering,
    ] as const,
  };
  for (const format of ['markdown', 'json', 'ndjson', 'csv'] as const) {
    const { body } = renderList(presentLookup, { posts: [...value.posts] }, { format });
    await expect(textOf(format, body)).toMatchFileSnapshot(golden(`lookup.${format}`));
  }
  const pages = [[], [quoting]].map((found) => renderList(presentLookup, { posts: found }).body);
  await expect(pages.join('====\n')).toMatchFileSnapshot(golden('lookup-short.md'));
});

const none = { posts: [] };

const emptyProfiles: readonly User[] = [
  fullUser({ protected: false }),
  fullUser({ protected: true }),
  {
    ...userOf(),
    metrics: { ...METRICS, posts: 1, followers: 1 },
    website: 'https://www.tide.example/',
    bio: '#tide #20 @bo https://tide.example.',
  },
];

test.each<readonly [string, readonly string[]]>([
  [
    'engagements',
    [
      emptyPages(createRelatedPostsPresenter('quotes'), { id: '7', ...none }, '/ada/status/7/quotes'),
      emptyPages(createRelatedPostsPresenter('replies'), { id: '7', ...none }, '/i/status/7/replies'),
      emptyPages(presentReposters, { id: '7', users: [] }, '/ada/status/7/retweets'),
    ],
  ],
  [
    'follows',
    (['followers', 'following'] as const).map((follows) =>
      emptyPages(createFollowsPresenter(follows), { handle: 'ada', users: [] }, `/ada/${follows}`),
    ),
  ],
  [
    'timelines',
    TIMELINE_KINDS.map((kind) => emptyPages(presentProfilePosts, { handle: 'ada', kind, ...none }, `/ada/${kind}`)),
  ],
  [
    'searches',
    FEEDS.map((feed) => {
      const value = { query: 'tide', feed, ...(feed === 'users' ? { users: [] } : none) };
      return emptyPages(presentSearch, value, `/search?q=tide&feed=${feed}`);
    }),
  ],
  ['profiles', emptyProfiles.map((user) => emptyPages(presentProfile, { profile: user, ...none }, '/ada'))],
])('the empty pages of %s are those of the golden file', async (name, shown) => {
  await expect(shown.join('\n')).toMatchFileSnapshot(golden(`empty-${name}.txt`));
});

test('empty searches with words, operators, handles and tags are those of the golden file', async () => {
  // biome-ignore format: side by side they fit on a screen
  const queries = [
    'tide', '@ada', 'from:ada', 'from:ada "high tide"', '-filter:links', '(a OR b) lang:en', '#tide', 'docs', '!', '@ada high "tide"',
  ];
  const request = { format: 'html', ...pageUrlsAt('/search?q=tide') } as const;
  const shown = queries.flatMap((query) =>
    FEEDS.map((feed) => {
      const { body } = renderList(presentSearch, { query, feed }, request);
      return `==== ${query}, ${feed}\n${headOf(body).split('\n')[0]}\n${mainOf(body).replace(/<details>.*<\/details>/s, '')}`;
    }),
  );
  await expect(shown.join('\n')).toMatchFileSnapshot(golden('empty-search-texts.txt'));
});
