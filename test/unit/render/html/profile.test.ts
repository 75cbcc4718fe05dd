// Tests the page of a profile: banner, facts, tabs and posts.
import { describe, expect, test } from 'vitest';
import { warning } from '../../../../shared/contract/warnings.ts';
import type { Profile } from '../../../../shared/model/resources.ts';
import { presentProfile } from '../../../../shared/render/presenters/present-profile.ts';
import { BASE, fullUser, pageUrlsAt, profileOf, type RenderRequest, renderList } from '../../../support/list-models.ts';
import { postOf, userOf } from '../../../support/post-models.ts';

const AVATAR = 'https://pbs.twimg.com/profile_images/1/a_normal.jpg';
const BANNER = 'https://pbs.twimg.com/profile_banners/12/1400000000';

const ada = fullUser({ protected: false, banner_url: BANNER });

const page = (value: Profile, request: RenderRequest = {}): string =>
  renderList(presentProfile, value, { format: 'html', ...pageUrlsAt('/ada'), ...request }).body;

const mainOf = (html: string): string => /<main.*<\/main>/s.exec(html)?.[0] ?? '';

describe('the head of a profile page', () => {
  test('the title is name and handle', () => {
    expect(page(profileOf(ada))).toContain('<title>Ada (@ada) · Postern</title>');
  });

  test('an account without a visible name is its handle', () => {
    const html = page(profileOf(fullUser({ name: '\u3164' })));
    expect(html).toContain('<title>ada (@ada) · Postern</title>');
    expect(html).toContain('<h1><bdi>ada</bdi></h1>');
  });

  test('the description is the biography, or a sentence about the posts', () => {
    expect(page(profileOf(ada))).toContain('<meta name="description" content="I listen to fjords.">');
    expect(page(profileOf(fullUser({ bio: ' ' })))).toContain('content="Posts of Ada (@ada) on X">');
  });
});

test('[text 3] [text 7] a URL with an invisible character is text, because its link would show another URL', () => {
  for (const invisible of ['\u200b', '\u200d', '\u00ad', '\u007f', '\u{e0041}']) {
    const html = page(profileOf(fullUser({ bio: `https://goo${invisible}d.example/a https://ada.example/` })));
    expect(html).toContain('>https://good.example/a <a href="https://ada.example/"');
  }
});

describe('what X says about an account', () => {
  const factsOf = (about: Profile['profile']['about']): string | undefined =>
    [...page(profileOf({ ...ada, about })).matchAll(/<p class="meta">(.*?)<\/p>/g)][1]?.[1];

  test('the page and the Markdown name the country, and how often the handle has changed', () => {
    const about = { based_in: 'Norway*', handle_changes: 2, handle_changed_at: '2017-07-14T02:40:00Z' };
    expect(factsOf(about)).toMatch(/ · Based in <bdi>Norway\*<\/bdi> · Handle changed 2 times, last on 2017-07-14$/);
    const { body } = renderList(presentProfile, profileOf({ ...ada, about }), { format: 'markdown' });
    expect(body).toContain(' · Based in Norway\\* · Handle changed 2 times, last on 2017-07-14');
  });

  test('a country that X doubts is doubted, and an unchanged handle is not mentioned', () => {
    const facts = factsOf({ based_in: 'Norway', based_in_accurate: false, handle_changes: 0 });
    expect(facts).toMatch(/ · Based in <bdi>Norway<\/bdi> \(X says that this can be wrong\)$/);
    expect(factsOf({ handle_changes: 1 })).toMatch(/ · Handle changed once$/);
  });
});

describe('banner and picture', () => {
  test('the banner has two sizes, and the picture has 200 pixels', () => {
    const html = page(profileOf(ada));
    expect(html).toContain(`src="${BANNER}/600x200" srcset="${BANNER}/600x200 600w, ${BANNER}/1500x500 1500w"`);
    expect(html).toContain('<img src="https://pbs.twimg.com/profile_images/1/a_200x200.jpg" alt=""');
  });

  test('a banner whose URL already names a size has the same sizes', () => {
    expect(page(profileOf({ ...ada, banner_url: `${BANNER}/1500x500` }))).toContain(`src="${BANNER}/600x200" srcset=`);
  });

  test('without a banner, the picture is alone', () => {
    const html = page(profileOf(fullUser()));
    expect(html).toContain('<div class="wall bare"><span class="face"');
    expect(html).not.toContain('srcset');
  });

  test('[text 4] the page loads banner and picture only from hosts of X', () => {
    for (const url of ['https://tracker.example/a.jpg', 'https://pbs.twimg.com.evil.example/a.jpg', 'javascript:x']) {
      const html = page(profileOf(fullUser({ avatar_url: url, banner_url: url })));
      expect(html).not.toContain(url);
      expect(mainOf(html)).not.toContain('<img');
      expect(html).toContain('<span class="face" aria-hidden="true">A</span>');
    }
    expect(page(profileOf(fullUser({ avatar_url: AVATAR })))).toContain(
      '<meta property="og:image" content="https://pbs.twimg.com/profile_images/1/a_400x400.jpg">',
    );
  });
});

describe('facts of an account', () => {
  test('handle, verified and protected are words', () => {
    const html = page(profileOf(fullUser()));
    expect(html).toContain('<p class="meta">@ada · verified · protected</p>');
  });

  test('links, mentions and tags of the biography lead to pages of the service or out', () => {
    const bio =
      'With @kestrel and @search, me@kestrel.org, #hydrophone #2026, https://x.com/ada/status/20, https://a.example/x.';
    const html = page(profileOf({ ...ada, bio }));
    expect(html).toContain('<bdi><a href="/kestrel">@kestrel</a></bdi>');
    expect(html).toContain('<bdi>@search</bdi>');
    expect(html).toContain(', me@kestrel.org, ');
    expect(html).toContain('<a href="/search?q=%23hydrophone">#hydrophone</a> #2026');
    expect(html).toContain('<a href="/ada/status/20">https://x.com/ada/status/20</a>');
    expect(html).toContain('<a href="https://a.example/x" rel="nofollow noopener">https://a.example/x</a>.');
  });

  test('place, website and month are one line', () => {
    expect(page(profileOf(ada))).toContain(
      '<p class="meta"><bdi>Tromsø</bdi> · <a href="https://fjord.example/" rel="nofollow noopener">fjord.example</a> · since March 2011</p>',
    );
  });

  test('a website that is no web URL is text', () => {
    const html = page(profileOf({ ...ada, website: 'javascript:alert(1)' }));
    expect(html).toContain(' · javascript:alert(1) · ');
    expect(html).not.toContain('href="javascript:');
  });

  test('followers and following lead to their lists, and unknown counts are left out', () => {
    const { body } = renderList(presentProfile, profileOf(ada), { format: 'html' });
    expect(body).toContain(
      '<p class="figures"><a href="/ada/followers"><b>48,213</b> followers</a> · <a href="/ada/following"><b>1</b> following</a> · <b>0</b> posts</p>',
    );
    const metrics = { followers: 1, following: null, posts: null, likes: null, media: null };
    expect(page(profileOf({ ...ada, metrics }))).toContain(
      '<p class="figures"><a href="/ada/followers"><b>1</b> follower</a></p>',
    );
    expect(page(profileOf({ ...ada, metrics: undefined }))).not.toContain('class="figures"');
  });

  test('the tabs are posts, replies, media, articles, followers and following', () => {
    expect(page(profileOf(ada))).toContain(
      '<nav class="tabs" aria-label="Pages of @ada"><a href="/ada" aria-current="page">Posts</a><a href="/ada/with_replies">Replies</a><a href="/ada/media">Media</a><a href="/ada/articles">Articles</a><a href="/ada/followers">Followers</a><a href="/ada/following">Following</a></nav>',
    );
  });
});

describe('posts of a profile', () => {
  test('a post begins with its date and has no byline', () => {
    const html = page(profileOf(ada, { posts: [postOf({ author: ada })] }));
    expect(html).toContain(
      '<article class="item"><p class="meta"><a href="/ada/status/20"><time datetime="2026-03-02T10:00:00Z">2 March 2026</time></a></p><p class="text" dir="auto">Hello</p>',
    );
    expect(mainOf(html).match(/>Ada</g)).toHaveLength(1);
  });

  test('a repost names its reposter and has the byline of its author', () => {
    const repost = postOf({ author: userOf('Kestrel Labs', 'kestrel'), reposted_by: ada });
    const html = page(profileOf(ada, { posts: [repost] }));
    expect(html).toContain('</svg> reposted</p>');
    expect(html).toContain('<h2 class="name"><a href="/kestrel"><bdi>Kestrel Labs</bdi></a></h2>');
  });

  test('a long text is cut at a word, and the rest is linked', () => {
    const text = 'All the tides of the fjord are in this one table. '.repeat(500);
    const html = page(profileOf(ada, { posts: [postOf({ author: ada, text })] }));
    const [, shown = ''] = /<section aria-label="Posts">.*?<p class="text" dir="auto">(.*?)<\/p>/s.exec(html) ?? [];
    expect(shown.length).toBeGreaterThan(430);
    expect(shown.length).toBeLessThan(570);
    expect(text.startsWith(shown.slice(0, -1))).toBe(true);
    expect(shown.endsWith('…')).toBe(true);
    // The cut is after a sentence; its mark stands for the full stop.
    expect(text.slice(shown.length - 1, shown.length + 1)).toBe('. ');
    expect(html).toContain('<a href="/ada/status/20" class="on">Read on, 24 min</a>');
  });

  test('an article is its title and first words, whatever its length', () => {
    const spans = [{ text: 'Fjords ring like glasses. '.repeat(2000) }];
    const article = { title: 'Why fjords ring', blocks: [{ type: 'paragraph' as const, spans }] };
    const html = page(profileOf(ada, { posts: [postOf({ author: ada, text: '', article })] }), {
      warnings: [warning('article_previews')],
    });
    expect(html).toContain('<a href="/ada/status/20">Why fjords ring</a>');
    expect(html).toContain(' · Article, 35 min</p>');
    expect(mainOf(html).length).toBeLessThan(4000);
    expect(html).not.toContain('class="note"');
  });

  test('a protected profile shows that only followers can read its posts', () => {
    const value = profileOf(fullUser());
    const html = page(value, { warnings: [warning('posts_protected')] });
    expect(html).toContain('<h2>Only followers can read these posts.</h2>');
    expect(html).not.toContain('class="note"');
    expect(html).not.toContain('No posts');
  });

  test('a protected profile has no links to lists that cannot be read', () => {
    const paths = ['/ada/followers', '/ada/following', '/ada/media'];
    const closed = mainOf(page(profileOf(fullUser()), { warnings: [warning('posts_protected')] }));
    expect(closed).toContain('</b> followers');
    for (const path of paths) {
      expect(mainOf(page(profileOf(ada)))).toContain(`href="${path}`);
      expect(closed).not.toContain(`href="${path}`);
    }
  });

  test('a profile without posts says so', () => {
    expect(page(profileOf(ada))).toContain('<p class="hint">No posts yet.</p>');
    expect(page(profileOf({ ...ada, metrics: undefined }))).toContain('<p class="hint">No posts are listed.</p>');
    const last = page(profileOf(ada), pageUrlsAt('/ada?cursor=v1.a'));
    expect(last).toContain('<p class="hint">No more posts are listed here.</p>');
  });

  test('an empty page that continues says that the list goes on', () => {
    for (const target of ['/ada', '/ada?cursor=v1.a']) {
      const html = page(profileOf(ada, { next_cursor: 'v1.b' }), pageUrlsAt(target));
      expect(html).toContain('<p class="hint">This page is empty, but the list goes on.</p>');
      expect(html).not.toMatch(/No (?:more )?posts/);
    }
  });

  test('posts that could not be read are no empty list: the page asks again for the same page', () => {
    const html = page(profileOf(ada, { next_cursor: 'v1.same' }), { warnings: [warning('posts_unavailable')] });
    expect(html).toContain('<p class="note">The posts could not be read just now. <a href="/ada">Ask again</a></p>');
    expect(html).not.toContain('No posts');
    expect(html).not.toContain('Older posts');
  });

  test('a later page has a short heading, older posts and the way to the beginning', () => {
    const value = profileOf(ada, { posts: [postOf({ author: ada })], next_cursor: 'v1.b' });
    const html = page(value, pageUrlsAt('/ada?limit=2&cursor=v1.a'));
    expect(html).toContain('<h1 class="name"><a href="/ada"><bdi>Ada</bdi></a>');
    expect(html).not.toContain('class="wall"');
    expect(html).toContain(`<a class="more" href="${BASE}/ada?limit=2&amp;cursor=v1.b" rel="next">Older posts</a>`);
    expect(html).toContain(`<a class="back" href="${BASE}/ada?limit=2">From the beginning</a>`);
  });
});
