// Checks that an embed is well-formed, harmless, within its bounds and true to the text of the author.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import type { Embed, OembedBody } from '../../../../shared/model/resources.ts';
import { presentOembed } from '../../../../shared/reads/oembed/present.ts';
import { hostileText } from '../../../generators/hostile-text.ts';
import { cases } from '../../../support/full-form.ts';
import { renderList } from '../../../support/list-models.ts';
import { expectOembed } from '../../../support/oembed.ts';
import { postOf, userOf } from '../../../support/post-models.ts';
import { photo, video } from '../../../support/rich-media.ts';
import { type Element, elementOf, elementsIn } from '../xml.ts';

const embed = (post: Post, bounds: Omit<Embed, 'post'> = {}): OembedBody =>
  expectOembed(JSON.parse(renderList(presentOembed, { post, ...bounds }).body));

const htmlOf = (post: Post, bounds?: Omit<Embed, 'post'>): string => embed(post, bounds).html;

/** Puts this text into every field that third parties fill. */
const postFilledWith = (text: string): Post =>
  postOf({
    text,
    lang: text,
    author: userOf(text),
    reposted_by: userOf(text),
    in_reply_to: { handle: text },
    media: [
      photo({ alt_text: text }),
      photo({ url: 'https://elsewhere.example/a.jpg', alt_text: text }),
      video({ alt_text: text }),
    ],
    poll: { choices: [{ label: text, votes: 1, percentage: 100 }], total_votes: 1 },
    card: { url: 'https://card.example/?a="b"&c', title: text },
    quote: postOf({ author: userOf(text), text, lang: text }),
    community_note: { text },
    article: { title: text, preview_text: text, blocks: [] },
  });

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  blockquote: ['class', 'cite', 'lang'],
  p: ['lang', 'dir'],
  a: ['href', 'rel', 'target'],
  img: ['src', 'alt', 'width', 'height'],
  br: [],
  strong: [],
  ul: [],
  li: ['dir'],
  span: ['lang', 'dir'],
};

/** Requires well-formed XML that contains only allowed elements and attributes. */
const expectHarmless = (html: string): Element => {
  const root = elementOf(html);
  expect(root).toMatchObject({ name: 'blockquote', attributes: { class: 'postern-embed' } });
  for (const { name, attributes, content } of elementsIn(root)) {
    expect(ALLOWED).toHaveProperty(name);
    for (const attribute of Object.keys(attributes)) expect(ALLOWED[name]).toContain(attribute);
    if (name === 'a')
      expect(attributes).toEqual({
        href: expect.stringMatching(/^https?:\/\//i),
        rel: 'nofollow noopener',
        target: '_blank',
      });
    if (name === 'img') expect(attributes['src']).toMatch(/^https:\/\/(?:pbs|video|abs)\.twimg\.com\//);
    if (name === 'img' || name === 'br') expect(content).toEqual([]);
  }
  return root;
};

test.each([
  [{}, 'large', 2048, 1536],
  [{ maxWidth: 2047 }, 'medium', 1200, 900],
  [{ maxHeight: 900 }, 'medium', 1200, 900],
  [{ maxHeight: 899 }, 'small', 680, 510],
  [{ maxWidth: 680, maxHeight: 510 }, 'small', 680, 510],
  [{ maxWidth: 550 }, 'thumb', 150, 150],
  [{ maxWidth: 150, maxHeight: 150 }, 'thumb', 150, 150],
])('[oembed 1] within %j the thumbnail size is %s', (bounds, name, width, height) => {
  const body = embed(postOf({ media: [photo({ width: 4000, height: 3000 }), photo()] }), bounds);
  expect(body).toMatchObject({
    thumbnail_url: `https://pbs.twimg.com/media/A.jpg?name=${name}`,
    thumbnail_width: width,
    thumbnail_height: height,
  });
});

test('[oembed 1] the body has no thumbnail when no thumbnail size fits', () => {
  for (const bounds of [{ maxWidth: 149 }, { maxHeight: 149 }, { maxWidth: 1 }])
    expect(embed(postOf({ media: [photo()] }), bounds)).not.toHaveProperty('thumbnail_url');
  expect(embed(postOf({ media: [photo({ width: 100, height: 200 })] }), { maxHeight: 160 })).not.toHaveProperty(
    'thumbnail_width',
  );
});

test('[oembed 1] a smaller maxheight drops the pictures before the quoted post', () => {
  const full = postOf({ media: [photo()], quote: postOf({ text: 'Quoted' }) });
  const html = htmlOf(full, { maxHeight: embed(full).height - 1 });
  expect([html.includes('Quoted'), html.includes('<img')]).toEqual([true, false]);
});

test('[oembed 5] the address of the quoted post stays where the quote has no room', () => {
  const quote = postOf({ id: '19', url: 'https://x.com/bo/status/19', text: 'Quoted' });
  const quoting = postOf({ text: 'Look at this https://x.com/bo/status/19', quote });
  for (const maxHeight of [100, 150, 200, 300, 1000])
    expect(htmlOf(quoting, { maxHeight })).toMatch(/Quoted|x\.com\/bo\/status\/19/);
});

test('[oembed 5] the card of a sensitive post has no picture', () => {
  const card = {
    url: 'https://a.example/',
    title: 'A',
    image_url: 'https://pbs.twimg.com/card_img/1',
    image_width: 600,
    image_height: 300,
  };
  expect(htmlOf(postOf({ card }))).toContain('<img');
  expect(htmlOf(postOf({ card, sensitive: true }))).not.toContain('<img');
});

test('[oembed 7] the media of a sensitive post are links, and the embed has no thumbnail', () => {
  const files = [photo({ alt_text: 'A wave' }), video({ thumbnail_url: 'https://pbs.twimg.com/media/V.jpg' })];
  const shown = postOf({ media: files });
  expect(embed(shown)).toMatchObject({ html: expect.stringContaining('<img'), thumbnail_url: expect.any(String) });
  const { html, thumbnail_url: thumbnail } = embed({ ...shown, sensitive: true });
  expect(thumbnail).toBeUndefined();
  expect(html).not.toContain('<img');
  expect(html).toContain('Marked as sensitive.');
  for (const { url } of files) expect(html).toContain(`<a href="${url}`);
  expect(html).toContain('Photo: A wave</a>');
  expect(html).toContain('Play video</a>');
});

test('[oembed 2] a text that has no space for a paragraph of its own is behind the name of the author', () => {
  const short = postOf({ text: 'just setting up my twttr', lang: 'en' });
  const html = htmlOf(short, { maxHeight: 100 });
  expect(html).toContain('<span lang="en" dir="auto">just setting up my twttr</span>');
  expect(html).toMatch(
    /^<blockquote [^>]*><p dir="auto"><a href="https:\/\/x\.com\/ada\/status\/20" [^>]*>Ada \(@ada\)<\/a>: /,
  );
  expect(html).toContain('2026-03-02 10:00 UTC');
  expect(embed(short, { maxHeight: 100 }).height).toBe(96);
  const low = embed(short, { maxHeight: 95 });
  expect(low.html).toContain('just setting up my twttr');
  expect(low.html.match(/href="([^"]*)"/g)).toEqual(['href="https://x.com/ada/status/20"']);
  expect(low.height).toBe(56);
});

const pixels = fc.oneof(fc.integer({ min: 1, max: 2500 }), fc.integer({ min: 1, max: 999_999_999_999_999 }));
const media = fc.array(
  fc.record({
    type: fc.constantFrom('photo', 'video', 'gif'),
    url: fc.constantFrom(photo().url, video().url, 'https://pbs.twimg.com/card_img/1', 'https://a.example/b.jpg'),
    thumbnail_url: fc.constantFrom('https://pbs.twimg.com/tweet_video_thumb/T.jpg', 'https://a.example/b.jpg'),
    width: pixels,
    height: pixels,
  }),
  { maxLength: 4 },
);

test('[oembed 1] maxwidth and maxheight bound the embed and its thumbnail for all values', () => {
  fc.assert(
    fc.property(
      fc.record({ text: hostileText, media }),
      fc.record({ maxWidth: pixels, maxHeight: pixels }, { requiredKeys: [] }),
      (members, bounds) => {
        const body = embed({ ...postFilledWith(members.text), ...members }, bounds);
        expectHarmless(body.html);
        const { maxWidth = Number.POSITIVE_INFINITY, maxHeight = Number.POSITIVE_INFINITY } = bounds;
        expect(body.width).toBe(Math.min(550, maxWidth));
        expect(body.height).toBeLessThanOrEqual(maxHeight);
        expect(body.thumbnail_width ?? 1).toBeLessThanOrEqual(maxWidth);
        expect(body.thumbnail_height ?? 1).toBeLessThanOrEqual(maxHeight);
        for (const [, width] of body.html.matchAll(/width="(\d+)"/g))
          expect(Number(width)).toBeLessThanOrEqual(body.width);
      },
    ),
    { numRuns: cases(60, 400) },
  );
});
