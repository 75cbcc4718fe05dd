// What a page of somebody else is given to show: well-formed, harmless, within the room, and what the author wrote.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Embed, OembedBody } from '../../../../shared/model/oembed.ts';
import type { Media, Post } from '../../../../shared/model/post.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { presentOembed } from '../../../../shared/render/presenters/present-oembed.ts';
import { hostileFragments, hostileText } from '../../../support/hostile-text.ts';
import { BASE, renderList } from '../../../support/list-models.ts';
import { expectOembed } from '../../../support/oembed.ts';
import { postOf, userOf } from '../../../support/post-models.ts';
import { readablePosts, readRecorded } from '../../../support/recorded-posts.ts';
import { type Element, elementOf, elementsIn, textIn } from '../xml.ts';

const embed = (post: Post, room: Omit<Embed, 'post'> = {}): OembedBody =>
  expectOembed(JSON.parse(renderList(presentOembed, { post, ...room }).body));

const htmlOf = (post: Post, room?: Omit<Embed, 'post'>): string => embed(post, room).html;

const photo = (members: Partial<Media> = {}): Media => ({
  type: 'photo',
  url: 'https://pbs.twimg.com/media/A.jpg?name=orig',
  width: 1600,
  height: 900,
  ...members,
});

const film = (members: Partial<Media> = {}): Media => ({
  type: 'video',
  url: 'https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/1280x720/a.mp4?tag=12',
  width: 1280,
  height: 720,
  thumbnail_url: 'https://pbs.twimg.com/ext_tw_video_thumb/1/pu/img/T.jpg',
  ...members,
});

/** These words in every place that third parties fill. */
const saying = (words: string): Post =>
  postOf({
    text: words,
    lang: words,
    author: userOf(words),
    reposted_by: userOf(words),
    in_reply_to: { handle: words },
    sensitive: true,
    media: [
      photo({ alt_text: words }),
      photo({ url: 'https://elsewhere.example/a.jpg', alt_text: words }),
      film({ alt_text: words }),
    ],
    poll: { choices: [{ label: words, votes: 1, percentage: 100 }], total_votes: 1 },
    card: { url: 'https://card.example/?a="b"&c', title: words },
    quote: postOf({ author: userOf(words), text: words, lang: words }),
    community_note: { text: words },
    article: { title: words, preview_text: words, blocks: [] },
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
};

/** XML that holds nothing but what is harmless. */
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

/** XML has no way to write these two. */
const readable = (words: string): string => visibleText(words).replace(/[\ufffe\uffff]/g, '');

const textsOf = (root: Element): readonly string[] =>
  elementsIn(root)
    .filter(({ name, attributes }) => name === 'p' && 'lang' in attributes)
    .map(textIn);

const expectSaid = (words: string): void => {
  const root = expectHarmless(htmlOf(saying(words)));
  expect(shapeOf(root)).toEqual(shapeOf(elementOf(htmlOf(saying('words')))));
  expect(textsOf(root)[0]).toBe(readable(words));
  expect(
    elementsIn(root).filter(({ name, attributes }) => name === 'img' && attributes['alt'] === readable(words)),
  ).toHaveLength(2);
};

describe('what others wrote', () => {
  test('[decision 2 #84][markdown #9] each nasty fragment is shown as it was written, and nothing but shown', () => {
    for (const fragment of hostileFragments) expectSaid(`a${fragment}`);
  });

  test('[decision 2 #84][markdown #9] hostile texts are shown as they were written, and nothing but shown', () => {
    fc.assert(
      fc.property(
        hostileText.map((words) => `a${words}`),
        expectSaid,
      ),
      { numRuns: 600 },
    );
  });

  test('[decision 2 #84] markup, quotes and line separators are text', () => {
    const html = htmlOf(postOf({ text: '<script>alert("1")</script>\u2028<img src=x onerror=\'y\'>' }));
    expect(html).toContain(
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;<br/>&lt;img src=x onerror=&#39;y&#39;&gt;',
    );
  });

  test('[decision 2 #84] what looks like a link is one only where the post says so, and only there', () => {
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

  test('names in title and author_name are one visible line', () => {
    const { title, author_name } = embed(postOf({ author: userOf('A\u202ed\na <b>') }));
    expect({ title, author_name }).toEqual({ title: 'Ad a <b> (@ada) on X', author_name: 'Ad a <b>' });
    expect(embed(postOf({ author: userOf('\u200b') })).author_name).toBe('ada');
  });
});

describe('the answer', () => {
  test('[spec 4.1 #83] says what oEmbed 1.0 wants of type rich', () => {
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

  test('[spec 4.1 #83] a post without an author, a text or a date is one as well', () => {
    const { author: _, created_at: __, ...bare } = postOf({ text: '' });
    const body = embed(bare);
    expectHarmless(body.html);
    expect(body).not.toHaveProperty('author_name');
    expect(body).not.toHaveProperty('author_url');
    expect(body.title).toBe('Post on X');
    expect(body.html).toContain('>https://x.com/ada/status/20</a>');
  });

  test('[spec 4.1 #83] every recorded post can be embedded', async () => {
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

  test('shows poll, note, article, card, context and what is quoted', () => {
    const root = expectHarmless(
      htmlOf(
        postOf({
          sensitive: true,
          reposted_by: userOf('Bob', 'bob'),
          in_reply_to: { handle: 'cleo' },
          poll: { choices: [{ label: 'Tea', votes: 3, percentage: 75 }], total_votes: 4, closed: true },
          community_note: { text: 'It was coffee.' },
          article: { title: 'On tea', blocks: [{ type: 'paragraph', spans: [{ text: 'Leaves.' }] }] },
          card: { url: 'https://tea.example/', title: 'Tea house' },
          quote: postOf({ author: userOf('Dan', 'dan'), text: '', media: [photo(), photo()] }),
        }),
      ),
    );
    expect(textIn(root)).toBe(
      'Reposted by Bob (@bob)\nIn reply to @cleo\nMarked as sensitive.' +
        'Ada (@ada)HelloOn teaLeaves.Poll (4 votes, closed)Tea: 75 % (3)Dan (@dan)2 photosTea houseCommunity noteIt was coffee.' +
        '2026-03-02 10:00 UTC',
    );
  });

  test('a quoted post that cannot be read, or was not, is a line', () => {
    const said = (quote: Post['quote']) => textIn(expectHarmless(htmlOf(postOf({ text: '', quote }))));
    expect(said({ id: '7', unavailable: true, reason: 'deleted' })).toContain('This post was deleted.');
    expect(said({ id: '7', url: 'https://x.com/i/status/7' })).toContain('https://x.com/i/status/7');
  });

  test('of a long quoted post the beginning is told', () => {
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
  ])('the language that X calls %s is %j', (lang, expected) => {
    expect(htmlOf(postOf({ ...(lang !== undefined && { lang }) }))).toContain(
      `<p lang="${expected}" dir="auto">Hello</p>`,
    );
  });
});

describe('pictures', () => {
  test('[decision 2 #84] come from X alone; words that lead there stand for others', () => {
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

  test('of unknown size are words, since nobody knows what room they take', () => {
    const { width: _, ...unsized } = photo();
    const body = embed(postOf({ media: [unsized] }));
    expect(body.html).toContain('>Photo</a>');
    expect(body).not.toHaveProperty('thumbnail_url');
  });

  test('several stand in two columns', () => {
    const html = htmlOf(postOf({ media: [photo(), photo(), photo({ width: 100, height: 400 }), photo()] }));
    expect([...html.matchAll(/width="(\d+)" height="(\d+)"/g)].map(([, ...size]) => size.map(Number))).toEqual([
      [231, 130],
      [231, 130],
      [57, 231],
      [231, 130],
    ]);
  });

  test('a video is a still that leads to it', () => {
    const html = htmlOf(postOf({ media: [film({ alt_text: 'Waves' })] }));
    expect(html).toContain(`<a href="${film().url}" `);
    expect(html).toContain(
      '<img src="https://pbs.twimg.com/ext_tw_video_thumb/1/pu/img/T.jpg?name=small" alt="Waves" width="470" height="264"/><br/>Play video</a>',
    );
    const { thumbnail_url: _, ...still } = film({ alt_text: 'Waves' });
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
  ])('[spec 4.1 #83] within %j the thumbnail is %s', (room, name, width, height) => {
    const body = embed(postOf({ media: [photo({ width: 4000, height: 3000 }), photo()] }), room);
    expect(body).toMatchObject({
      thumbnail_url: `https://pbs.twimg.com/media/A.jpg?name=${name}`,
      thumbnail_width: width,
      thumbnail_height: height,
    });
  });

  test('[spec 4.1 #83] where none fits there is no thumbnail', () => {
    for (const room of [{ maxWidth: 149 }, { maxHeight: 149 }, { maxWidth: 1 }])
      expect(embed(postOf({ media: [photo()] }), room)).not.toHaveProperty('thumbnail_url');
    expect(embed(postOf({ media: [photo({ width: 100, height: 200 })] }), { maxHeight: 160 })).not.toHaveProperty(
      'thumbnail_width',
    );
  });

  test.each([
    ['https://pbs.twimg.com/media/A?format=jpg&name=4096x4096', 'https://pbs.twimg.com/media/A?format=jpg&name=large'],
    ['https://pbs.twimg.com/media/A.jpg', 'https://pbs.twimg.com/media/A.jpg?name=large'],
    ['https://pbs.twimg.com/media/A.jpg:orig', 'https://pbs.twimg.com/media/A.jpg?name=large'],
    ['https://pbs.twimg.com/card_img/1/A?format=jpg', 'https://pbs.twimg.com/card_img/1/A?format=jpg'],
  ])('[spec 4.1 #83] the thumbnail of %s is %s', (url, expected) => {
    expect(embed(postOf({ media: [photo({ url })] })).thumbnail_url).toBe(expected);
  });

  test('[spec 4.1 #83] a video has its still for a thumbnail, and a photo of another host is passed over', () => {
    expect(embed(postOf({ media: [photo({ url: 'https://a.example/b.jpg' }), film()] })).thumbnail_url).toBe(
      'https://pbs.twimg.com/ext_tw_video_thumb/1/pu/img/T.jpg?name=large',
    );
  });
});

describe('the room', () => {
  const long = 'A sentence of some words. '.repeat(40);
  const full = postOf({
    text: long,
    media: [photo(), photo()],
    quote: postOf({ text: 'Quoted' }),
    community_note: { text: 'Noted' },
  });
  const shownIn = (maxHeight: number): string => htmlOf(full, { maxHeight });

  test('[spec 4.1 #83] pictures go first, then what is quoted, then the note, and then the text is cut', () => {
    const whole = embed(full);
    expect(embed(full, { maxHeight: whole.height })).toEqual({
      ...whole,
      thumbnail_url: expect.anything(),
      thumbnail_width: expect.anything(),
      thumbnail_height: expect.anything(),
    });
    const seen: string[] = [];
    for (let maxHeight = whole.height; maxHeight > 0; maxHeight -= 8) {
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

  test('[spec 4.1 #83] what is left out is left out by the pixel', () => {
    const four = { ...full, media: [photo(), photo(), photo(), photo()] };
    const whole = embed(four);
    expect(whole.html.match(/<img/g)).toHaveLength(4);
    expect(embed(four, { maxHeight: whole.height - 1 }).html.match(/<img/g)).toHaveLength(2);
    const noPictures = embed({ ...full, media: [] });
    expect(embed({ ...full, media: [] }, { maxHeight: noPictures.height - 1 }).html).not.toContain('Quoted');
  });

  test('[spec 4.1 #83] a text that is cut says so, and no link of it is cut in two', () => {
    const url = 'https://a.example/a-long-address-that-goes-on-and-on';
    const html = htmlOf(postOf({ text: `${'Words. '.repeat(60)}${url}`, links: [{ url }] }), { maxHeight: 190 });
    expect(textsOf(expectHarmless(html))[0]).toMatch(/^(Words\. )+…$/);
    const address = `https://a.example/${'x'.repeat(400)}`;
    const cut = htmlOf(postOf({ text: address, links: [{ url: 'https://a.example/' }] }), { maxHeight: 170 });
    expect(textsOf(expectHarmless(cut))[0]).toMatch(/^https:\/\/a\.example\/x+…$/);
    expect(cut).not.toContain('href="https://a.example');
  });

  test('[spec 4.1 #83] in the least room stands who wrote it, with a link', () => {
    const body = embed(full, { maxWidth: 1, maxHeight: 1 });
    expect(body).toMatchObject({ width: 1, height: 1 });
    expect(body.html).toBe(
      '<blockquote class="postern-embed" cite="https://x.com/ada/status/20" lang="en"><p dir="auto">' +
        '<a href="https://x.com/ada/status/20" rel="nofollow noopener" target="_blank">Ada (@ada)</a></p></blockquote>',
    );
  });

  test('a narrow embed is higher, and so is one of wide letters', () => {
    const text = 'words '.repeat(30);
    const narrow = embed(postOf({ text }), { maxWidth: 250 });
    expect(narrow.width).toBe(250);
    expect(narrow.height).toBeGreaterThan(embed(postOf({ text })).height);
    const height = (words: string) => embed(postOf({ text: words })).height;
    expect(height('語'.repeat(100))).toBeGreaterThan(height('a'.repeat(100)));
    expect(height('a\n'.repeat(10))).toBe(height('a') + 10 * 24);
  });

  test('words that do not fit go to the next line, and longer ones than that are broken', () => {
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

  test('[spec 4.1 #83] every piece takes room, so that in little of it only the text stands', () => {
    const pieces: readonly Partial<Post>[] = [
      { quote: { id: '7', unavailable: true, reason: 'suspended' } },
      { quote: { id: '7', url: 'https://x.com/i/status/7' } },
      { poll: { choices: [{ label: 'Tea', votes: 1, percentage: 100 }], total_votes: 1 } },
      { card: { url: 'https://tea.example/' } },
      { article: { title: 'Essay', preview_text: 'It begins.', blocks: [] } },
      { media: [film()] },
      { media: [photo({ url: 'https://elsewhere.example/a.jpg' })] },
      { sensitive: true },
      { community_note: { text: 'Noted.' } },
    ];
    const plain = embed(postOf());
    for (const members of pieces) {
      expect(embed(postOf(members)).height).toBeGreaterThanOrEqual(plain.height + 40);
      expect(embed(postOf(members), { maxHeight: plain.height }).html).toBe(plain.html);
    }
  });

  test('[spec 4.1 #83] in some room a video and an article are told in words', () => {
    const { height } = embed(postOf());
    const inWords = (members: Partial<Post>) => htmlOf(postOf(members), { maxHeight: height + 40 });
    expect(inWords({ media: [film()] })).toMatch(/<p dir="auto"><a [^>]*>Play video<\/a><\/p>/);
    expect(inWords({ media: [photo(), photo()] })).toMatch(
      /<a href="https:\/\/x\.com\/ada\/status\/20"[^>]*>2 photos<\/a>/,
    );
    const article = inWords({ article: { title: 'Essay', preview_text: 'It begins.', blocks: [] } });
    expect(article).toContain('Essay');
    expect(article).not.toContain('It begins.');
  });

  const pixels = fc.oneof(fc.integer({ min: 1, max: 2500 }), fc.integer({ min: 1, max: 999_999_999_999_999 }));
  const media = fc.array(
    fc.record({
      type: fc.constantFrom('photo', 'video', 'gif'),
      url: fc.constantFrom(photo().url, film().url, 'https://pbs.twimg.com/card_img/1', 'https://a.example/b.jpg'),
      thumbnail_url: fc.constantFrom('https://pbs.twimg.com/tweet_video_thumb/T.jpg', 'https://a.example/b.jpg'),
      width: pixels,
      height: pixels,
    }),
    { maxLength: 4 },
  );

  test('[spec 4.1 #83] maxwidth and maxheight bound the embed and its thumbnail, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.record({ text: hostileText, media }),
        fc.record({ maxWidth: pixels, maxHeight: pixels }, { requiredKeys: [] }),
        (members, room) => {
          const body = embed({ ...saying(members.text), ...members }, room);
          expectHarmless(body.html);
          const { maxWidth = Number.POSITIVE_INFINITY, maxHeight = Number.POSITIVE_INFINITY } = room;
          expect(body.width).toBe(Math.min(550, maxWidth));
          expect(body.height).toBeLessThanOrEqual(maxHeight);
          expect(body.thumbnail_width ?? 1).toBeLessThanOrEqual(maxWidth);
          expect(body.thumbnail_height ?? 1).toBeLessThanOrEqual(maxHeight);
          for (const [, width] of body.html.matchAll(/width="(\d+)"/g))
            expect(Number(width)).toBeLessThanOrEqual(body.width);
        },
      ),
      { numRuns: 400 },
    );
  });
});
