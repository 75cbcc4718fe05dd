// Checks that an embed is well-formed, harmless, within its bounds and true to the text of the author.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Media, Post } from '../../../../shared/model/post.ts';
import type { Embed, OembedBody } from '../../../../shared/model/resources.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { presentOembed } from '../../../../shared/render/presenters/present-oembed.ts';
import { hostileFragments, hostileText } from '../../../generators/hostile-text.ts';
import { cases, sampleOf } from '../../../support/full-form.ts';
import { BASE, renderList } from '../../../support/list-models.ts';
import { expectOembed } from '../../../support/oembed.ts';
import { postOf, userOf } from '../../../support/post-models.ts';
import { readablePosts, readRecorded } from '../../../support/recorded-posts.ts';
import { type Element, elementOf, elementsIn, textIn } from '../xml.ts';

const embed = (post: Post, bounds: Omit<Embed, 'post'> = {}): OembedBody =>
  expectOembed(JSON.parse(renderList(presentOembed, { post, ...bounds }).body));

const htmlOf = (post: Post, bounds?: Omit<Embed, 'post'>): string => embed(post, bounds).html;

const photo = (members: Partial<Media> = {}): Media => ({
  type: 'photo',
  url: 'https://pbs.twimg.com/media/A.jpg?name=orig',
  width: 1600,
  height: 900,
  ...members,
});

const video = (members: Partial<Media> = {}): Media => ({
  type: 'video',
  url: 'https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/1280x720/a.mp4?tag=12',
  width: 1280,
  height: 720,
  thumbnail_url: 'https://pbs.twimg.com/ext_tw_video_thumb/1/pu/img/T.jpg',
  ...members,
});

/** Puts this text into every field that third parties fill. */
const postFilledWith = (text: string): Post =>
  postOf({
    text,
    lang: text,
    author: userOf(text),
    reposted_by: userOf(text),
    in_reply_to: { handle: text },
    sensitive: true,
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
        href: expect.stringMatching(/^https?:\/\//),
        rel: 'nofollow noopener',
        target: '_blank',
      });
    if (name === 'img') expect(attributes['src']).toMatch(/^https:\/\/(?:pbs|video|abs)\.twimg\.com\//);
    if (name === 'img' || name === 'br') expect(content).toEqual([]);
  }
  return root;
};

const shapeOf = (root: Element): readonly string[] =>
  elementsIn(root)
    .filter(({ name }) => name !== 'br')
    .map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(' '));

/** Removes the two characters that XML cannot represent. */
const readable = (text: string): string => visibleText(text).replace(/[\ufffe\uffff]/g, '');

const textsOf = (root: Element): readonly string[] =>
  elementsIn(root)
    .filter(({ name, attributes }) => name === 'p' && 'lang' in attributes)
    .map(textIn);

const expectVerbatim = (text: string): void => {
  const root = expectHarmless(htmlOf(postFilledWith(text)));
  expect(shapeOf(root)).toEqual(shapeOf(elementOf(htmlOf(postFilledWith('words')))));
  expect(textsOf(root)[0]).toBe(readable(text));
  expect(
    elementsIn(root).filter(({ name, attributes }) => name === 'img' && attributes['alt'] === readable(text)),
  ).toHaveLength(2);
};

describe('presentOembed with third-party text', () => {
  test('[oembed 3] [text 9] an embed shows each hostile fragment verbatim and adds no markup', () => {
    for (const fragment of sampleOf(hostileFragments)) expectVerbatim(`a${fragment}`);
  });

  test('[oembed 3] [text 9] an embed shows hostile texts verbatim and adds no markup', () => {
    fc.assert(
      fc.property(
        hostileText.map((text) => `a${text}`),
        expectVerbatim,
      ),
      { numRuns: cases(100, 600) },
    );
  });

  test('[oembed 3] an embed escapes markup and quotes and writes line separators as breaks', () => {
    const html = htmlOf(postOf({ text: '<script>alert("1")</script>\u2028<img src=x onerror=\'y\'>' }));
    expect(html).toContain(
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;<br/>&lt;img src=x onerror=&#39;y&#39;&gt;',
    );
  });

  test('[oembed 3] an embed links only the URLs that the post lists as links', () => {
    const text = 'javascript:alert(1) https://a.example/ https://a.example/?x="y" https://b.example/';
    const root = expectHarmless(
      htmlOf(postOf({ text, links: [{ url: 'https://a.example/' }, { url: 'https://a.example/?x="y"' }] })),
    );
    const links = elementsIn(root).filter(({ name }) => name === 'a');
    expect(links.map(({ attributes }) => attributes['href'])).toEqual([
      'https://x.com/ada',
      'https://a.example/',
      'https://a.example/?x="y"',
      'https://x.com/ada/status/20',
    ]);
    expect(textsOf(root)).toEqual([text]);
  });

  test('title and author_name are one visible line', () => {
    const { title, author_name } = embed(postOf({ author: userOf('A\u202ed\na <b>') }));
    expect({ title, author_name }).toEqual({ title: 'Ad a <b> (@ada) on X', author_name: 'Ad a <b>' });
    expect(embed(postOf({ author: userOf('\u200b') })).author_name).toBe('ada');
  });
});

describe('presentOembed', () => {
  test('[oembed 1] the body has every member that oEmbed 1.0 requires for type rich', () => {
    expect(embed(postOf({ text: 'Hello\nworld', lang: 'en', media: [photo({ alt_text: 'A fjord' })] }))).toEqual({
      version: '1.0',
      type: 'rich',
      html:
        '<blockquote class="postern-embed" cite="https://x.com/ada/status/20" lang="en">' +
        '<p dir="auto"><a href="https://x.com/ada" rel="nofollow noopener" target="_blank">Ada (@ada)</a></p>' +
        '<p lang="en" dir="auto">Hello<br/>world</p>' +
        '<p><a href="https://pbs.twimg.com/media/A.jpg?name=orig" rel="nofollow noopener" target="_blank">' +
        '<img src="https://pbs.twimg.com/media/A.jpg?name=small" alt="A fjord" width="470" height="264"/></a></p>' +
        '<p dir="auto"><a href="https://x.com/ada/status/20" rel="nofollow noopener" target="_blank">2026-03-02 10:00 UTC</a></p>' +
        '</blockquote>',
      width: 550,
      height: 448,
      title: 'Ada (@ada) on X',
      author_name: 'Ada',
      author_url: 'https://x.com/ada',
      provider_name: 'Postern',
      provider_url: `${BASE}/`,
      cache_age: 300,
      thumbnail_url: 'https://pbs.twimg.com/media/A.jpg?name=large',
      thumbnail_width: 1600,
      thumbnail_height: 900,
    });
  });

  test('[oembed 1] a post without author, text and date has an embed', () => {
    const { author: _, created_at: __, ...bare } = postOf({ text: '' });
    const body = embed(bare);
    expectHarmless(body.html);
    expect(body).not.toHaveProperty('author_name');
    expect(body).not.toHaveProperty('author_url');
    expect(body.title).toBe('Post on X');
    expect(body.html).toContain('>https://x.com/ada/status/20</a>');
  });

  test('[oembed 1] every recorded post has an embed', async () => {
    let embedded = 0;
    for (const file of readablePosts) {
      const outcome = await readRecorded(file);
      if (outcome.kind !== 'found') continue;
      expectHarmless(htmlOf(outcome.value.post));
      expectHarmless(htmlOf(outcome.value.post, { maxHeight: 200 }));
      embedded += 1;
    }
    expect(embedded).toBeGreaterThan(20);
  });

  test('an embed shows the poll, community note, article, card, context and quoted post', () => {
    const root = expectHarmless(
      htmlOf(
        postOf({
          sensitive: true,
          reposted_by: userOf('Bob', 'bob'),
          in_reply_to: { handle: 'cleo' },
          poll: { choices: [{ label: 'Tea', votes: 3, percentage: 75 }], total_votes: 4, closed: true },
          community_note: { text: 'It was coffee.' },
          article: { title: 'On tea', blocks: [{ type: 'paragraph', spans: [{ text: 'Leaves.' }] }] },
          card: { url: 'https://tea.example/', title: 'Tea store' },
          quote: postOf({ author: userOf('Dan', 'dan'), text: '', media: [photo(), photo()] }),
        }),
      ),
    );
    expect(textIn(root)).toBe(
      'Reposted by Bob (@bob)\nIn reply to @cleo\nMarked as sensitive.' +
        'Ada (@ada)HelloOn teaLeaves.Poll (4 votes, closed)Tea: 75 % (3)Dan (@dan)2 photosTea storeCommunity noteIt was coffee.' +
        '2026-03-02 10:00 UTC',
    );
  });

  test('an embed shows a tombstone or a URL when the quoted post was not read', () => {
    const quoteText = (quote: Post['quote']) => textIn(expectHarmless(htmlOf(postOf({ text: '', quote }))));
    expect(quoteText({ id: '7', unavailable: true, reason: 'deleted' })).toContain('This post was deleted.');
    expect(quoteText({ id: '7', url: 'https://x.com/i/status/7' })).toContain('https://x.com/i/status/7');
  });

  test('an embed shortens the text of a long quoted post', () => {
    const text = 'Many words. '.repeat(200);
    const quoted = textIn(expectHarmless(htmlOf(postOf({ quote: postOf({ text }) }))));
    expect(quoted).toContain('Many words. …');
    expect(quoted.length).toBeLessThan(600);
  });

  test.each([
    ['no', 'no'],
    ['pt-BR', 'pt-BR'],
    ['und', ''],
    ['zxx', ''],
    ['qme', ''],
    ['" onclick="x', ''],
    [undefined, ''],
  ])('the lang attribute for the language %s of X is %j', (lang, expected) => {
    expect(htmlOf(postOf({ ...(lang !== undefined && { lang }) }))).toContain(
      `<p lang="${expected}" dir="auto">Hello</p>`,
    );
  });
});

describe('pictures of an embed', () => {
  test('[oembed 3] a picture of another host is a text link, not an image', () => {
    for (const url of [
      'https://tracker.example/a.jpg',
      'https://pbs.twimg.com.evil.example/a.jpg',
      'http://pbs.twimg.com/a.jpg',
    ]) {
      const body = embed(postOf({ media: [photo({ url, alt_text: 'A fjord' })] }));
      expectHarmless(body.html);
      expect(body.html).not.toContain('<img');
      expect(body.html).toContain('>Photo: A fjord</a>');
      expect(body).not.toHaveProperty('thumbnail_url');
    }
  });

  test('a picture of unknown size is a text link because its height is unknown', () => {
    const { width: _, ...unsized } = photo();
    const body = embed(postOf({ media: [unsized] }));
    expect(body.html).toContain('>Photo</a>');
    expect(body).not.toHaveProperty('thumbnail_url');
  });

  test('several pictures form two columns', () => {
    const html = htmlOf(postOf({ media: [photo(), photo(), photo({ width: 100, height: 400 }), photo()] }));
    expect([...html.matchAll(/width="(\d+)" height="(\d+)"/g)].map(([, ...size]) => size.map(Number))).toEqual([
      [231, 130],
      [231, 130],
      [57, 231],
      [231, 130],
    ]);
  });

  test('a video is a still picture that links to the video', () => {
    const html = htmlOf(postOf({ media: [video({ alt_text: 'Waves' })] }));
    expect(html).toContain(`<a href="${video().url}" `);
    expect(html).toContain(
      '<img src="https://pbs.twimg.com/ext_tw_video_thumb/1/pu/img/T.jpg?name=small" alt="Waves" width="470" height="264"/><br/>Play video</a>',
    );
    const { thumbnail_url: _, ...still } = video({ alt_text: 'Waves' });
    expect(htmlOf(postOf({ media: [still] }))).toContain('>Play video: Waves</a>');
  });

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

  test.each([
    ['https://pbs.twimg.com/media/A?format=jpg&name=4096x4096', 'https://pbs.twimg.com/media/A?format=jpg&name=large'],
    ['https://pbs.twimg.com/media/A.jpg', 'https://pbs.twimg.com/media/A.jpg?name=large'],
    ['https://pbs.twimg.com/media/A.jpg:orig', 'https://pbs.twimg.com/media/A.jpg?name=large'],
    ['https://pbs.twimg.com/card_img/1/A?format=jpg', 'https://pbs.twimg.com/card_img/1/A?format=jpg'],
  ])('[oembed 1] the thumbnail of %s is %s', (url, expected) => {
    expect(embed(postOf({ media: [photo({ url })] })).thumbnail_url).toBe(expected);
  });

  test('[oembed 1] the thumbnail is the still of a video when the photo before it has another host', () => {
    expect(embed(postOf({ media: [photo({ url: 'https://a.example/b.jpg' }), video()] })).thumbnail_url).toBe(
      'https://pbs.twimg.com/ext_tw_video_thumb/1/pu/img/T.jpg?name=large',
    );
  });
});

describe('bounds of an embed', () => {
  const long = 'A sentence of some words. '.repeat(40);
  const full = postOf({
    text: long,
    media: [photo(), photo()],
    quote: postOf({ text: 'Quoted' }),
    community_note: { text: 'Noted' },
  });
  const shownIn = (maxHeight: number): string => htmlOf(full, { maxHeight });

  test('[oembed 1] a smaller maxheight drops the pictures, then the quoted post, then the note, then part of the text', () => {
    const fullEmbed = embed(full);
    expect(embed(full, { maxHeight: fullEmbed.height })).toEqual({
      ...fullEmbed,
      thumbnail_url: expect.anything(),
      thumbnail_width: expect.anything(),
      thumbnail_height: expect.anything(),
    });
    const seen: string[] = [];
    for (let maxHeight = fullEmbed.height; maxHeight > 0; maxHeight -= 8) {
      const html = shownIn(maxHeight);
      const state = [
        html.includes('<img') ? 'pictures' : '',
        html.includes('Quoted') ? 'quote' : '',
        html.includes('Noted') ? 'note' : '',
        html.includes(long.trim()) ? 'text' : html.includes('A sentence') ? 'some text' : '',
      ]
        .join(' ')
        .trim()
        .replace(/ +/g, ' ');
      if (seen.at(-1) !== state) seen.push(state);
    }
    expect(seen).toEqual(['pictures quote note text', 'quote note text', 'note text', 'text', 'some text', '']);
  });

  test('[oembed 1] an embed drops a block when the height is one pixel too small', () => {
    const four = { ...full, media: [photo(), photo(), photo(), photo()] };
    const fullEmbed = embed(four);
    expect(fullEmbed.html.match(/<img/g)).toHaveLength(4);
    expect(embed(four, { maxHeight: fullEmbed.height - 1 }).html.match(/<img/g)).toHaveLength(2);
    const noPictures = embed({ ...full, media: [] });
    expect(embed({ ...full, media: [] }, { maxHeight: noPictures.height - 1 }).html).not.toContain('Quoted');
  });

  test('[oembed 1] a truncated text ends with an ellipsis and contains no part of a link', () => {
    const url = 'https://a.example/a-long-address-that-goes-on-and-on';
    const html = htmlOf(postOf({ text: `${'Words. '.repeat(60)}${url}`, links: [{ url }] }), { maxHeight: 190 });
    expect(textsOf(expectHarmless(html))[0]).toMatch(/^(Words\. )+…$/);
    const longUrl = `https://a.example/${'x'.repeat(400)}`;
    const cut = htmlOf(postOf({ text: longUrl, links: [{ url: 'https://a.example/' }] }), { maxHeight: 170 });
    expect(textsOf(expectHarmless(cut))[0]).toMatch(/^https:\/\/a\.example\/x+…$/);
    expect(cut).not.toContain('href="https://a.example');
  });

  test('[oembed 1] an embed of 1 by 1 pixel contains only the author with a link', () => {
    const body = embed(full, { maxWidth: 1, maxHeight: 1 });
    expect(body).toMatchObject({ width: 1, height: 1 });
    expect(body.html).toBe(
      '<blockquote class="postern-embed" cite="https://x.com/ada/status/20" lang="en"><p dir="auto">' +
        '<a href="https://x.com/ada/status/20" rel="nofollow noopener" target="_blank">Ada (@ada)</a></p></blockquote>',
    );
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

  test('[oembed 2] a text is shown or cut at a word at every height that has space for a part of it', () => {
    for (let maxHeight = 56; maxHeight < 400; maxHeight += 1) {
      for (const text of ['just setting up my twttr', long]) {
        const { html, height } = embed(postOf({ text }), { maxHeight });
        const shown = textIn(expectHarmless(html));
        expect([maxHeight, shown]).toEqual([
          maxHeight,
          expect.stringMatching(text === long ? /A sentence/ : /my twttr/),
        ]);
        expect(shown).not.toMatch(/\w…/);
        expect(html).toContain('href="https://x.com/ada/status/20"');
        expect(height).toBeLessThanOrEqual(maxHeight);
      }
    }
  });

  test('an embed is higher when it is narrower or has wider letters', () => {
    const text = 'words '.repeat(30);
    const narrow = embed(postOf({ text }), { maxWidth: 250 });
    expect(narrow.width).toBe(250);
    expect(narrow.height).toBeGreaterThan(embed(postOf({ text })).height);
    const height = (text: string) => embed(postOf({ text })).height;
    expect(height('語'.repeat(100))).toBeGreaterThan(height('a'.repeat(100)));
    expect(height('a\n'.repeat(10))).toBe(height('a') + 10 * 24);
  });

  test('the estimated height wraps words at the line end and breaks words that are longer than a line', () => {
    const heightOf = (text: string) => embed(postOf({ text })).height - embed(postOf({ text: 'a' })).height;
    const word = 'a'.repeat(30);
    expect(heightOf(`${word} ${'a'.repeat(21)}`)).toBe(0);
    expect(heightOf(`${word} ${word}`)).toBe(24);
    expect(heightOf(`${word} ${word} ${word}`)).toBe(48);
    expect(heightOf('a'.repeat(60))).toBe(24);
    expect(heightOf(`${word} ${'a'.repeat(60)}`)).toBe(48);
    expect(heightOf('語'.repeat(29))).toBe(0);
    expect(heightOf('語'.repeat(30))).toBe(24);
    expect(heightOf(`${word}${' '.repeat(90)}${word}`)).toBe(24);
  });

  test('[oembed 1] every block adds height, so a small maxheight leaves only the text', () => {
    const blocks: readonly Partial<Post>[] = [
      { quote: { id: '7', unavailable: true, reason: 'suspended' } },
      { quote: { id: '7', url: 'https://x.com/i/status/7' } },
      { poll: { choices: [{ label: 'Tea', votes: 1, percentage: 100 }], total_votes: 1 } },
      { card: { url: 'https://tea.example/' } },
      { article: { title: 'Essay', preview_text: 'It begins.', blocks: [] } },
      { media: [video()] },
      { media: [photo({ url: 'https://elsewhere.example/a.jpg' })] },
      { sensitive: true },
      { community_note: { text: 'Noted.' } },
    ];
    const plain = embed(postOf());
    for (const members of blocks) {
      expect(embed(postOf(members)).height).toBeGreaterThanOrEqual(plain.height + 40);
      expect(embed(postOf(members), { maxHeight: plain.height }).html).toBe(plain.html);
    }
  });

  test('[oembed 1] a video and an article become text when their blocks do not fit', () => {
    const { height } = embed(postOf());
    const shortHtml = (members: Partial<Post>) => htmlOf(postOf(members), { maxHeight: height + 40 });
    expect(shortHtml({ media: [video()] })).toMatch(/<p dir="auto"><a [^>]*>Play video<\/a><\/p>/);
    expect(shortHtml({ media: [photo(), photo()] })).toMatch(
      /<a href="https:\/\/x\.com\/ada\/status\/20"[^>]*>2 photos<\/a>/,
    );
    const article = shortHtml({ article: { title: 'Essay', preview_text: 'It begins.', blocks: [] } });
    expect(article).toContain('Essay');
    expect(article).not.toContain('It begins.');
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
});
