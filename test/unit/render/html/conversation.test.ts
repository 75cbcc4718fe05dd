// The page for people: whatever authors write is text, never a tag and never more of an attribute.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../../shared/model/conversation.ts';
import type { Media, Post } from '../../../../shared/model/post.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { escapeHtml } from '../../../../shared/render/html/page.ts';
import { hostileFragments, hostileText } from '../../../support/hostile-text.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';
import { expectTextOnly, tagsOf } from '../tags.ts';

const saying = (words: string): Conversation =>
  conversationOf(
    postOf({
      text: words,
      lang: words,
      author: userOf(words),
      media: [
        { type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg', alt_text: words },
        { type: 'video', url: 'https://video.twimg.com/a.mp4', alt_text: words },
      ],
      poll: { choices: [{ label: words, votes: 1, percentage: 100 }], total_votes: 1 },
      card: { url: 'https://card.example/?a="b"&c', title: words },
      quote: postOf({ author: userOf(words), text: words }),
      community_note: { text: words },
      article: { title: words, preview_text: words, blocks: [] },
    }),
    { replies: [postOf({ text: words, author: userOf(words) })] },
  );

const page = (words: string): string => conversationHtml(saying(words), 'https://postern.example');

test('[markdown #5][markdown #10] each nasty fragment is text on the page', () => {
  for (const fragment of hostileFragments) expectTextOnly(page, `a${fragment}`);
});

test('[markdown #5][markdown #10] hostile texts are text on the page', () => {
  fc.assert(
    fc.property(
      hostileText.map((words) => `a${words}`),
      (words) => expectTextOnly(page, words),
    ),
    { numRuns: 3000 },
  );
});

test('[markdown #5] markup is shown, not obeyed', () => {
  expect(escapeHtml(`<b title="x" class='y'>&amp;</b>`)).toBe(
    '&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;amp;&lt;/b&gt;',
  );
});

test('[markdown #7] invisible characters do not reach the page', () => {
  expect(escapeHtml('a\u202eb\u{e0041}\u0000c')).toBe('abc');
});

test('[markdown #4] the page loads pictures from hosts of X alone', () => {
  const page = (url: string): string =>
    conversationHtml(
      conversationOf(postOf({ media: [{ type: 'photo', url, alt_text: 'A fjord' }] })),
      'https://postern.example',
    );
  expect(page('https://pbs.twimg.com/media/a.jpg')).toContain(
    '<img src="https://pbs.twimg.com/media/a.jpg" alt="A fjord"',
  );
  for (const elsewhere of [
    'https://tracker.example/a.jpg',
    'https://pbs.twimg.com.evil.example/a.jpg',
    'http://pbs.twimg.com/a.jpg',
  ]) {
    expect(page(elsewhere)).not.toContain('<img');
    expect(page(elsewhere)).not.toContain('og:image');
  }
});

test('a post without an author, a text or a picture is a page as well', () => {
  const { author: _, ...anonymous } = postOf({ text: '' });
  expect(tagsOf(conversationHtml(conversationOf(anonymous), ''))).toContain('article');
});

test('every link of a page tells crawlers not to follow it and the browser not to hand itself over', () => {
  const html = conversationHtml(
    conversationOf(
      postOf({
        links: [{ url: 'https://a.example/' }],
        text: 'See https://a.example/',
        media: [{ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' }],
        article: {
          title: 'Essay',
          blocks: [
            { type: 'paragraph', spans: [{ text: 'here', url: 'https://b.example/' }] },
            { type: 'post', id: '20', url: 'https://x.com/i/status/20' },
            { type: 'media', media: { type: 'photo', url: 'https://pbs.twimg.com/media/b.jpg' } },
          ],
        },
      }),
    ),
    'https://postern.example',
  );
  const own = /href="(?:\/|https:\/\/postern\.example\/[^"]+)"/;
  const anchors = (html.match(/<a [^>]*>/g) ?? []).filter((anchor) => !own.test(anchor));
  expect(anchors).toHaveLength(7);
  for (const anchor of anchors) expect(anchor).toMatch(/^<a href="https:[^"]+" rel="nofollow noopener">$/);
  const images = html.match(/<img [^>]*>/g) ?? [];
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/ loading="lazy">$/);
});

describe('what a page says of itself', () => {
  const headOf = (members: Partial<Post> = {}): string =>
    /<head>.*<\/head>/s.exec(conversationHtml(conversationOf(postOf(members)), 'https://postern.example'))?.[0] ?? '';

  /** Open Graph and the like, in order; unescaped only as far as addresses need it. */
  const metasOf = (members?: Partial<Post>): readonly (readonly [string, string])[] =>
    [...headOf(members).matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)]
      .map(([, name = '', content = '']) => [name, content.replaceAll('&amp;', '&')] as const)
      .filter(([name]) => name !== 'viewport');

  const about = (start: string, members: Partial<Post>): readonly (readonly [string, string])[] =>
    metasOf(members).filter(([name]) => name.startsWith(start));

  const photo = (name: string, members: Partial<Media> = {}): Media => ({
    type: 'photo',
    url: `https://pbs.twimg.com/media/${name}?format=jpg&name=orig`,
    ...members,
  });
  const film = (members: Partial<Media> = {}): Media => ({
    type: 'video',
    url: 'https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/1920x1080/d.mp4?tag=12',
    width: 1920,
    height: 1080,
    thumbnail_url: 'https://pbs.twimg.com/ext_tw_video_thumb/1/pu/img/T.jpg',
    ...members,
  });
  const variant = (bitrate: number, path = 'avc1/a') => ({
    url: `https://video.twimg.com/${path}-${bitrate}.mp4`,
    content_type: 'video/mp4',
    bitrate,
  });

  test('who wrote what and when', () => {
    expect(metasOf({ text: 'Say "hi" & go' })).toEqual([
      ['description', 'Say &quot;hi&quot; & go'],
      ['author', 'Ada (@ada)'],
      ['twitter:card', 'summary'],
      ['og:type', 'article'],
      ['og:site_name', 'Postern'],
      ['og:title', 'Ada (@ada) on X'],
      ['og:description', 'Say &quot;hi&quot; & go'],
      ['og:url', 'https://x.com/ada/status/20'],
      ['article:published_time', '2026-03-02T10:00:00Z'],
    ]);
  });

  test('where its other forms are, and how it is embedded', () => {
    const address = 'https://postern.example/ada/status/20';
    expect(headOf({ author: userOf('A "b"') }).match(/<link [^>]*>/g)).toEqual([
      '<link rel="canonical" href="https://x.com/ada/status/20">',
      `<link rel="alternate" type="text/markdown" href="${address}?format=markdown">`,
      `<link rel="alternate" type="application/json" href="${address}?format=json">`,
      `<link rel="alternate" type="application/json+oembed" href="https://postern.example/api/v1/oembed?url=${encodeURIComponent(address)}&amp;format=json" title="A &quot;b&quot; (@ada) on X">`,
    ]);
  });

  test.each(['search', 'OEmbed', 'longer_than_our_paths_allow'])(
    'an author called %s is i in addresses of ours',
    (handle) => {
      const head = headOf({ author: userOf('Ada', handle) });
      expect(head).toContain('href="https://postern.example/i/status/20?format=json"');
      expect(head).toContain('postern.example%2Fi%2Fstatus%2F20&amp;');
    },
  );

  test('every picture, with what is known of it', () => {
    const media = [
      photo('A', { width: 1600, height: 900, alt_text: 'A fjord' }),
      photo('B'),
      film({ alt_text: 'Waves' }),
    ];
    expect(about('og:image', { media })).toEqual([
      ['og:image', 'https://pbs.twimg.com/media/A?format=jpg&name=orig'],
      ['og:image:width', '1600'],
      ['og:image:height', '900'],
      ['og:image:alt', 'A fjord'],
      ['og:image', 'https://pbs.twimg.com/media/B?format=jpg&name=orig'],
      ['og:image', 'https://pbs.twimg.com/ext_tw_video_thumb/1/pu/img/T.jpg'],
      ['og:image:alt', 'Waves'],
    ]);
    expect(about('twitter:', { media })).toEqual([['twitter:card', 'summary_large_image']]);
  });

  test('[markdown #4] no picture and no video of another host', () => {
    const url = 'https://tracker.example/a.mp4';
    for (const media of [[photo('A', { url })], [film({ url, thumbnail_url: url, variants: [{ url, bitrate: 1 }] })]]) {
      expect(about('og:image', { media })).toEqual([]);
      expect(about('og:video', { media })).toEqual([]);
      expect(about('twitter:', { media })).toEqual([['twitter:card', 'summary']]);
    }
    expect(about('og:image', { article: { title: 'Essay', cover_url: url, blocks: [] } })).toEqual([]);
  });

  test('the cover of an article', () => {
    const cover_url = 'https://pbs.twimg.com/media/C.jpg';
    const article = { title: 'Essay', cover_url, blocks: [] };
    expect(about('og:image', { article })).toEqual([['og:image', cover_url]]);
    expect(about('og:image', { article, media: [photo('A')] })).not.toContainEqual(['og:image', cover_url]);
  });

  test('the best variant of a video that plays at once', () => {
    const variants = [
      { url: 'https://video.twimg.com/pl/L.m3u8' },
      variant(832_000),
      variant(10_368_000),
      variant(4_900_000, 'hevc/b'),
      variant(2_176_000),
    ];
    expect(about('og:video', { media: [photo('A'), film({ variants })] })).toEqual([
      ['og:video', 'https://video.twimg.com/avc1/a-2176000.mp4'],
      ['og:video:secure_url', 'https://video.twimg.com/avc1/a-2176000.mp4'],
      ['og:video:type', 'video/mp4'],
      ['og:video:width', '1920'],
      ['og:video:height', '1080'],
    ]);
  });

  test.each([
    [
      'exactly 5 Mbit/s',
      film({ variants: [variant(832_000), variant(5_000_000), variant(5_000_001)] }),
      'https://video.twimg.com/avc1/a-5000000.mp4',
    ],
    [
      'the slowest of fast ones',
      film({ variants: [variant(9_000_000), variant(7_000_000)] }),
      'https://video.twimg.com/avc1/a-7000000.mp4',
    ],
    ['one without variants', film(), film().url],
    [
      'a GIF',
      film({ type: 'gif', url: 'https://video.twimg.com/tweet_video/G.mp4' }),
      'https://video.twimg.com/tweet_video/G.mp4',
    ],
    ['a stream alone', film({ url: 'https://video.twimg.com/pl/L.m3u8' }), undefined],
  ])('of %s', (_, media, expected) => {
    expect(about('og:video', { media: [media] })[0]?.[1]).toBe(expected);
  });

  test.each<[string, Partial<Post>]>([
    ['Photo', { media: [photo('A')] }],
    ['2 photos, Video', { media: [photo('A'), film(), photo('B')] }],
    ['GIF', { media: [film({ type: 'gif' })] }],
    [
      'Poll: Tea · Coffee',
      {
        poll: { total_votes: 0, choices: ['Tea', 'Coffee'].map((label) => ({ label, votes: 0, percentage: 0 })) },
      },
    ],
    ['Essay\n\nIt begins.', { article: { title: 'Essay', preview_text: 'It begins.', blocks: [] } }],
    [
      'Essay\n\nFirst words.',
      {
        article: {
          title: 'Essay',
          blocks: [
            { type: 'divider' },
            { type: 'paragraph', spans: [{ text: 'First ' }, { text: 'words.', bold: true }] },
          ],
        },
      },
    ],
    ['Tea house', { card: { url: 'https://tea.example/', title: 'Tea house' } }],
  ])('where there is no text, what there is: %s', (expected, members) => {
    const metas = metasOf({ text: ' ', ...members });
    expect(metas).toContainEqual(['description', expected]);
    expect(metas).toContainEqual(['og:description', expected]);
    expect(about('og:description', { text: 'Said.', ...members })).toEqual([['og:description', 'Said.']]);
  });

  test('what is not known is not said', () => {
    const { author: _, created_at: __, ...bare } = postOf({ text: '' });
    const html = conversationHtml(conversationOf(bare), '');
    for (const name of ['description', 'og:description', 'author', 'article:published_time', 'og:image'])
      expect(html).not.toContain(`="${name}"`);
  });

  test('a long text is cut in the description', () => {
    const [[, description = ''] = []] = about('description', { text: '🐋'.repeat(300) });
    expect(description).toBe('🐋'.repeat(280));
  });
});
