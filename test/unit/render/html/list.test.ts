// Checks that texts of third parties stay text on the HTML pages of lists and never become a tag or an attribute.
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
const htmlRequest = { format: 'html', ...pageUrlsAt('/somewhere?limit=2') } as const;
const next_cursor = 'v1.x';

const postWith = (text: string): Post =>
  postOf({ text, author: userOf(text), reposted_by: userOf(text), in_reply_to: { handle: text } });

const pages: Readonly<Record<string, (text: string) => string>> = {
  'a profile': (text) => {
    const profile = fullUser({ name: text, bio: text, location: text });
    return renderList(presentProfile, profileOf(profile, { posts: [postWith(text)], next_cursor }), htmlRequest).body;
  },
  'a list of followers': (text) => {
    const users = [fullUser({ name: text, bio: text, handle: text, url: `https://x.com/${text}` })];
    return renderList(createUsersPresenter('followers'), { handle: text, users, next_cursor }, htmlRequest).body;
  },
  'a search for posts': (text) =>
    renderList(presentSearch, searchOf({ query: text, posts: [postWith(text)], next_cursor }), htmlRequest).body,
  'a search for accounts': (text) => {
    const users = [fullUser({ name: text, bio: text })];
    return renderList(presentSearch, searchOf({ query: text, feed: 'users', users, next_cursor }), htmlRequest).body;
  },
};

describe.each(Object.entries(pages))('HTML page of %s', (_, page) => {
  test('[markdown #5][markdown #10] the page shows each hostile fragment as text', () => {
    for (const fragment of hostileFragments) expectTextOnly(page, `a${fragment}`);
  });

  test('[markdown #5][markdown #10] the page shows hostile texts as text', () => {
    fc.assert(
      fc.property(hostileText, (text) => expectTextOnly(page, `a${text}`)),
      { numRuns: 600 },
    );
  });

  test('head and body link to the next page', () => {
    const html = page('words');
    const nextUrl = NEXT.replaceAll('&', '&amp;');
    expect(html).toContain(`<link rel="next" href="${nextUrl}">`);
    expect(html).toContain(`<a href="${nextUrl}" rel="next">Next page</a>`);
  });

  test('every external link has rel nofollow noopener', () => {
    const anchors = (page('words').match(/<a [^>]*>/g) ?? []).filter(
      (anchor) => !anchor.includes(BASE) && !anchor.includes('href="/"'),
    );
    expect(anchors.length).toBeGreaterThan(0);
    for (const anchor of anchors) expect(anchor).toMatch(/^<a href="https:[^"]+" rel="nofollow noopener">$/);
  });
});

test('the header links to the front page, the other formats and the page on X', () => {
  const html = renderList(
    createUsersPresenter('followers'),
    { handle: 'ada', users: [userOf()] },
    { format: 'html' },
  ).body;
  const header = /<header.*<\/header>/.exec(html)?.[0] ?? '';
  expect([...header.matchAll(/<a .*?>(.+?)<\/a>/g)].map(([, text]) => text)).toEqual([
    'Postern',
    'Markdown',
    'JSON',
    'On X',
  ]);
  const [, jsonUrl = ''] = /<link rel="alternate" type="application\/json" href="(.+?)">/.exec(html) ?? [];
  expect(header).toContain(`<a href="${jsonUrl}">JSON</a>`);
});

test('the last page has no next link', () => {
  const html = renderList(
    createUsersPresenter('followers'),
    { handle: 'ada', users: [userOf()] },
    { format: 'html' },
  ).body;
  expect(html).not.toContain('rel="next"');
});

const linksOf = (html: string): string[] => html.match(/<link [^>]*>/g) ?? [];
const alternates = (url: string, separator: string): string[] => [
  `<link rel="alternate" type="text/markdown" href="${url}${separator}format=markdown">`,
  `<link rel="alternate" type="application/json" href="${url}${separator}format=json">`,
];

test('the link elements name the canonical URL on X and the other formats', () => {
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
  for (const [feed, xParameter] of [
    ['latest', '&amp;f=live'],
    ['top', ''],
    ['media', '&amp;f=media'],
    ['users', '&amp;f=user'],
  ] as const)
    expect(linksOf(renderList(presentSearch, searchOf({ query, feed }), html).body)).toEqual([
      `<link rel="canonical" href="https://x.com/search?q=${encoded}${xParameter}">`,
      ...others,
    ]);
});

test('[markdown #4] the page loads an avatar only from hosts of X', () => {
  const page = (avatar_url: string): string =>
    renderList(presentProfile, profileOf(fullUser({ avatar_url })), { format: 'html' }).body;
  const loadedPage = page('https://pbs.twimg.com/profile_images/1/a.jpg');
  expect(loadedPage).toContain('<img src="https://pbs.twimg.com/profile_images/1/a.jpg" alt="" loading="lazy">');
  expect(loadedPage).toContain(
    '<meta property="og:image" content="https://pbs.twimg.com/profile_images/1/a_400x400.jpg">',
  );
  for (const elsewhere of ['https://tracker.example/a.jpg', 'https://pbs.twimg.com.evil.example/a.jpg']) {
    expect(page(elsewhere)).not.toContain('<img');
    expect(page(elsewhere)).not.toContain(`content="${elsewhere}`);
    expect(page(elsewhere)).not.toContain(elsewhere);
  }
});

test('the page of an empty list says that it is empty', () => {
  const html = renderList(createUsersPresenter('followers'), { handle: 'ada', users: [] }, { format: 'html' });
  expect(html.body).toContain('<p>No followers are listed.</p>');
  expect(tagsOf(html.body)).not.toContain('article');
  expect(html.headers).toHaveProperty('Content-Security-Policy');
  expect(html.identity).toBe(html.body);
});
