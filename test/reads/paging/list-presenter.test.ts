// Checks what the golden files of lists do not have: cut lists, headings, links and figures within posts.
import { describe, expect, test } from 'vitest';
import type { Article, Post } from '../../../shared/model/post.ts';
import { createRelatedPostsPresenter } from '../../../shared/reads/paging/present-related.ts';
import { presentProfile } from '../../../shared/reads/profile/present.ts';
import { presentProfilePosts } from '../../../shared/reads/profile-posts/present.ts';
import { presentSearch } from '../../../shared/reads/search/present.ts';
import {
  fullUser,
  profileOf,
  type RenderRequest,
  recordedPosts,
  renderList,
  searchOf,
} from '../../support/list-models.ts';
import { nodesOf, readWithMdast } from '../../support/markdown-oracle.ts';
import { postOf, userOf } from '../../support/post-models.ts';

test('articles of listed posts have their Markdown in JSON', () => {
  const blocks = [{ type: 'paragraph' as const, spans: [{ text: 'bold', bold: true as const }] }];
  const posts = [postOf({ article: { title: 'Essay', blocks } })];
  const { body } = renderList(presentSearch, searchOf({ posts }), { format: 'json' });
  expect(JSON.parse(body).posts[0].article.markdown).toBe('**bold**');
});

test.each(['markdown', 'json', 'html'] as const)('a list has the cache class degraded if it is cut: %s', (format) => {
  const value = searchOf({ posts: recordedPosts('search/latest_p1') });
  const { cache } = renderList(presentSearch, value, { format, maxTokens: 100 });
  expect(cache).toBe(format === 'html' ? 'list' : 'degraded');
});

test('a page of a list without items says if the list goes on', () => {
  const html = (next?: string): string =>
    renderList(presentSearch, searchOf({ posts: [], ...(next && { next_cursor: next }) }), { format: 'html' }).body;
  expect(html('next')).toContain('This page is empty, but the list goes on.');
  expect(html()).not.toContain('the list goes on');
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

  test('[lists 5] a text is cut before a link that would be divided', () => {
    const url = `https://long.example/${'x'.repeat(90)}`;
    const links = [{ url: 'https://long.example/x' }, { url }];
    const markdown = render([postOf({ text: `${'Wörter '.repeat(60)}${url} ${LONG}`, links })]);
    expect(markdown).toContain('Wörter…\n\nRead on');
    expect(markdown).not.toContain('long.example');
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
});

test('[lists 4] metrics=off keeps the figures of a profile', () => {
  const value = profileOf(fullUser(), { posts: [postOf()] });
  const { body } = renderList(presentProfile, value, { metrics: 'off' });
  expect(body).toContain('48,213 followers');
  expect(body).not.toContain('3,000 views');
});
