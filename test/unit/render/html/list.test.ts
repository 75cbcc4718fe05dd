// Lists as pages: whatever people write is text, never a tag and never more of an attribute.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { presentProfile } from '../../../../shared/render/presenters/present-profile.ts';
import { presentSearch } from '../../../../shared/render/presenters/present-search.ts';
import { createUsersPresenter } from '../../../../shared/render/presenters/present-users.ts';
import { hostileFragments, hostileText } from '../../../support/hostile-text.ts';
import { BASE, fullUser, pageUrlsAt, profileOf, renderList, searchOf } from '../../../support/list-models.ts';
import { postOf, userOf } from '../../../support/post-models.ts';
import { expectTextOnly, tagsOf } from '../tags.ts';

const NEXT = `${BASE}/somewhere?limit=2&cursor=v1.x`;
const asked = { format: 'html', ...pageUrlsAt('/somewhere?limit=2') } as const;
const next_cursor = 'v1.x';

const postSaying = (words: string): Post =>
  postOf({ text: words, author: userOf(words), reposted_by: userOf(words), in_reply_to: { handle: words } });

const pages: Readonly<Record<string, (words: string) => string>> = {
  'a profile': (words) => {
    const profile = fullUser({ name: words, bio: words, location: words });
    return renderList(presentProfile, profileOf(profile, { posts: [postSaying(words)], next_cursor }), asked).body;
  },
  'a list of followers': (words) => {
    const users = [fullUser({ name: words, bio: words, handle: words, url: `https://x.com/${words}` })];
    return renderList(createUsersPresenter('followers'), { handle: words, users, next_cursor }, asked).body;
  },
  'a search for posts': (words) =>
    renderList(presentSearch, searchOf({ query: words, posts: [postSaying(words)], next_cursor }), asked).body,
  'a search for accounts': (words) => {
    const users = [fullUser({ name: words, bio: words })];
    return renderList(presentSearch, searchOf({ query: words, feed: 'users', users, next_cursor }), asked).body;
  },
};

describe.each(Object.entries(pages))('%s', (_, page) => {
  test('[markdown #5][markdown #10] each nasty fragment is text', () => {
    for (const fragment of hostileFragments) expectTextOnly(page, `a${fragment}`);
  });

  test('[markdown #5][markdown #10] hostile texts are text', () => {
    fc.assert(
      fc.property(hostileText, (words) => expectTextOnly(page, `a${words}`)),
      { numRuns: 600 },
    );
  });

  test('leads to the next page, in the head and in the body', () => {
    const html = page('words');
    const address = NEXT.replaceAll('&', '&amp;');
    expect(html).toContain(`<link rel="next" href="${address}">`);
    expect(html).toContain(`<a href="${address}" rel="next">Next page</a>`);
  });

  test('tells crawlers not to follow what leads elsewhere', () => {
    const anchors = (page('words').match(/<a [^>]*>/g) ?? []).filter(
      (anchor) => !anchor.includes(BASE) && !anchor.includes('href="/"'),
    );
    expect(anchors.length).toBeGreaterThan(0);
    for (const anchor of anchors) expect(anchor).toMatch(/^<a href="https:[^"]+" rel="nofollow noopener">$/);
  });
});

test('a page leads home, to its other forms, and to the same on X', () => {
  const html = renderList(
    createUsersPresenter('followers'),
    { handle: 'ada', users: [userOf()] },
    { format: 'html' },
  ).body;
  const header = /<header.*<\/header>/.exec(html)?.[0] ?? '';
  expect([...header.matchAll(/<a .*?>(.+?)<\/a>/g)].map(([, words]) => words)).toEqual([
    'Postern',
    'Markdown',
    'JSON',
    'On X',
  ]);
  const [, address = ''] = /<link rel="alternate" type="application\/json" href="(.+?)">/.exec(html) ?? [];
  expect(header).toContain(`<a href="${address}">JSON</a>`);
});

test('the last page leads nowhere', () => {
  const html = renderList(
    createUsersPresenter('followers'),
    { handle: 'ada', users: [userOf()] },
    { format: 'html' },
  ).body;
  expect(html).not.toContain('rel="next"');
});

const linksOf = (html: string): string[] => html.match(/<link [^>]*>/g) ?? [];
const alternates = (address: string, and: string): string[] => [
  `<link rel="alternate" type="text/markdown" href="${address}${and}format=markdown">`,
  `<link rel="alternate" type="application/json" href="${address}${and}format=json">`,
];

test('pages say where they are on X and where their other forms are', () => {
  const html = { format: 'html', ...pageUrlsAt('/here?limit=2') } as const;
  const others = alternates(`${BASE}/here?limit=2`, '&amp;');
  expect(linksOf(renderList(presentProfile, profileOf(userOf()), html).body)).toEqual([
    '<link rel="canonical" href="https://x.com/ada">',
    ...others,
  ]);
  for (const follows of ['followers', 'following'] as const)
    expect(linksOf(renderList(createUsersPresenter(follows), { handle: 'ada', users: [] }, html).body)).toEqual([
      `<link rel="canonical" href="https://x.com/ada/${follows}">`,
      ...others,
    ]);
  const query = 'a&b "c" \ud800';
  const encoded = 'a%26b%20%22c%22%20%EF%BF%BD';
  for (const [feed, ofX] of [
    ['latest', '&amp;f=live'],
    ['top', ''],
    ['media', '&amp;f=media'],
    ['users', '&amp;f=user'],
  ] as const)
    expect(linksOf(renderList(presentSearch, searchOf({ query, feed }), html).body)).toEqual([
      `<link rel="canonical" href="https://x.com/search?q=${encoded}${ofX}">`,
      ...others,
    ]);
});

test('[markdown #4] a picture of an account is loaded from hosts of X alone', () => {
  const page = (avatar_url: string): string =>
    renderList(presentProfile, profileOf(fullUser({ avatar_url })), { format: 'html' }).body;
  const own = page('https://pbs.twimg.com/profile_images/1/a.jpg');
  expect(own).toContain('<img src="https://pbs.twimg.com/profile_images/1/a.jpg" alt="" loading="lazy">');
  expect(own).toContain('<meta property="og:image" content="https://pbs.twimg.com/profile_images/1/a.jpg">');
  for (const elsewhere of ['https://tracker.example/a.jpg', 'https://pbs.twimg.com.evil.example/a.jpg']) {
    expect(page(elsewhere)).not.toContain('<img');
    expect(page(elsewhere)).not.toContain('og:image');
    expect(page(elsewhere)).not.toContain(elsewhere);
  }
});

test('an empty list is a page that says so', () => {
  const html = renderList(createUsersPresenter('followers'), { handle: 'ada', users: [] }, { format: 'html' });
  expect(html.body).toContain('<p>No followers are listed.</p>');
  expect(tagsOf(html.body)).not.toContain('article');
  expect(html.headers).toHaveProperty('Content-Security-Policy');
  expect(html.identity).toBe(html.body);
});
