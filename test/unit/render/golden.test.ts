// Compares rendered documents with golden files. `npm run update -- golden` writes the files again; review their diff.
import { describe, expect, test } from 'vitest';
import type { Format } from '../../../shared/contract/media-types.ts';
import { warning } from '../../../shared/contract/warnings.ts';
import type { Representation } from '../../../shared/http/representation.ts';
import type { Profile, SearchResults, UserList } from '../../../shared/model/resources.ts';
import type { User } from '../../../shared/model/user.ts';
import { createUsersPresenter, presentProfile, presentSearch } from '../../../shared/render/presenters/lists.ts';
import { presentPost } from '../../../shared/render/presenters/present-post.ts';
import type { Presenter } from '../../../shared/render/presenters/view.ts';
import { indentedJson } from '../../support/indented-json.ts';
import {
  pageUrlsAt,
  type RenderRequest,
  recordedPosts,
  recordedUser,
  recordedUsers,
  renderList,
  renderResult,
} from '../../support/list-models.ts';
import { mainOf } from '../../support/page-parts.ts';
import { readRecorded } from '../../support/recorded-posts.ts';

// biome-ignore format: a list of names
const POSTS = [
  'status/first_post_20', 'status/text_plain', 'status/text_markdown_traps', 'status/text_astral_then_entities', 'status/text_cjk_newlines', 'status/text_rtl',
  'status/text_control_chars', 'status/text_mention_storm', 'status/text_two_same_urls', 'status/note_rich', 'status/photo_four', 'status/photo_one_alt',
  'status/video', 'status/gif', 'status/mixed_photo_video', 'status/poll_live', 'status/poll_ended_two', 'status/card_link', 'status/card_player_youtube',
  'status/quote_of_quote', 'status/quote_of_deleted', 'status/community_note', 'status/article', 'status/repost', 'status/reply_to_deleted',
  'status/generated_broadcast', 'status/community_post', 'status/generated_translation_present', 'status/video_vertical_publisher', 'status/converted_links',
  'status/converted_note_styles', 'status/converted_article_parts', 'thread/th3', 'thread/1848831595014459513', 'conversation/th1_p1_likes', 'conversation/reply_focal',
];

const read = async (name: string, format: Format): Promise<string> => {
  const outcome = await readRecorded(`fxtwitter/${name}.json`);
  if (outcome.kind !== 'found') throw new Error(`${name}: ${outcome.kind}`);
  return renderResult(presentPost, outcome, { format, ...pageUrlsAt('/') }).body;
};

const golden = (name: string, extension: string): string => `../../golden/posts/${name.replace('/', '-')}.${extension}`;

test.each(POSTS)('presentPost writes the golden files of %s', async (name) => {
  await expect(await read(name, 'markdown')).toMatchFileSnapshot(golden(name, 'md'));
  await expect(await read(name, 'obsidian')).toMatchFileSnapshot(golden(name, 'obsidian.md'));
  await expect(indentedJson(await read(name, 'json'))).toMatchFileSnapshot(golden(name, 'json'));
});

test('presentPost writes the golden file of a thread as one text', async () => {
  const outcome = await readRecorded('fxtwitter/thread/th3.json');
  if (outcome.kind !== 'found') throw new Error(outcome.kind);
  const { body } = renderResult(presentPost, outcome, { layout: 'unrolled' });
  await expect(body).toMatchFileSnapshot(golden('thread/th3', 'unrolled.md'));
});

const expectGolden = async <T>(
  path: string,
  present: Presenter<T>,
  value: T,
  request: RenderRequest = {},
): Promise<void> => {
  const form = (format: Format): Representation => renderList(present, value, { ...request, format });
  await expect(form('markdown').body).toMatchFileSnapshot(`../../golden/${path}.md`);
  await expect(indentedJson(form('json').body)).toMatchFileSnapshot(`../../golden/${path}.json`);
  await expect(mainOf(form('html').body)).toMatchFileSnapshot(`../../golden/${path}.html`);
};

const CURSOR = 'v1.bGlzdCAyMA.0kq3Yc2b';

describe('golden files of presentProfile', () => {
  const profileWith = (name: string, posts: string, count = 5): Profile => ({
    profile: recordedUser(`profile/${name}`),
    posts: recordedPosts(`statuses/${posts}`).slice(0, count),
  });

  test.each<[string, Profile, RenderRequest]>([
    [
      'ada_larsson',
      { ...profileWith('ada_larsson', 'p1_default', 6), next_cursor: CURSOR },
      pageUrlsAt('/ada_larsson'),
    ],
    ['md_breaker', profileWith('md_breaker', 'user_md_breaker'), {}],
    ['noor_alhuda', profileWith('noor_alhuda', 'empty'), {}],
    ['odd_handle', profileWith('odd_handle____1', 'empty'), {}],
    ['private_pia', profileWith('private_pia', 'empty'), { warnings: [warning('posts_protected')] }],
    ['haru_k-without-posts', profileWith('haru_k', 'empty'), { warnings: [warning('posts_unavailable')] }],
    [
      'ada_larsson-cut',
      { ...profileWith('ada_larsson', 'p1_default'), next_cursor: CURSOR },
      { ...pageUrlsAt('/ada_larsson'), maxTokens: 220 },
    ],
  ])('presentProfile writes the golden files of %s', (name, value, request) =>
    expectGolden(`profiles/${name}`, presentProfile, value, request),
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
      followers(recordedUsers('followers/ada_larsson_count5'), CURSOR),
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
      followers(recordedUsers('followers/ada_larsson_count100').slice(0, 8), CURSOR),
      { ...pageUrlsAt('/ada_larsson/followers'), maxTokens: 200 },
    ],
  ])('createUsersPresenter writes the golden files of %s', (name, follows, value, request) =>
    expectGolden(`users/${name}`, createUsersPresenter(follows), value, request),
  );
});

test.each<[string, SearchResults, RenderRequest]>([
  [
    'puffins',
    {
      query: 'puffins',
      feed: 'latest',
      posts: recordedPosts('search/q_puffins').slice(0, 4),
      next_cursor: CURSOR,
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
  expectGolden(`search/${name}`, presentSearch, value, request),
);
