// Checks that every form shows exactly the links that a provider names, at the places that it names, whatever happens to the
// text on the way.
import { describe, expect, test } from 'vitest';
import { bookOf } from '../../../shared/keep/book.ts';
import type { Post } from '../../../shared/model/post.ts';
import { PLACES } from '../../../shared/model/text-places.ts';
import { presentOembed } from '../../../shared/reads/oembed/present.ts';
import { presentPost } from '../../../shared/reads/post/present.ts';
import { presentProfile } from '../../../shared/reads/profile/present.ts';
import { presentSearch } from '../../../shared/reads/search/present.ts';
import { createFxTwitterPostMapper } from '../../../shared/upstream/fxtwitter/map-post.ts';
import { mapUser } from '../../../shared/upstream/fxtwitter/map-user.ts';
import { mapPost as mapSyndicationPost } from '../../../shared/upstream/syndication/map-post.ts';
import { createXApiPostMapper } from '../../../shared/upstream/x-api/map-post.ts';
import { profileOf, renderList, searchOf } from '../../support/list-models.ts';
import type { Json } from '../../support/member-table.ts';
import { conversationOf } from '../../support/post-models.ts';

const URL_OF = 'https://harbour.example/log';
const SHORT = 'https://t.co/log0000001';

const pointsOf = (text: string, words: string): readonly [number, number] => {
  const start = Array.from(text.slice(0, text.indexOf(words))).length;
  return [start, start + Array.from(words).length];
};

const types = { '@': 'mention', '#': 'hashtag', $: 'symbol' } as const;

/** The facet of words with a sign, or of the short link. */
const facet = (raw: string, words: string): Json => {
  const sign = words.charAt(0);
  const indices = pointsOf(raw, words);
  return sign === '@' || sign === '#' || sign === '$'
    ? { type: types[sign], indices, original: words.slice(1) }
    : { type: 'url', indices, original: words, replacement: URL_OF, display: 'harbour.example/log' };
};

const postOf = (raw: string, words: readonly string[], members: Json = {}): Post => {
  const post = createFxTwitterPostMapper(0).post({
    type: 'status',
    id: '20',
    text: raw,
    raw_text: { text: raw, facets: words.map((each) => facet(raw, each)) },
    author: { id: '12', screen_name: 'ada', name: 'Ada' },
    ...members,
  });
  if (post === undefined) throw new Error('no post');
  return post;
};

const page = (post: Post): string => renderList(presentPost, conversationOf(post), { format: 'html' }).body;
const markdown = (post: Post, format: 'markdown' | 'obsidian' = 'markdown'): string =>
  renderList(presentPost, conversationOf(post), { format }).body;
const rss = (post: Post): string =>
  renderList(presentSearch, searchOf({ posts: [post] }), { format: 'rss' })
    .body.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"');
const embed = (post: Post): string => JSON.parse(renderList(presentOembed, { post }).body).html;
const book = (post: Post): string => JSON.stringify(bookOf(conversationOf(post), [])).replaceAll('\\"', '"');

/** The words of the links of a text in HTML. */
const linked = (html: string, among: readonly string[]): readonly string[] =>
  [...html.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].flatMap(([, words = '']) => (among.includes(words) ? [words] : []));

describe('[text 13] a link is where the provider says', () => {
  const after = ['?', '&', '%', '!', '=', '#', '/', '”', '。', ')', 'word'];

  test.each(after)('before %j', (mark) => {
    const post = postOf(`Read ${SHORT}${mark} now`, [SHORT]);
    const escaped = mark.replace('&', '&amp;');
    expect(post.text).toBe(`Read ${URL_OF}${mark} now`);
    expect(page(post)).toContain(`>${URL_OF}</a>${escaped} now`);
    expect(rss(post)).toContain(`>${URL_OF}</a>`);
    expect(embed(post)).toContain(`>${URL_OF}</a>${escaped} now`);
    expect(book(post)).toContain(`>${URL_OF}</a>${escaped} now`);
    for (const format of ['markdown', 'obsidian'] as const)
      expect(markdown(post, format).replaceAll('\\', '')).toContain(`<${URL_OF}>${mark} now`);
  });

  const words = ['#Logbook', '#one', '#two', '#three', '@cleo', '@ada', '@bo', '@dan', '$TIDE'];
  const raw = 'New...#Logbook #one/#two/#three by .@cleo and @ada/@bo pre-@dan (“$TIDE”)';

  test('with every mention, hashtag and cashtag beside punctuation, on pages, in books, feeds and embeds', () => {
    const post = postOf(raw, words);
    for (const html of [page(post), book(post)]) {
      expect(linked(html, words)).toEqual(words);
      for (const word of words)
        expect(html).toContain(word.startsWith('@') ? `href="/${word.slice(1)}"` : `q=${encodeURIComponent(word)}"`);
    }
    for (const html of [rss(post), embed(post)]) {
      expect(linked(html, words)).toEqual(words);
      for (const word of words)
        expect(html).toContain(
          word.startsWith('@')
            ? `https://x.com/${word.slice(1)}"`
            : `https://x.com/search?q=${encodeURIComponent(word)}`,
        );
    }
  });

  test('and what the provider does not name is no link', () => {
    const post = postOf(`${raw} https://elsewhere.example/x`, ['#two']);
    for (const html of [page(post), book(post), rss(post), embed(post)])
      expect(linked(html, [...words, 'https://elsewhere.example/x'])).toEqual(['#two']);
    expect(markdown(post)).not.toContain('<https://elsewhere.example/x>');
  });
});

describe('[text 14] a place survives', () => {
  const placed = (post: Post): readonly string[] =>
    (post[PLACES] ?? []).map(({ type, start, end }) => `${type} ${post.text.slice(start, end)}`);

  test('expanded links, decoded entities, characters of two units and links that X added', () => {
    const raw = `🐋🐋🐋 &lt;#a #a&gt; ${SHORT}? &amp; @bo ${SHORT} https://t.co/pic0000001`;
    const post = postOf(raw, [], {
      raw_text: {
        text: raw,
        display_text_range: [0, Array.from(raw).length - 24],
        facets: [
          { type: 'hashtag', indices: [8, 10], original: 'a' },
          { type: 'hashtag', indices: [11, 13], original: 'a' },
          { type: 'url', indices: [18, 41], original: SHORT, replacement: URL_OF },
          { type: 'mention', indices: [49, 52], original: 'bo' },
          { type: 'url', indices: [53, 76], original: SHORT, replacement: URL_OF },
        ],
      },
      media: { all: [{ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' }] },
    });
    expect(post.text).toBe(`🐋🐋🐋 <#a #a> ${URL_OF}? & @bo ${URL_OF}`);
    expect(placed(post)).toEqual(['hashtag #a', 'hashtag #a', `link ${URL_OF}`, 'mention @bo', `link ${URL_OF}`]);
    expect(new Set(post[PLACES]?.map(({ start }) => start)).size).toBe(5);
    const start = post.text.indexOf(URL_OF);
    expect(post.links).toEqual([{ url: URL_OF, start, end: start + URL_OF.length }]);
    expect(page(post).split(`>${URL_OF}</a>`).length).toBe(3);
  });

  test('in the answers of each provider', () => {
    const text = `.@bo #tide/#ebb ${SHORT}? &amp; $KSTL`;
    const of = (words: string, size: number, at = text.indexOf(words)): readonly [number, number] => [at, at + size];
    const expected = ['mention @bo', 'hashtag #tide', 'hashtag #ebb', `link ${URL_OF}`, 'cashtag $KSTL'];
    const fromSyndication = mapSyndicationPost(
      {
        id_str: '20',
        text,
        entities: {
          user_mentions: [{ indices: of('@bo', 3), screen_name: 'bo' }],
          hashtags: [
            { indices: of('#tide', 5), text: 'tide' },
            { indices: of('#ebb', 4), text: 'ebb' },
          ],
          symbols: [{ indices: of('$KSTL', 5), text: 'KSTL' }],
          urls: [
            { indices: of(SHORT, SHORT.length), url: SHORT, expanded_url: URL_OF, display_url: 'harbour.example' },
          ],
        },
      },
      0,
    );
    const at = (words: string) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });
    const fromXApi = createXApiPostMapper({}, 0).post({
      id: '20',
      text,
      entities: {
        mentions: [{ ...at('@bo'), username: 'bo', id: '1' }],
        hashtags: [
          { ...at('#tide'), tag: 'tide' },
          { ...at('#ebb'), tag: 'ebb' },
        ],
        cashtags: [{ ...at('$KSTL'), tag: 'KSTL' }],
        urls: [{ ...at(SHORT), url: SHORT, expanded_url: URL_OF, display_url: 'harbour.example' }],
      },
    });
    for (const post of [fromSyndication, fromXApi, postOf(text, ['@bo', '#tide', '#ebb', SHORT, '$KSTL'])]) {
      if (post === undefined) throw new Error('no post');
      expect(post.text).toBe(`.@bo #tide/#ebb ${URL_OF}? & $KSTL`);
      expect(placed(post)).toEqual(expected);
      expect(post.links.map(({ start, end }) => post.text.slice(start, end))).toEqual([URL_OF]);
    }
  });

  test('the removal of leading mentions, of invisible characters and of the address of a quote', () => {
    const quoted = 'https://t.co/quote00001';
    const raw = `@bo a\u200bb ${SHORT}? \u202e#tide ${quoted}`;
    const post = postOf(raw, [], {
      replying_to: { screen_name: 'bo', status: '19' },
      quote: { type: 'status', id: '19', text: 'Quoted', author: { id: '13', screen_name: 'bo', name: 'Bo' } },
      raw_text: {
        text: raw,
        facets: [
          ...['@bo', SHORT, '#tide'].map((words) => facet(raw, words)),
          { ...facet(raw, quoted), replacement: 'https://x.com/bo/status/19' },
        ],
      },
    });
    const read = markdown(post);
    expect(read).toContain(`ab <${URL_OF}>? #tide`);
    expect(read).not.toContain('status/19>');
    expect(linked(page(post), [URL_OF, '#tide'])).toEqual([URL_OF, '#tide']);
    expect(page(post)).toContain('<bdi class="hid"><a href="/bo">@bo</a></bdi> ');
  });

  test.each([100, 140, 180, 220])('a cut at max_tokens=%i, and a link that is divided is text', (maxTokens) => {
    const words = `${'word '.repeat(40)}${SHORT}? ${'tide '.repeat(60)}${SHORT}& end`;
    const post = postOf(words, [SHORT]);
    const { body } = renderList(presentPost, conversationOf(post), { format: 'markdown', maxTokens });
    for (const [, url] of body.matchAll(/<(https:\/\/harbour[^>]*)>/g)) expect(url).toBe(URL_OF);
  });

  test('the cut of a long text in a list and in an embed', () => {
    const raw = `${'word '.repeat(20)}${SHORT}? ${'tide '.repeat(200)}${SHORT}&`;
    const post = postOf(raw, [], {
      raw_text: {
        text: raw,
        facets: [facet(raw, SHORT), { ...facet(raw, SHORT), indices: [raw.lastIndexOf(SHORT), raw.length - 1] }],
      },
    });
    const list = renderList(presentSearch, searchOf({ posts: [post] }), { format: 'markdown' }).body;
    expect(list.split(`<${URL_OF}>?`).length).toBe(2);
    expect(embed(post).split(`>${URL_OF}</a>?`).length).toBe(2);
  });
});

describe('[text 16] bad places', () => {
  // biome-ignore format: a list of positions
  const indices = [[0, 0], [-4, 9], [9, 2], [1e9, 2e9], [0.5, 4], ['0', '3'], null, [3], [2, 3], [40, 41]];

  test.each(indices.map((pair) => [JSON.stringify(pair), pair] as const))('such as %s lose no words', (_, pair) => {
    const raw = `🐋 Read ${SHORT}? by @bo and #tide, @bo #tide`;
    const facets = ['@bo', '#tide', SHORT, '@bo', '#tide'].map((words) => ({ ...facet(raw, words), indices: pair }));
    const post = postOf(raw, [], { raw_text: { text: raw, facets } });
    expect(post.text).toBe(`🐋 Read ${URL_OF}? by @bo and #tide, @bo #tide`);
    expect(page(post)).toContain(`>${URL_OF}</a>?`);
    expect(linked(page(post), ['@bo', '#tide'])).toEqual(['@bo', '#tide', '@bo', '#tide']);
    expect(markdown(post)).toContain(`🐋 Read <${URL_OF}>? by @bo and #tide, @bo #tide`);
  });

  test('are no links where the words are none', () => {
    const raw = 'Read harbour.example now, none <b>';
    const forged = [
      { type: 'url', indices: [5, 20], original: 'harbour.example', replacement: 'javascript:alert(1)' },
      { type: 'hashtag', indices: [26, 30], original: 'none' },
      { type: 'mention', indices: [0, 4], original: 'Read' },
      { type: 'symbol', indices: [31, 34], original: '<b>' },
    ];
    const post = postOf(raw, [], { raw_text: { text: raw, facets: forged } });
    expect(post[PLACES]).toEqual([]);
    expect(page(post)).not.toContain('href="javascript');
    expect(page(post)).toContain('now, none &lt;b&gt;');
  });
});

describe('a biography', () => {
  const userOf = (text: string, facets: readonly Json[]) => {
    const user = mapUser({ id: '12', screen_name: 'ada', name: 'Ada', raw_description: { text, facets } });
    if (user === undefined) throw new Error('no account');
    return user;
  };
  const forms = (text: string, facets: readonly Json[]): readonly [html: string, markdown: string] => {
    const profile = profileOf(userOf(text, facets), { posts: [] });
    return [
      renderList(presentProfile, profile, { format: 'html' }).body,
      renderList(presentProfile, profile, { format: 'markdown' }).body,
    ];
  };

  test('[text 13] has its links where the provider says, and those mentions and tags that nobody names', () => {
    const raw = `.@bo writes ${SHORT}? #tide`;
    const [html, text] = forms(raw, [facet(raw, SHORT)]);
    expect(linked(html, ['@bo', URL_OF, '#tide'])).toEqual(['@bo', URL_OF, '#tide']);
    expect(text).toContain(`writes <${URL_OF}>? #tide`);
  });

  test('[text 13] has the mentions that the provider names, and no others', () => {
    const raw = '@bo @cy';
    expect(linked(forms(raw, [facet(raw, '@cy')])[0], ['@bo', '@cy'])).toEqual(['@cy']);
  });
});

test('[text 13] a community note has its links where the provider says, in every form', () => {
  const text = 'Source (harbour.example/log)?';
  const note = {
    text,
    facets: [{ type: 'url', indices: [8, 27], display: 'harbour.example/log', replacement: URL_OF }],
  };
  const post = postOf('Ebb', [], { community_note: note });
  expect(post.community_note?.text).toBe(`Source (${URL_OF})?`);
  expect(markdown(post)).toContain(`Source (<${URL_OF}>)?`);
  for (const html of [page(post), rss(post), embed(post), book(post)]) expect(html).toContain(`(<a href="${URL_OF}"`);
});

test('[text 17] a text of unknown language does not have the language of the page', () => {
  for (const lang of [null, 'und']) {
    const post = postOf('Ebb', [], { lang, article: { title: 'Tides', preview_text: 'Flood' } });
    for (const html of [page(post), book(post)]) {
      expect(html).toContain('<p class="text" lang="" dir="auto">Ebb</p>');
      expect(html).toContain('<p class="text" lang="" dir="auto">Flood</p>');
    }
    expect(rss(post)).toContain('<p lang="" dir="auto">Ebb</p>');
    expect(embed(post)).toContain('<p lang="" dir="auto">Ebb</p>');
  }
  expect(page(postOf('Ebbe', [], { lang: 'de' }))).toContain('lang="de" dir="auto">Ebbe</p>');
});
