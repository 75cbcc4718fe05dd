// Checks the head of an HTML page: link preview, other formats and oEmbed discovery.
import { describe, expect, test } from 'vitest';
import type { Media, Post } from '../../../../shared/model/post.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { headHtml, type PageHead } from '../../../../shared/render/html/head.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

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

  test.each([
    ['de', 'de_DE'],
    ['ja', 'ja_JP'],
    ['pt', 'pt_BR'],
    ['zh', 'zh_CN'],
    // X uses the old codes of Indonesian and Hebrew.
    ['in', 'id_ID'],
    ['iw', 'he_IL'],
    ['en', 'en_US'],
    // Not a language, or not a language tag.
    ['und', 'en_US'],
    ['zxx', 'en_US'],
    ['qme', 'en_US'],
    ['art', 'en_US'],
    ['"><script>', 'en_US'],
    ['x'.repeat(10_000), 'en_US'],
  ])('og:locale of the language %s is %s', (lang, locale) => {
    expect(about('og:locale', { lang })).toEqual([['og:locale', locale]]);
  });

  const withAvatar = (url: string): Partial<Post> => ({ author: { ...userOf(), avatar_url: url } });
  const AVATAR = 'https://pbs.twimg.com/profile_images/1/ada';

  test('og:image is the picture of the card when the post has no other picture', () => {
    const card = {
      url: 'https://tea.example/',
      image_url: 'https://pbs.twimg.com/card_img/1/a?format=jpg&name=800x419',
    };
    expect(about('og:image', { card, ...withAvatar(`${AVATAR}_normal.jpg`) })).toEqual([['og:image', card.image_url]]);
    expect(about('og:image', { card, media: [photo('A')] })).toHaveLength(1);
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

  test('og:video and twitter:player:stream have the size of the file that they name', () => {
    const at = (resolution: string, bitrate: number) => variant(bitrate, `ext_tw_video/1/pu/vid/avc1/${resolution}/a`);
    const variants = [at('480x270', 256_000), at('1280x720', 2_176_000), at('1920x1080', 10_368_000)];
    const members = { media: [video({ variants })] };
    expect(about('og:video:', members)).toEqual([
      ['og:video:secure_url', at('1280x720', 2_176_000).url],
      ['og:video:type', 'video/mp4'],
      ['og:video:width', '1280'],
      ['og:video:height', '720'],
    ]);
    expect(about('twitter:player', members)).toEqual([
      ['twitter:player:stream', at('1280x720', 2_176_000).url],
      ['twitter:player:stream:content_type', 'video/mp4'],
      ['twitter:player:width', '1280'],
      ['twitter:player:height', '720'],
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
    for (const name of ['description', 'og:description', 'author', 'article:published_time', 'article:author'])
      expect(html).not.toContain(`="${name}"`);
  });
});

describe('head of a page that is not of a post', () => {
  const list: PageHead = {
    type: 'website',
    title: 'tide: latest posts',
    description: 'Latest posts.',
    canonical: 'https://x.com/search?q=tide',
    url: 'https://postern.example/search?q=tide',
  };

  test('og:image of a profile is its avatar as a small card, and the profile has its handle', () => {
    const url = `https://pbs.twimg.com/profile_images/1/a_400x400.jpg`;
    for (const pictures of [{ avatar: { url } }, { pictures: [{ url }] }]) {
      const head = headHtml({ ...list, ...pictures, type: 'profile', handle: 'ada' });
      expect(head).toContain(`<meta property="og:image" content="${url}">`);
      expect(head).toContain('<meta name="twitter:card" content="summary">');
      expect(head).toContain('<meta property="profile:username" content="ada">');
      expect(head).not.toContain('article:author');
    }
  });
});
