// Checks the JSON and Markdown of profiles, account lists and searches: schema, member order and notices.
import { describe, expect, test } from 'vitest';
import { type WarningCode, warning, warningMessages } from '../../../../shared/contract/warnings.ts';
import type { Article, Post } from '../../../../shared/model/post.ts';
import { bodies, type SearchResults } from '../../../../shared/model/resources.ts';
import { postItemHtml } from '../../../../shared/render/html/post-item.ts';
import {
  createRelatedPostsPresenter,
  createUsersPresenter,
  presentProfile,
  presentProfilePosts,
  presentReposters,
  presentSearch,
} from '../../../../shared/render/presenters/lists.ts';
import { presentPostLookup } from '../../../../shared/render/presenters/present-post.ts';
import {
  BASE,
  fullUser,
  profileOf,
  type RenderRequest,
  recordedPosts,
  recordedUser,
  recordedUsers,
  renderList,
  searchOf,
} from '../../../support/list-models.ts';
import { nodesOf, readWithMdast } from '../../../support/markdown-oracle.ts';
import { postOf, userOf } from '../../../support/post-models.ts';

const PROVENANCE = ['fetched_at', 'source', 'warnings'];

const profile = profileOf(recordedUser('profile/ada_larsson'), {
  posts: recordedPosts('statuses/p1_default'),
  next_cursor: 'v1.next',
});
const list = { handle: 'ada_larsson', users: recordedUsers('followers/ada_larsson_count5'), next_cursor: 'v1.next' };
const search = searchOf({ posts: recordedPosts('search/unicode'), next_cursor: 'v1.next', degraded: true });
const accounts: SearchResults = { query: 'a', feed: 'users', users: recordedUsers('followers/ada_larsson_count5') };

describe('JSON body', () => {
  const json = { format: 'json' } as const;
  test.each([
    ['profile', bodies.ProfileBody, renderList(presentProfile, profile, json), ['profile', 'posts', 'next_cursor']],
    [
      'followers',
      bodies.UserListBody,
      renderList(createUsersPresenter('followers'), list, json),
      ['handle', 'users', 'next_cursor'],
    ],
    [
      'search',
      bodies.SearchBody,
      renderList(presentSearch, search, json),
      ['query', 'feed', 'posts', 'next_cursor', 'degraded'],
    ],
    ['search for accounts', bodies.SearchBody, renderList(presentSearch, accounts, json), ['query', 'feed', 'users']],
  ])(
    'the JSON body of a %s has exactly the members of its schema, in schema order',
    (_, schema, { body, identityStart }, members) => {
      const value = JSON.parse(body);
      expect(Object.keys(value)).toEqual([...PROVENANCE, ...members, 'markdown']);
      expect(schema.parse(value)).toEqual(value);
      const { fetched_at: _fetchedAt, ...rest } = value;
      expect(JSON.parse(`{${body.slice(identityStart)}`)).toEqual(rest);
    },
  );
});

test('[lists 8] the Markdown of an empty page says that the list goes on if there is a next page', () => {
  const next_cursor = 'v1.next';
  const documents = (cursor: { readonly next_cursor?: string }): readonly string[] => {
    // The Markdown in JSON does not name the cursor, which JSON has.
    const request = { format: 'json' } as const;
    const bodies = [
      renderList(presentProfile, profileOf(userOf(), cursor), request),
      renderList(createUsersPresenter('followers'), { handle: 'ada', users: [], ...cursor }, request),
      renderList(presentSearch, searchOf(cursor), request),
      renderList(presentProfilePosts, { handle: 'ada', kind: 'media', posts: [], ...cursor }, request),
      renderList(createRelatedPostsPresenter('quotes'), { id: '7', posts: [], ...cursor }, request),
      renderList(presentReposters, { id: '7', users: [], ...cursor }, request),
    ];
    return bodies.map(({ body }) => JSON.parse(body).markdown);
  };
  for (const markdown of documents({ next_cursor })) {
    expect(markdown).toContain('This page is empty, but the list goes on.');
    expect(markdown).not.toMatch(/\bNo (?:posts|accounts|followers|quotes|reposts)\b/);
  }
  for (const markdown of documents({})) {
    expect(markdown).toMatch(/\bNo (?:posts|accounts|followers|quotes|reposts)\b/);
    expect(markdown).not.toContain('goes on');
  }
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

test('the Markdown has no fetch time and equals the markdown member of JSON', () => {
  const { body, identity, identityStart = 0 } = renderList(presentProfile, profile);
  expect([identity, identityStart]).toEqual([undefined, 0]);
  expect(JSON.parse(renderList(presentProfile, profile, { format: 'json' }).body).markdown).toBe(body);
});

describe('incomplete lists', () => {
  const codes: readonly WarningCode[] = [
    'posts_unavailable',
    'posts_protected',
    'users_partial',
    'recent_only',
    'partial_page',
  ];

  test.each(codes)('Markdown names the warning %s', (code) => {
    const request = { warnings: [warning(code)] };
    const note = `Incomplete: ${warningMessages[code]}`;
    expect(renderList(presentSearch, searchOf(), request).body).toContain(`\n\n*${note}*\n\n`);
    expect(renderList(presentProfile, profileOf(userOf()), request).body).toContain(`\n\n*${note}*\n\n`);
  });

  test('HTML names a warning in words for readers', () => {
    const request = { format: 'html', warnings: [warning('recent_only'), warning('users_partial')] } as const;
    const { body } = renderList(presentSearch, accounts, request);
    expect(body).toContain('<p class="note">Only the last seven days could be searched. <a href="/somewhere">');
    expect(body).toContain('<p class="note">A search suggests a few accounts and does not list all of them.</p>');
  });

  test('Markdown and HTML say that a fallback with less data answered', () => {
    expect(renderList(presentSearch, search).body).toContain('Incomplete: A source with less data answered.');
    expect(renderList(presentSearch, search, { format: 'html' }).body).toContain(
      '<p class="note">A source with less data answered.</p>',
    );
  });

  test.each(['markdown', 'json', 'html'] as const)(
    'a complete list has the cache class list, an incomplete list has degraded: %s',
    (format) => {
      const complete = searchOf({ posts: [postOf()] });
      const cacheClassOf = (value: SearchResults, request = {}) =>
        renderList(presentSearch, value, { format, ...request }).cache;
      expect(cacheClassOf(complete)).toBe('list');
      expect(cacheClassOf({ ...complete, degraded: true })).toBe('degraded');
      expect(cacheClassOf(complete, { warnings: [warning('recent_only')] })).toBe('degraded');
      const cut = cacheClassOf({ ...complete, posts: recordedPosts('search/latest_p1') }, { maxTokens: 100 });
      expect(cut).toBe(format === 'html' ? 'list' : 'degraded');
    },
  );
});

const LONG = 'Wörter '.repeat(120);

const article = (heading: string): Article => ({
  title: 'An article',
  blocks: [
    { type: 'paragraph', spans: [{ text: 'First paragraph.' }] },
    { type: 'heading', level: 1, spans: [{ text: heading }] },
    { type: 'paragraph', spans: [{ text: 'Second paragraph.' }] },
  ],
});

type RenderPosts = (posts: readonly Post[], request?: RenderRequest) => string;

/** The lists of posts, with the level of their deepest heading. */
const POST_LISTS: readonly (readonly [name: string, deepest: number, render: RenderPosts])[] = [
  [
    'a profile',
    2,
    (posts, request) => renderList(presentProfile, profileOf(userOf(), { posts: [...posts] }), request).body,
  ],
  [
    'a timeline',
    1,
    (posts, request) =>
      renderList(presentProfilePosts, { handle: 'ada', kind: 'posts', posts: [...posts] }, request).body,
  ],
  ['a search', 3, (posts, request) => renderList(presentSearch, searchOf({ posts: [...posts] }), request).body],
  [
    'replies',
    3,
    (posts, request) =>
      renderList(createRelatedPostsPresenter('replies'), { id: '7', posts: [...posts] }, request).body,
  ],
];

const lookup: RenderPosts = (posts, request) => renderList(presentPostLookup, { posts: [...posts] }, request).body;

describe.each(POST_LISTS)('Markdown of %s', (_, deepest, render) => {
  test('[lists 3] headings within posts are deeper than those of the list, and at least of level 3', () => {
    const plain = nodesOf(readWithMdast(render([postOf({ text: 'x' })])), 'heading').map(({ kind }) => kind);
    expect(plain.at(-1)).toBe(`heading ${deepest}`);
    const post = postOf({
      text: '# x\n## y\n\nz\n===',
      article: article('Heading'),
      quote: postOf({ article: article('H') }),
    });
    const own = nodesOf(readWithMdast(render([post])), 'heading').slice(plain.length);
    expect(own.map(({ kind }) => kind)).toEqual(
      [...plain.slice(plain.length), 'An article', 'An article'].map(() => `heading ${Math.max(3, deepest + 1)}`),
    );
  });

  test('[lists 5] a long text ends as on the page, with the URL of the whole post below it', () => {
    const post = postOf({ text: LONG });
    const [, shown = ''] = /<p class="text"[^>]*>([^<]{400,500}…)<[/]p>/.exec(postItemHtml(post)) ?? [];
    expect(shown).toMatch(/^(?:Wörter )+Wörter…$/);
    expect(render([post])).toContain(`\n\n${shown}\n\nRead on: <${BASE}/ada/status/20>\n\n[2026-03-02`);
  });

  test('[lists 5] a text is cut before a link that would be divided', () => {
    const url = `https://long.example/${'x'.repeat(90)}`;
    const links = [{ url: 'https://long.example/x' }, { url }];
    const markdown = render([postOf({ text: `${'Wörter '.repeat(60)}${url} ${LONG}`, links })]);
    expect(markdown).toContain('Wörter…\n\nRead on');
    expect(markdown).not.toContain('long.example');
  });

  test('[lists 5] a text of more than 8 lines is cut, and a short one is whole', () => {
    const lines = (count: number): string => Array.from({ length: count }, (_, line) => `Line ${line}`).join('\n');
    expect(render([postOf({ text: lines(9) })])).toContain('Line 7…\n\nRead on: <');
    expect(render([postOf({ text: lines(8) })])).not.toContain('Read on');
  });

  test('[lists 5] articles, quotes and translations show their beginning', () => {
    const translation = { text: LONG, source_lang: 'de', target_lang: 'en' };
    const markdown = render([
      postOf({ id: '21', article: article('Heading') }),
      postOf({ id: '22', quote: postOf({ id: '23', text: LONG }) }),
      postOf({ id: '24', translation }),
    ]);
    expect(markdown).toContain(`First paragraph.\n\nRead on: <${BASE}/ada/status/21>`);
    expect(markdown).not.toContain('Second paragraph');
    expect(markdown).toContain(`> Read on: <${BASE}/ada/status/23>`);
    expect(markdown).toContain(`Wörter…\n\nRead on: <${BASE}/ada/status/24>`);
  });

  test('[lists 5] the text of JSON is whole', () => {
    const { posts } = JSON.parse(render([postOf({ text: LONG })], { format: 'json' }));
    expect(posts).toMatchObject([{ text: LONG }]);
  });

  test('[lists 6] a figure is left out if it is zero in every post, and unknown ones do not count', () => {
    const metrics = { likes: 0, reposts: 0, replies: 0, quotes: 0, bookmarks: null, views: null };
    expect(
      render([postOf({ metrics }), postOf({ metrics: { ...metrics, replies: 5 } })])
        .match(/ · .+/g)
        ?.slice(-2),
    ).toEqual([' · 0 replies', ' · 5 replies']);
    const quote = postOf({ metrics: { ...metrics, quotes: 3 } });
    const markdown = render([postOf({ metrics, quote })]);
    expect(markdown).toContain('status/20) · 3 quotes');
    expect(markdown).toContain('status/20) · 0 quotes');
  });

  test('[lists 4] metrics=off leaves out the figures of posts only', () => {
    const posts = [postOf({ poll: { choices: [{ label: 'Yes', votes: 3, percentage: 75 }], total_votes: 4 } })];
    const markdown = render(posts, { metrics: 'off' });
    expect(markdown).toContain('Yes: 75 % (3)');
    expect(markdown).toContain('(https://x.com/ada/status/20)\n');
    expect(JSON.parse(render(posts, { format: 'json', metrics: 'off' }))).toMatchObject({
      posts: [{ metrics: { likes: 1 } }],
      markdown,
    });
  });
});

test('[lists 5] [lists 6] a lookup shows whole posts with all figures, zeros too', () => {
  const markdown = lookup([postOf({ text: LONG, article: article('Heading') })]);
  expect(markdown).toContain(LONG.trim());
  expect(markdown).toContain('### Ada (@ada)\n\n');
  expect(markdown).toContain('#### An article\n\nFirst paragraph.\n\n##### Heading');
  expect(markdown).toContain(' · 0 reposts');
  expect(lookup([postOf()], { metrics: 'off' })).not.toContain('like');
});

test('[lists 4] metrics=off keeps the figures of a profile', () => {
  const value = profileOf(fullUser(), { posts: [postOf()] });
  const { body } = renderList(presentProfile, value, { metrics: 'off' });
  expect(body).toContain('48,213 followers');
  expect(body).not.toContain('3,000 views');
});
