// Checks that texts of third parties stay text on an HTML page and never become a tag or an attribute.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../../shared/model/conversation.ts';
import type { Media, Post } from '../../../../shared/model/post.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { escapeHtml } from '../../../../shared/render/html/page.ts';
import { hostileFragments, hostileText } from '../../../support/hostile-text.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';
import { expectTextOnly, tagsOf } from '../tags.ts';

const conversationWith = (text: string): Conversation =>
  conversationOf(
    postOf({
      text,
      lang: text,
      author: userOf(text),
      media: [
        { type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg', alt_text: text },
        { type: 'video', url: 'https://video.twimg.com/a.mp4', alt_text: text },
      ],
      poll: { choices: [{ label: text, votes: 1, percentage: 100 }], total_votes: 1 },
      card: { url: 'https://card.example/?a="b"&c', title: text },
      quote: postOf({ author: userOf(text), text }),
      community_note: { text },
      article: { title: text, preview_text: text, blocks: [] },
    }),
    { replies: [postOf({ text, author: userOf(text) })] },
  );

const page = (text: string): string => conversationHtml(conversationWith(text), 'https://postern.example');

test('[markdown #5][markdown #10] an HTML page shows each hostile fragment as text', () => {
  for (const fragment of hostileFragments) expectTextOnly(page, `a${fragment}`);
});

test('[markdown #5][markdown #10] an HTML page shows hostile texts as text', () => {
  fc.assert(
    fc.property(
      hostileText.map((text) => `a${text}`),
      (text) => expectTextOnly(page, text),
    ),
    { numRuns: 3000 },
  );
});

test('[markdown #5] escapeHtml escapes markup and quotes', () => {
  expect(escapeHtml(`<b title="x" class='y'>&amp;</b>`)).toBe(
    '&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;amp;&lt;/b&gt;',
  );
});

test('[markdown #7] escapeHtml removes invisible characters', () => {
  expect(escapeHtml('a\u202eb\u{e0041}\u0000c')).toBe('abc');
});

test('[markdown #4] an HTML page loads pictures only from hosts of X', () => {
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

test('a post without author, text and picture has an HTML page', () => {
  const { author: _, ...anonymous } = postOf({ text: '' });
  expect(tagsOf(conversationHtml(conversationOf(anonymous), ''))).toContain('article');
});

test('every external link has rel nofollow noopener and every image loads lazily', () => {
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
  const internalLink = /href="(?:\/|https:\/\/postern\.example\/[^"]+)"/;
  const anchors = (html.match(/<a [^>]*>/g) ?? []).filter((anchor) => !internalLink.test(anchor));
  expect(anchors).toHaveLength(7);
  for (const anchor of anchors) expect(anchor).toMatch(/^<a href="https:[^"]+" rel="nofollow noopener">$/);
  const images = html.match(/<img [^>]*>/g) ?? [];
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/ loading="lazy">$/);
});

describe('head of an HTML page', () => {
  const headOf = (members: Partial<Post> = {}): string =>
    /<head>.*<\/head>/s.exec(conversationHtml(conversationOf(postOf(members)), 'https://postern.example'))?.[0] ?? '';

  /** Lists the Open Graph and similar meta elements in order; unescapes only `&amp;`, for URLs. */
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
  const video = (members: Partial<Media> = {}): Media => ({
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

  test('the meta elements name the author, the text and the date', () => {
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

  test('the link elements name the canonical URL, the other formats and the oEmbed URL', () => {
    const pageUrl = 'https://postern.example/ada/status/20';
    expect(headOf({ author: userOf('A "b"') }).match(/<link [^>]*>/g)).toEqual([
      '<link rel="canonical" href="https://x.com/ada/status/20">',
      `<link rel="alternate" type="text/markdown" href="${pageUrl}?format=markdown">`,
      `<link rel="alternate" type="application/json" href="${pageUrl}?format=json">`,
      `<link rel="alternate" type="application/json+oembed" href="https://postern.example/api/v1/oembed?url=${encodeURIComponent(pageUrl)}&amp;format=json" title="A &quot;b&quot; (@ada) on X">`,
    ]);
  });

  test.each(['search', 'OEmbed', 'longer_than_our_paths_allow'])(
    'the URLs of the service use /i/ for an author with the handle %s',
    (handle) => {
      const head = headOf({ author: userOf('Ada', handle) });
      expect(head).toContain('href="https://postern.example/i/status/20?format=json"');
      expect(head).toContain('postern.example%2Fi%2Fstatus%2F20&amp;');
    },
  );

  test('og:image lists every picture with its known size and description', () => {
    const media = [
      photo('A', { width: 1600, height: 900, alt_text: 'A fjord' }),
      photo('B'),
      video({ alt_text: 'Waves' }),
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

  test('[markdown #4] og:image and og:video never name another host', () => {
    const url = 'https://tracker.example/a.mp4';
    for (const media of [
      [photo('A', { url })],
      [video({ url, thumbnail_url: url, variants: [{ url, bitrate: 1 }] })],
    ]) {
      expect(about('og:image', { media })).toEqual([]);
      expect(about('og:video', { media })).toEqual([]);
      expect(about('twitter:', { media })).toEqual([['twitter:card', 'summary']]);
    }
    expect(about('og:image', { article: { title: 'Essay', cover_url: url, blocks: [] } })).toEqual([]);
  });

  test('og:image is the cover of an article when the post has no other picture', () => {
    const cover_url = 'https://pbs.twimg.com/media/C.jpg';
    const article = { title: 'Essay', cover_url, blocks: [] };
    expect(about('og:image', { article })).toEqual([['og:image', cover_url]]);
    expect(about('og:image', { article, media: [photo('A')] })).not.toContainEqual(['og:image', cover_url]);
  });

  test('og:video is the best variant of a video that a browser plays directly', () => {
    const variants = [
      { url: 'https://video.twimg.com/pl/L.m3u8' },
      variant(832_000),
      variant(10_368_000),
      variant(4_900_000, 'hevc/b'),
      variant(2_176_000),
    ];
    expect(about('og:video', { media: [photo('A'), video({ variants })] })).toEqual([
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
      video({ variants: [variant(832_000), variant(5_000_000), variant(5_000_001)] }),
      'https://video.twimg.com/avc1/a-5000000.mp4',
    ],
    [
      'the slowest when all exceed 5 Mbit/s',
      video({ variants: [variant(9_000_000), variant(7_000_000)] }),
      'https://video.twimg.com/avc1/a-7000000.mp4',
    ],
    ['a video without variants', video(), video().url],
    [
      'a GIF',
      video({ type: 'gif', url: 'https://video.twimg.com/tweet_video/G.mp4' }),
      'https://video.twimg.com/tweet_video/G.mp4',
    ],
    ['a stream without a file', video({ url: 'https://video.twimg.com/pl/L.m3u8' }), undefined],
  ])('og:video for %s', (_, media, expected) => {
    expect(about('og:video', { media: [media] })[0]?.[1]).toBe(expected);
  });

  test.each<[string, Partial<Post>]>([
    ['Photo', { media: [photo('A')] }],
    ['2 photos, Video', { media: [photo('A'), video(), photo('B')] }],
    ['GIF', { media: [video({ type: 'gif' })] }],
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
    ['Tea store', { card: { url: 'https://tea.example/', title: 'Tea store' } }],
  ])('the description of a post without text is: %s', (expected, members) => {
    const metas = metasOf({ text: ' ', ...members });
    expect(metas).toContainEqual(['description', expected]);
    expect(metas).toContainEqual(['og:description', expected]);
    expect(about('og:description', { text: 'Said.', ...members })).toEqual([['og:description', 'Said.']]);
  });

  test('unknown facts have no meta element', () => {
    const { author: _, created_at: __, ...bare } = postOf({ text: '' });
    const html = conversationHtml(conversationOf(bare), '');
    for (const name of ['description', 'og:description', 'author', 'article:published_time', 'og:image'])
      expect(html).not.toContain(`="${name}"`);
  });

  test('the description shortens a long text to 280 characters', () => {
    const [[, description = ''] = []] = about('description', { text: '🐋'.repeat(300) });
    expect(description).toBe('🐋'.repeat(280));
  });
});
