// Profiles, lists and searches as JSON and Markdown: what the schema declares, in its order, and what readers must know.
import { describe, expect, test } from 'vitest';
import { type WarningCode, warning, warningMessages } from '../../../../shared/contract/warnings.ts';
import { ProfileBody } from '../../../../shared/model/profile.ts';
import { SearchBody, type SearchResults } from '../../../../shared/model/search-results.ts';
import { UserListBody } from '../../../../shared/model/user-list.ts';
import { presentProfile } from '../../../../shared/render/presenters/present-profile.ts';
import { presentSearch } from '../../../../shared/render/presenters/present-search.ts';
import { createUsersPresenter } from '../../../../shared/render/presenters/present-users.ts';
import {
  fullUser,
  profileOf,
  recordedPosts,
  recordedUser,
  recordedUsers,
  renderList,
  searchOf,
} from '../../../support/list-models.ts';
import { postOf, userOf } from '../../../support/post-models.ts';

const PROVENANCE = ['fetched_at', 'source', 'warnings'];

const profile = profileOf(recordedUser('profile/ada_larsson'), {
  posts: recordedPosts('statuses/p1_default'),
  next_cursor: 'v1.next',
});
const list = { handle: 'ada_larsson', users: recordedUsers('followers/ada_larsson_count5'), next_cursor: 'v1.next' };
const found = searchOf({ posts: recordedPosts('search/unicode'), next_cursor: 'v1.next', degraded: true });
const accounts: SearchResults = { query: 'a', feed: 'users', users: recordedUsers('followers/ada_larsson_count5') };

describe('a JSON body holds what its schema declares, in its order, and nothing else', () => {
  const json = { format: 'json' } as const;
  test.each([
    ['profile', ProfileBody, renderList(presentProfile, profile, json), ['profile', 'posts', 'next_cursor']],
    [
      'followers',
      UserListBody,
      renderList(createUsersPresenter('followers'), list, json),
      ['handle', 'users', 'next_cursor'],
    ],
    [
      'search',
      SearchBody,
      renderList(presentSearch, found, json),
      ['query', 'feed', 'posts', 'next_cursor', 'degraded'],
    ],
    ['search for accounts', SearchBody, renderList(presentSearch, accounts, json), ['query', 'feed', 'users']],
  ])('%s', (_, schema, { body, identity }, members) => {
    const value = JSON.parse(body);
    expect(Object.keys(value)).toEqual([...PROVENANCE, ...members, 'markdown']);
    expect(schema.parse(value)).toEqual(value);
    const { fetched_at: _fetchedAt, ...rest } = value;
    expect(JSON.parse(identity)).toEqual(rest);
  });
});

test('articles of listed posts have their Markdown in JSON', () => {
  const article = {
    title: 'Essay',
    blocks: [{ type: 'paragraph' as const, spans: [{ text: 'bold', bold: true as const }] }],
  };
  const posts = [postOf({ article })];
  for (const body of [
    renderList(presentProfile, profileOf(userOf(), { posts }), { format: 'json' }).body,
    renderList(presentSearch, searchOf({ posts }), { format: 'json' }).body,
  ])
    expect(JSON.parse(body).posts[0].article.markdown).toBe('**bold**');
});

test('Markdown carries no time of reading, and is the markdown of JSON', () => {
  const { body, identity } = renderList(presentProfile, profile);
  expect(identity).toBe(body);
  expect(JSON.parse(renderList(presentProfile, profile, { format: 'json' }).body).markdown).toBe(body);
});

describe('what is incomplete', () => {
  const codes: readonly WarningCode[] = [
    'posts_unavailable',
    'posts_protected',
    'users_partial',
    'recent_only',
    'partial_page',
  ];

  test.each(codes)('%s is said in Markdown and on the page', (code) => {
    const asked = { warnings: [warning(code)] };
    const note = `Incomplete: ${warningMessages[code]}`;
    expect(renderList(presentSearch, searchOf(), asked).body).toContain(`\n\n*${note}*\n\n`);
    expect(renderList(presentProfile, profileOf(userOf()), asked).body).toContain(`\n\n*${note}*\n\n`);
    expect(renderList(presentSearch, searchOf(), { ...asked, format: 'html' }).body).toContain(`<em>${note}</em>`);
  });

  test('a fallback with less data is said as well', () => {
    for (const format of ['markdown', 'html'] as const)
      expect(renderList(presentSearch, found, { format }).body).toContain(
        'Incomplete: A source with less data answered.',
      );
  });

  test.each(['markdown', 'json', 'html'] as const)(
    'a complete list is kept like a list, an incomplete one shortly: %s',
    (format) => {
      const whole = searchOf({ posts: [postOf()] });
      const cacheOf = (value: SearchResults, asked = {}) =>
        renderList(presentSearch, value, { format, ...asked }).cache;
      expect(cacheOf(whole)).toBe('list');
      expect(cacheOf({ ...whole, degraded: true })).toBe('degraded');
      expect(cacheOf(whole, { warnings: [warning('recent_only')] })).toBe('degraded');
      const cut = cacheOf({ ...whole, posts: recordedPosts('search/latest_p1') }, { maxTokens: 100 });
      expect(cut).toBe(format === 'html' ? 'list' : 'degraded');
    },
  );
});

describe('the words', () => {
  test('of a profile: who it is, then the posts', () => {
    const value = profileOf(fullUser(), { posts: [postOf(), postOf({ id: '21' })] });
    expect(renderList(presentProfile, value).body).toBe(
      [
        '# Ada (@ada)',
        'I listen to fjords.',
        'Verified · Protected: only approved followers see the posts · Location: Tromsø · Website: <https://fjord.example/> · Joined 2011-03-09',
        '48,213 followers · 1 following · 0 posts',
        '[@ada on X](https://x.com/ada)',
        '## Posts',
        'Hello',
        '[2026-03-02 10:00 UTC](https://x.com/ada/status/20) · 1 like · 2 replies · 3,000 views',
        '---',
        'Hello',
        '[2026-03-02 10:00 UTC](https://x.com/ada/status/20) · 1 like · 2 replies · 3,000 views\n',
      ].join('\n\n'),
    );
  });

  test('of a profile that says nothing of itself', () => {
    expect(renderList(presentProfile, profileOf(userOf('', 'ada'))).body).toBe(
      '# ada (@ada)\n\n[@ada on X](https://x.com/ada)\n\n## Posts\n\nNo posts are listed.\n',
    );
  });

  test('of followers: one item each', () => {
    const value = {
      handle: 'ada',
      users: [fullUser({ bio: 'One\n\ntwo' }), userOf('\u200b', 'bo')],
      next_cursor: 'v1.x',
    };
    expect(renderList(createUsersPresenter('followers'), value).body).toBe(
      '# Followers of @ada\n\n' +
        '- **Ada** ([@ada](https://x.com/ada)) · verified · protected · 48,213 followers · 1 following · 0 posts  \n  One two\n' +
        '- **bo** ([@bo](https://x.com/bo))\n\n' +
        'Next page: ask again with `cursor=v1.x`.\n',
    );
  });

  test('of nobody', () => {
    expect(renderList(createUsersPresenter('following'), { handle: 'ada', users: [] }).body).toBe(
      '# Accounts followed by @ada\n\nNo followed accounts are listed.\n',
    );
    expect(renderList(presentSearch, { query: 'a', feed: 'users' }).body).toBe(
      '# Search: a\n\n## Accounts\n\nNo accounts were found.\n',
    );
  });

  test('of a search: who wrote, who reposted, whom it answers', () => {
    const post = postOf({ reposted_by: userOf('Bo', 'bo'), in_reply_to: { handle: 'cy' } });
    expect(renderList(presentSearch, searchOf({ feed: 'top', posts: [post] })).body).toMatch(
      /^# Search: fjord\n\n## Top posts\n\n### Ada \(@ada\)\n\nReposted by \*\*Bo\*\* \(@bo\) {2}\nIn reply to @cy\n\nHello\n\n\[2026/,
    );
  });
});
