// Tests the pages of the posts of a profile by kind.
import { describe, expect, test } from 'vitest';
import type { TimelineKind } from '../../../../shared/model/lists.ts';
import type { Post } from '../../../../shared/model/post.ts';
import { presentProfilePosts } from '../../../../shared/render/presenters/lists.ts';
import { fullUser, pageUrlsAt, type RenderRequest, renderList } from '../../../support/list-models.ts';
import { postOf, userOf } from '../../../support/post-models.ts';

const paths = { posts: '', replies: '/with_replies', media: '/media', articles: '/articles' } as const;

const page = (
  kind: TimelineKind,
  posts: readonly Post[],
  request: RenderRequest & { cursor?: string } = {},
): string => {
  const { cursor, ...rest } = request;
  const value = { handle: 'ada', kind, posts: [...posts], ...(cursor !== undefined && { next_cursor: cursor }) };
  return renderList(presentProfilePosts, value, { ...pageUrlsAt(`/ada${paths[kind]}`), ...rest, format: 'html' }).body;
};

const itemOf = (html: string): string => /<article class="item">.*?<\/article>/s.exec(html)?.[0] ?? '';

describe('the page of a timeline', () => {
  test.each([
    ['posts', 'Posts of'],
    ['replies', 'Posts and replies of'],
    ['media', 'Media of'],
    ['articles', 'Articles of'],
  ] as const)('[lists 8] %s: title, heading and current tab name it', (kind, heading) => {
    const html = page(kind, [postOf()]);
    expect(html).toContain(`<title>${heading} @ada · Postern</title>`);
    expect(html).toContain(
      `<h1 class="name"><span class="sr">${heading} </span><a href="/ada"><bdi>Ada</bdi></a></h1>`,
    );
    expect(html.match(/<a href="([^"]*)" aria-current="page">/)?.[1]).toBe(`/ada${paths[kind]}`);
    expect(html.match(/ aria-current="page"/g)).toHaveLength(1);
  });

  test('shows the owner in one row, as far as the posts know the account', () => {
    const author = { ...fullUser(), handle: 'ADA', protected: false };
    const html = page('media', [postOf({ author: userOf('Bo', 'bo') }), postOf({ author })]);
    const [header = ''] = /<header class="by">.*?<\/header>/.exec(html) ?? [];
    expect(header).toContain('https://pbs.twimg.com/profile_images/1/a_x96.jpg');
    expect(header).toContain('<a href="/ADA"><bdi>Ada</bdi></a>');
    expect(header).toContain('<p class="meta">@ADA</p>');
    expect(html).toContain('<meta property="og:image" content="https://pbs.twimg.com/profile_images/1/a_400x400.jpg">');
    expect(html).toContain('<meta name="twitter:card" content="summary">');
    expect(page('media', [])).toContain('<span class="sr">Media of </span><a href="/ada">@ada</a></h1>');
  });

  test.each<[string, Partial<Post>, string, string]>([
    [
      'with the mention that X puts before it',
      { text: '@bo Yes', in_reply_to: { handle: 'bo', id: '7' }, mentions: ['bo'] },
      ' · in reply to <a href="/bo/status/7">@bo</a></p>',
      '<p class="text" dir="auto">Yes</p>',
    ],
    [
      'of a thread',
      { text: '2/ Yes', in_reply_to: { handle: 'ada', id: '7' } },
      ' · in reply to <a href="/ada/status/7">@ada</a></p>',
      '<p class="text" dir="auto">2/ Yes</p>',
    ],
    [
      'to several accounts',
      { text: '@bo @cy Yes', in_reply_to: { handle: 'BO', id: '7' }, mentions: ['bo', 'cy'] },
      ' · in reply to <a href="/BO/status/7">@BO</a></p>',
      '<bdi class="hid"><a href="/cy">@cy</a></bdi> Yes</p>',
    ],
    [
      'to a post of an unknown author',
      { in_reply_to: { id: '7' } },
      ' · in reply to <a href="/i/status/7">a post</a></p>',
      'Hello',
    ],
    ['to an unknown post', { in_reply_to: { handle: 'bo' } }, ' · in reply to <a href="/bo">@bo</a></p>', 'Hello'],
  ])('a reply %s says once whom it answers', (_, members, line, text) => {
    const item = itemOf(page('replies', [postOf(members)]));
    expect(item).toContain(line);
    expect(item).toContain(text);
  });

  test('a post that answers nothing does not say so', () => {
    expect(itemOf(page('replies', [postOf()]))).not.toContain('in reply to');
  });
});
