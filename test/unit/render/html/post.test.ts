// Checks the parts of a page that no golden file has: letters for pictures, handles without a path, decorations and cuts.
import { expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { presentProfilePosts } from '../../../../shared/reads/profile-posts/present.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { unlinkedAvatarHtml } from '../../../../shared/render/html/person.ts';
import { postItemHtml } from '../../../../shared/render/html/post-item.ts';
import { inlineHtml } from '../../../../shared/render/html/text.ts';
import { pageUrlsAt, withParts } from '../../../support/list-models.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const BASE = 'https://postern.example';

test.each([
  ['', 'ada', 'A'],
  ['🌸 ñandú', 'ada', 'Ñ'],
  ['🌸', '_9lives', '9'],
  ['𝐀da', 'ada', '𝐀'],
  ['<b>', 'ada', 'B'],
  ['🌸', '___', '@'],
])('without a picture from X the account %j @%s has the letter %s', (name, handle, letter) => {
  const account = { ...userOf(name, handle), avatar_url: 'https://tracker.example/a.jpg' };
  expect(String(unlinkedAvatarHtml(account)).replaceAll(/<[^>]+>/g, '')).toBe(letter);
});

test.each<[string, string]>([
  ['hi @Ada_L!', 'hi <bdi><a href="/Ada_L">@Ada_L</a></bdi>!'],
  ['@search', '<bdi>@search</bdi>'],
  ['@a_handle_longer_15', '<bdi>@a_handle_longer_15</bdi>'],
  ['@ada@ada.example &#tag', '@ada@ada.example &amp;#tag'],
  ['春@ada', '春<bdi><a href="/ada">@ada</a></bdi>'],
  ['#夕焼け　x', '<a href="/search?q=%23%E5%A4%95%E7%84%BC%E3%81%91">#夕焼け</a>　x'],
  ['$BRK.B US$A $TOOLONGG', '<a href="/search?q=%24BRK.B">$BRK.B</a> US$A $TOOLONGG'],
])('inlineHtml() of %s', (text, html) => {
  expect(String(inlineHtml({ text }))).toBe(html);
});

test('underlined and struck out words have their elements', () => {
  const decorations = [
    { type: 'underline', start: 0, end: 7 },
    { type: 'strikethrough', start: 4, end: 7 },
    { type: 'constructor', start: 0, end: 7 },
  ];
  expect(String(inlineHtml({ text: 'one two', decorations }))).toBe('<u>one </u><u><s>two</s></u>');
});

test('the community of a post is named once in a conversation within one community', () => {
  const within = (id: string, handle: string, community = '15'): Post =>
    postOf({ id, author: userOf(handle, handle), community: { id: community, name: `Cyclists ${community}` } });
  const around = { ancestors: [within('1', 'bo')], replies: [within('30', 'bo'), within('31', 'bo', '16')] };
  const html = String(conversationHtml(conversationOf(within('20', 'ada'), around), BASE));
  expect(html.match(/<bdi>Cyclists \d+/g)).toEqual(['<bdi>Cyclists 15', '<bdi>Cyclists 16']);
});

test('an article has contents for two sections or more, with ids that no author writes', () => {
  const story = (...levels: readonly number[]): string => {
    const blocks = levels.map((level) => ({ type: 'heading' as const, level, spans: [{ text: `<b>${level}` }] }));
    return String(conversationHtml(conversationOf(postOf({ text: '', article: { title: 'Essay', blocks } })), BASE));
  };
  const html = story(1, 2, 1);
  expect(/<nav class="plan".*?<\/nav>/.exec(html)?.[0]).toBe(
    '<nav class="plan" aria-label="Contents"><ol><li><a href="#s1" dir="auto">&lt;b&gt;1</a></li><li><a href="#s3" dir="auto">&lt;b&gt;1</a></li></ol></nav>',
  );
  expect(html.match(/<h[23] id="s\d"/g)).toEqual(['<h2 id="s1"', '<h3 id="s2"', '<h2 id="s3"']);
  expect(story(1, 2)).not.toContain('<nav class="plan"');
});

test('a post in a list does not repeat the URL of the quoted post', () => {
  const url = 'https://x.com/ada/status/19';
  const post = postOf({ text: `See ${url}`, links: [{ url }], quote: postOf({ id: '19' }) });
  expect(String(postItemHtml(post))).toContain('dir="auto">See</p>');
});

test('a translation is cut in a list and whole on its page', () => {
  const translation = { text: 'word '.repeat(400), source_lang: 'ja', target_lang: 'en', provider: '<i>' };
  expect(String(postItemHtml(postOf({ translation }))).length).toBeLessThan(1500);
  const page = String(conversationHtml(conversationOf(postOf({ translation })), BASE));
  expect(/<main.*<\/main>/s.exec(page)?.[0].match(/word/g)).toHaveLength(400);
});

test('[reading 1] the first post of a thread says so, and its link is no further stop of the keyboard', () => {
  const thread = { parts: 3, last: postOf({ id: '22' }) };
  expect(String(postItemHtml(postOf({ id: '20' }), { thread }))).toContain(
    '<a href="/ada/status/20" class="on" tabindex="-1">Show this thread, 3 posts or more</a>',
  );
});

/** The dates of the items and quotes in the HTML. */
const datesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<a [^>]*class="at"[^>]*>(.*?)<\/a>/g)].map(([, date = '']) => date);

test('[reading 2] a list says the time of each post, the year of posts of another year, and once zone and year', () => {
  const posts = [
    postOf({ id: '2', created_at: '2026-08-20T10:00:05Z' }),
    postOf({
      id: '1',
      created_at: '2025-08-20T10:00:05Z',
      quote: postOf({ id: '3', created_at: '2026-01-02T23:59:00Z' }),
    }),
  ];
  const value = { handle: 'ada', kind: 'posts' as const, posts };
  const at = (year: string): string =>
    String(
      presentProfilePosts(
        withParts({ value, source: 'recorded', fetchedAt: Date.parse(`${year}-12-31T23:59:59Z`), warnings: [] }),
        {
          baseUrl: BASE,
          ...pageUrlsAt('/ada'),
        },
      ).html?.(),
    );
  expect(datesIn(at('2026'))).toEqual([
    '<time datetime="2026-08-20T10:00:05Z" title="20 August 2026, 10:00 UTC">20 Aug, 10:00</time>',
    '<time datetime="2025-08-20T10:00:05Z" title="20 August 2025, 10:00 UTC">20 Aug 2025, 10:00</time>',
    '<time datetime="2026-01-02T23:59:00Z" title="2 January 2026, 23:59 UTC">2 Jan, 23:59</time>',
  ]);
  expect(at('2026').match(/Times are UTC\. No year means 2026\./g)).toHaveLength(1);
  expect(at('2027')).toContain('>20 Aug 2026, 10:00</time>');
});

test('[reading 2] a reply has no year if it is of the year that is read and of the post above, which says it', () => {
  const shown = (postYear: string, readYear: string): string =>
    datesIn(
      String(
        conversationHtml(
          conversationOf(postOf({ id: '20', created_at: `${postYear}-03-01T08:00:00Z` }), {
            replies: [postOf({ id: '30', created_at: '2026-03-02T09:30:00Z' })],
          }),
          BASE,
          { readAt: Date.parse(`${readYear}-06-01T00:00:00Z`) },
        ),
      ),
    )
      .join()
      .replaceAll(/<[^>]+>/g, '');
  expect(shown('2026', '2026')).toBe('2 Mar, 09:30');
  expect(shown('2025', '2026')).toBe('2 Mar 2026, 09:30');
  expect(shown('2026', '2027')).toBe('2 Mar 2026, 09:30');
});

test('[reading 2] the date of an item says its zone where no page does', () => {
  expect(datesIn(String(postItemHtml(postOf({ created_at: '2026-08-20T10:00:05Z' }))))).toEqual([
    '<time datetime="2026-08-20T10:00:05Z" title="20 August 2026, 10:00 UTC">20 Aug 2026, 10:00 UTC</time>',
  ]);
});

test('a card has a large picture on the page of its post alone, and only if the picture is wide enough', () => {
  const cardIn = (image_width: number, image_height: number) => {
    const card = {
      url: 'https://a.example/',
      image_url: 'https://pbs.twimg.com/card_img/1/a',
      image_width,
      image_height,
    };
    const post = postOf({ card });
    return [String(conversationHtml(conversationOf(post), BASE)), String(postItemHtml(post))].map((html) =>
      / class="(card[^"]*)"><img[^>]*( width="\d+" height="\d+")/.exec(html)?.slice(1).join(''),
    );
  };
  const SMALL = 'card width="136" height="136"';
  expect(cardIn(600, 314)).toEqual(['card wide width="600" height="314"', SMALL]);
  expect(cardIn(599, 314)).toEqual([SMALL, SMALL]);
  expect(cardIn(800, 800)).toEqual([SMALL, SMALL]);
});

test('an article in a list is a card with its cover, and without one its title and its beginning', () => {
  const article = { title: 'A <fjord>', preview_text: 'One two', blocks: [] };
  const cover_url = 'https://pbs.twimg.com/media/K.jpg';
  const item = (members: object): string =>
    String(postItemHtml(postOf({ text: '', article: { ...article, ...members } })));
  expect(item({ cover_url })).toMatch(
    /<a href="\/ada\/status\/20" class="card" tabindex="-1"><img src="[^"]*K\.jpg\?name=small" width="136" height="136" alt="" loading="lazy"><span><b[^>]*>A &lt;fjord&gt;<\/b><small class="lines"[^>]*>One two<\/small>/,
  );
  for (const members of [{}, { cover_url: 'https://elsewhere.example/K.jpg' }])
    expect(item(members)).toMatch(/<p class="title"[^>]*><a [^>]*>A &lt;fjord&gt;<\/a><\/p><p class="text"/);
});

test('an item ends its figures with the views', () => {
  const metrics = { ...postOf().metrics, likes: 2, replies: 0, views: 3000 };
  expect(String(postItemHtml(postOf({ metrics })))).toContain(
    '<p class="figures"><span>2 likes</span> <span>3,000 views</span></p>',
  );
});
