// Tests accounts as rows, and the pages of followers and followed accounts.
import { describe, expect, test } from 'vitest';
import type { User } from '../../../../shared/model/user.ts';
import { createUsersPresenter } from '../../../../shared/render/presenters/present-users.ts';
import { fullUser, pageUrlsAt, renderList } from '../../../support/list-models.ts';

const page = (users: readonly User[], follows: 'followers' | 'following' = 'followers', handle = 'ada'): string =>
  renderList(
    createUsersPresenter(follows),
    { handle, users: [...users] },
    { format: 'html', ...pageUrlsAt(`/ada/${follows}`) },
  ).body;

const rowsOf = (html: string): readonly string[] => html.match(/<li class="item with">.*?<\/li>/gs) ?? [];

describe('a row of an account', () => {
  test('has one link, to the profile, and shows name, handle, biography and followers', () => {
    const [row = ''] = rowsOf(page([fullUser({ protected: false, verified: false, avatar_url: undefined })]));
    expect(row).toBe(
      '<li class="item with"><span class="face" aria-hidden="true">A</span><div><h2 class="name"><a href="/ada"><bdi>Ada</bdi></a></h2> <span class="meta">@ada</span></div><p class="text" dir="auto">I listen to fjords.</p><p class="figures">48,213 followers</p></li>',
    );
  });

  test('a biography in a row has no links', () => {
    const [row = ''] = rowsOf(page([fullUser({ bio: '$TSLA @kestrel #tide https://a.example/' })]));
    expect(row.match(/<a /g)).toHaveLength(1);
    expect(row).toContain('$TSLA @kestrel #tide https://a.example/');
  });

  test('an account whose handle has no page here has no link', () => {
    const [reserved = '', long = ''] = rowsOf(
      page([fullUser({ handle: 'search' }), fullUser({ handle: 'b'.repeat(30) })]),
    );
    for (const row of [reserved, long]) expect(row).not.toContain('<a ');
  });

  test('an unknown number of followers and an empty biography are left out', () => {
    const [row = ''] = rowsOf(page([fullUser({ metrics: undefined, bio: '' })]));
    expect(row).not.toContain('class="figures"');
    expect(row).not.toContain('class="text"');
  });

  test('a biography that no row can show is cut on the server', () => {
    const [row = ''] = rowsOf(page([fullUser({ bio: 'many words '.repeat(400) })]));
    expect(row.length).toBeLessThan(1100);
    expect(row).toContain('words…</p>');
  });
});

describe('the page of followers and followed accounts', () => {
  test.each([
    ['followers', 'Followers of', 'Followers of @ada'],
    ['following', 'Accounts followed by', 'Accounts followed by @ada'],
  ] as const)('%s: heading, title and tabs name the list', (follows, heading, title) => {
    const html = page([fullUser()], follows);
    expect(html).toContain(`<title>${title} · Postern</title>`);
    expect(html).toContain(`<h1 class="name"><span class="sr">${heading} </span><a href="/ada">@ada</a></h1>`);
    expect(html.match(/<a href="\/ada\/(\w+)" aria-current="page">/)?.[1]).toBe(follows);
    expect(html.match(/ aria-current="page"/g)).toHaveLength(1);
  });

  test('a handle that has no page here has no tabs that lead nowhere', () => {
    const html = page([fullUser()], 'followers', 'search');
    expect(html).toContain('<span>Posts</span><span>Replies</span><span>Media</span>');
    expect(html).not.toContain('href="/search/followers"');
  });

  test('an empty page that continues says that the list goes on', () => {
    for (const target of ['/ada/followers', '/ada/followers?cursor=v1.a']) {
      const list = { handle: 'ada', users: [], next_cursor: 'v1.b' };
      const { body } = renderList(createUsersPresenter('followers'), list, { format: 'html', ...pageUrlsAt(target) });
      expect(body).toContain('<p class="hint">This page is empty, but the list goes on.</p>');
      expect(body).not.toMatch(/No (?:more )?(?:accounts|followers)/);
    }
  });
});
