// Checks the head of an HTML page: link preview, other formats and oEmbed discovery.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { headHtml } from '../../../../shared/render/html/head.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';
import { photo, video } from '../../../support/rich-media.ts';

describe('head of an HTML page', () => {
  const headOf = (members: Partial<Post> = {}): string =>
    /<head>.*<\/head>/s.exec(
      String(conversationHtml(conversationOf(postOf(members)), 'https://postern.example')),
    )?.[0] ?? '';

  /** Lists the Open Graph and similar meta elements in order; unescapes only `&amp;`, for URLs. */
  const metasOf = (members?: Partial<Post>): readonly (readonly [string, string])[] =>
    [...headOf(members).matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)]
      .map(([, name = '', content = '']) => [name, content.replaceAll('&amp;', '&')] as const)
      .filter(([name]) => name !== 'viewport');

  const about = (start: string, members: Partial<Post>): readonly (readonly [string, string])[] =>
    metasOf(members).filter(([name]) => name.startsWith(start));

  const variant = (bitrate: number, path = 'avc1/a') => ({
    url: `https://video.twimg.com/${path}-${bitrate}.mp4`,
    content_type: 'video/mp4',
    bitrate,
  });

  test.each([
    ['de', 'de_DE'],
    ['pt', 'pt_BR'],
    // X uses the old code of Hebrew.
    ['iw', 'he_IL'],
    // Not a language, or not a language tag.
    ['und', 'en_US'],
    ['qme', 'en_US'],
    ['"><script>', 'en_US'],
    ['x'.repeat(10_000), 'en_US'],
  ])('og:locale of the language %s is %s', (lang, locale) => {
    expect(about('og:locale', { lang })).toEqual([['og:locale', locale]]);
  });

  test('og:image is the picture of the card when the post has no other picture', () => {
    const card = {
      url: 'https://tea.example/',
      image_url: 'https://pbs.twimg.com/card_img/1/a?format=jpg&name=800x419',
    };
    const author = { ...userOf(), avatar_url: 'https://pbs.twimg.com/profile_images/1/ada_normal.jpg' };
    expect(about('og:image', { card, author })).toEqual([['og:image', card.image_url]]);
    expect(about('og:image', { card, media: [photo()] })).not.toContainEqual(['og:image', card.image_url]);
  });

  test('og:video and twitter:player:stream name the sharpest file of up to 5 Mbit/s that a browser plays, with its size', () => {
    const at = (resolution: string, bitrate: number) => variant(bitrate, `ext_tw_video/1/pu/vid/avc1/${resolution}/a`);
    const variants = [
      { url: 'https://video.twimg.com/pl/L.m3u8' },
      at('480x270', 256_000),
      at('640x360', 832_000),
      at('1920x1080', 10_368_000),
      variant(4_900_000, 'hevc/b'),
    ];
    const members = { media: [photo(), video({ variants })] };
    const url = at('640x360', 832_000).url;
    expect(about('og:video', members)).toEqual([
      ['og:video', url],
      ['og:video:secure_url', url],
      ['og:video:type', 'video/mp4'],
      ['og:video:width', '640'],
      ['og:video:height', '360'],
    ]);
    expect(about('twitter:player', members)).toEqual([
      ['twitter:player:stream', url],
      ['twitter:player:stream:content_type', 'video/mp4'],
      ['twitter:player:width', '640'],
      ['twitter:player:height', '360'],
    ]);
  });

  const gif = { type: 'gif', url: 'https://video.twimg.com/tweet_video/G.mp4' } as const;

  test.each([
    [
      'exactly 5 Mbit/s',
      { variants: [832_000, 5_000_000, 5_000_001].map((rate) => variant(rate)) },
      variant(5_000_000).url,
    ],
    [
      'the slowest when all exceed 5 Mbit/s',
      { variants: [variant(9_000_000), variant(7_000_000)] },
      variant(7_000_000).url,
    ],
    ['a video without variants', {}, video().url],
    ['a GIF', gif, gif.url],
    ['a stream without a file', { url: 'https://video.twimg.com/pl/L.m3u8' }, undefined],
  ])('og:video for %s', (_, members, expected) => {
    expect(about('og:video', { media: [video(members)] })[0]?.[1]).toBe(expected);
  });

  test('a sensitive post has neither a picture nor a video in a link preview', () => {
    const members = { sensitive: true, media: [photo(), video()] };
    expect(about('og:video', members)).toEqual([]);
    expect(about('og:image', members)).toContainEqual(['og:image', 'https://postern.example/assets/preview.png']);
  });

  const paragraph = {
    type: 'paragraph' as const,
    spans: [{ text: 'First ' }, { text: 'words.', bold: true as const }],
  };

  test.each<[string, Partial<Post>]>([
    ['Photo', { media: [photo()] }],
    ['2 photos, Video', { media: [photo(), video(), photo()] }],
    ['GIF', { media: [video({ type: 'gif' })] }],
    ['It begins.', { article: { title: 'Essay', preview_text: 'It begins.', blocks: [] } }],
    ['First words.', { article: { title: 'Essay', blocks: [{ type: 'divider' }, paragraph] } }],
  ])('the description of a post without text is: %s', (expected, members) => {
    const metas = metasOf({ text: ' ', ...members });
    const description = `${expected}\nAda (@ada) · 1 like · 0 reposts · 2 replies · 3,000 views`;
    expect(metas).toContainEqual(['description', description]);
    expect(metas).toContainEqual(['og:description', description]);
  });

  test('unknown facts have no meta element', () => {
    const { author: _, created_at: __, ...bare } = postOf({ text: '' });
    const html = String(conversationHtml(conversationOf(bare), ''));
    for (const name of [
      'description',
      'og:description',
      'author',
      'twitter:creator',
      'article:published_time',
      'article:author',
    ])
      expect(html).not.toContain(`="${name}"`);
  });
});

test('og:image of a profile is its avatar as a small card, and the profile has its handle', () => {
  const url = 'https://pbs.twimg.com/profile_images/1/a_400x400.jpg';
  for (const pictures of [{ avatar: { url } }, { pictures: [{ url }] }]) {
    const page = { title: 'Ada', description: '', canonical: 'https://x.com/ada', url: 'https://postern.example/ada' };
    const head = String(headHtml({ ...page, ...pictures, type: 'profile', handle: 'ada' }));
    expect(head).toContain(`<meta property="og:image" content="${url}">`);
    expect(head).toContain('<meta name="twitter:card" content="summary">');
    expect(head).toContain('<meta property="profile:username" content="ada">');
    expect(head).not.toContain('article:author');
  }
});
