// Tests the mapping of unusual provider values: values that the published schemas reject, names that every object has, and
// parts that are left out.
import { describe, expect, test } from 'vitest';
import type { JsonRecord } from '../../../shared/model/json.ts';
import type { Article, Post } from '../../../shared/model/post.ts';
import { asText, asWebUrl } from '../../../shared/upstream/json-readers.ts';
import { createXApiPostMapper } from '../../../shared/upstream/x-api/map-post.ts';
import { codesIn, foundIn, readRecorded, readStatus, recordedObject } from '../../support/recorded-posts.ts';

const fxPost = async (members: JsonRecord): Promise<Post> => foundIn(await readStatus(members)).value.post;

const SYNDICATION = 'syndication/text_plain.json';

const readSyndication = (members: JsonRecord) =>
  readRecorded(SYNDICATION, { ...recordedObject(SYNDICATION), ...members });

describe('unsupported media is left out with the warning media_unsupported', () => {
  const cardWith = (url: string) => ({ card: { url: 'https://a.example/', title: 'A', image: { url } } });
  const FOREIGN = cardWith('https://img.youtube.com/vi/aBcDeF12345/maxresdefault.jpg');

  test.each<readonly [string, object, readonly string[]]>([
    ['of another host beside a link', FOREIGN, ['media_unsupported']],
    [
      'of another host in a quote',
      { quote: { type: 'status', id: '19', text: 'x', ...FOREIGN } },
      ['media_unsupported'],
    ],
    ['of X beside a link', cardWith('https://pbs.twimg.com/card_img/1/C?format=jpg'), []],
  ])('[text 4] a picture %s', async (_, members, codes) => {
    expect(codesIn(await readStatus(members))).toEqual(codes);
  });

  const photo = { type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' };
  const KINDS = ['hologram', 'constructor', '__proto__', 7, null, undefined];

  test.each(KINDS)('[text 12] media of FxTwitter with type %s', async (type) => {
    const outcome = await readStatus({ media: { all: [photo, { ...photo, type }] } });
    expect(codesIn(outcome)).toEqual(['media_unsupported']);
    expect(foundIn(outcome).value.post.media).toEqual([photo]);
  });

  test('media in a quoted post', async () => {
    const quote = { type: 'status', id: '19', text: 'x', media: { all: [{ type: 'hologram', url: photo.url }] } };
    expect(codesIn(await readStatus({ quote }))).toEqual(['media_unsupported']);
  });

  test('media in an article', async () => {
    const article = {
      title: 'Title',
      content: {
        blocks: [{ type: 'atomic', text: ' ', entityRanges: [{ key: 0, offset: 0, length: 1 }] }],
        entityMap: [{ key: '0', value: { type: 'MEDIA', data: { mediaItems: [{ mediaId: '1' }] } } }],
      },
      media_entities: [{ media_id: '1', media_info: { __typename: 'Hologram' } }],
    };
    expect(codesIn(await readStatus({ article }))).toContain('media_unsupported');
  });
});

const ARTICLE_KEYS = ['constructor', '__proto__'];

const articleOf = async (article: JsonRecord): Promise<Article | undefined> =>
  (await fxPost({ article: { title: 'Title', ...article } })).article;

describe('a video in an article', () => {
  const withVariants = (variants: readonly JsonRecord[]) =>
    articleOf({
      content: {
        blocks: [{ type: 'atomic', text: ' ', entityRanges: [{ key: 0, offset: 0, length: 1 }] }],
        entityMap: [{ key: '0', value: { type: 'MEDIA', data: { mediaItems: [{ mediaId: '1' }] } } }],
      },
      media_entities: [{ media_id: '1', media_info: { __typename: 'ApiVideo', variants } }],
    });

  const mp4 = (name: string, rate?: number): JsonRecord => ({
    url: `https://video.twimg.com/${name}.mp4`,
    content_type: 'video/mp4',
    ...(rate !== undefined && { bit_rate: rate }),
  });

  test('is the MP4 file with the highest rate', async () => {
    const playlist = { url: 'https://video.twimg.com/a.m3u8', content_type: 'application/x-mpegURL' };
    const article = await withVariants([playlist, mp4('unknown'), mp4('low', 100), mp4('high', 900), mp4('mid', 500)]);
    expect(article?.blocks).toMatchObject([
      { type: 'media', media: { type: 'video', url: 'https://video.twimg.com/high.mp4' } },
    ]);
  });

  test('is left out if it has no file', async () => {
    expect((await withVariants([]))?.blocks).toEqual([]);
  });
});

describe('[text 12] names of Object.prototype are unknown names', () => {
  test.each(ARTICLE_KEYS)('a style %s is ignored', async (style) => {
    const inlineStyleRanges = [{ offset: 0, length: 5, style }];
    const article = await articleOf({
      content: { blocks: [{ type: 'unstyled', text: 'words', inlineStyleRanges }], entityMap: [] },
    });
    expect(article?.blocks).toEqual([{ type: 'paragraph', spans: [{ text: 'words' }] }]);
  });

  test.each(ARTICLE_KEYS)('a container %s gives no content type', async (container) => {
    const url = 'https://video.twimg.com/a.mp4';
    const { media } = await fxPost({ media: { all: [{ type: 'video', url, formats: [{ url, container }] }] } });
    expect(media[0]?.variants).toEqual([{ url }]);
  });
});

describe('mappers never throw', () => {
  const unprintable = { toString: 1, valueOf: 1 };

  test('a key of an article that is not a text', async () => {
    const blocks = [
      { type: 'unstyled', text: 'words', entityRanges: [{ key: unprintable, offset: 0, length: 5 }] },
      { type: 'unstyled', text: 'words', data: { urls: [{ text: 'https://a.example', fromIndex: unprintable }] } },
    ];
    const entityMap = [{ key: unprintable, value: { type: 'LINK', data: { url: 'https://a.example' } } }];
    const article = await articleOf({ content: { blocks, entityMap } });
    expect(article?.blocks).toHaveLength(2);
  });

  test('100,000 nested quotes of syndication', async () => {
    let quoted: JsonRecord = { id_str: '1' };
    for (let level = 0; level < 100_000; level += 1) quoted = { id_str: '1', quoted_tweet: quoted };
    expect((await readSyndication({ quoted_tweet: quoted })).kind).toBe('found');
  });
});

describe('the size of an answer is bounded by the response', () => {
  test('words keep their text without the link if the URL is repeated too often', async () => {
    const text = 'a '.repeat(1000);
    const block = {
      type: 'unstyled',
      text,
      entityRanges: Array.from({ length: 1000 }, (_, at) => ({ key: 0, offset: 2 * at, length: 1 })),
    };
    const url = `https://a.example/${'a'.repeat(1000)}`;
    const link = { type: 'LINK', data: { url } };
    const article = await articleOf({ content: { blocks: [block], entityMap: [{ key: '0', value: link }] } });
    const spans = article?.blocks.flatMap((entry) => ('spans' in entry ? entry.spans : [])) ?? [];
    expect(spans.map((span) => span.text).join('')).toBe(text);
    expect(spans.filter((span) => span.url === url).length).toBe(1 + Math.floor(500_000 / JSON.stringify(link).length));
  });

  test('media that is repeated too often is left out with a warning', async () => {
    const url = `https://pbs.twimg.com/media/a.jpg?${'a'.repeat(4000)}`;
    const outcome = await readStatus({
      article: {
        title: 'Title',
        content: {
          blocks: Array.from({ length: 200 }, () => ({ type: 'atomic', text: ' ', entityRanges: [{ key: 0 }] })),
          entityMap: [{ key: '0', value: { type: 'MEDIA', data: { mediaItems: [{ mediaId: '1' }] } } }],
        },
        media_entities: [{ media_id: '1', media_info: { original_img_url: url } }],
      },
    });
    expect(foundIn(outcome).value.post.article?.blocks).toHaveLength(122);
    expect(codesIn(outcome)).toContain('media_unsupported');
  });

  test('an account whose copies lack its texts is repeated up to the bound, then as it is', async () => {
    const description = 'a'.repeat(200_000);
    const author = { id: '12', screen_name: 'ada', name: 'Ada', description };
    const copy = { id: '12', screen_name: 'ada' };
    const quote = (level: number): JsonRecord => ({
      id: '21',
      text: 'q',
      author: copy,
      ...(level > 0 && { quote: quote(level - 1) }),
    });
    const post = await fxPost({ author, quote: quote(3) });
    expect(JSON.stringify(post).split('a'.repeat(2000))).toHaveLength(5);
  });
});

test('[text 8] texts are well-formed, and a URL that is not well-formed is absent', async () => {
  expect(asText('a\ud800b')).toBe('a\ufffdb');
  expect(asWebUrl('https://a.example/\udc00')).toBeUndefined();
  expect((await fxPost({ text: 'a\ud800' })).text.isWellFormed()).toBe(true);
});

test('[threads 4] cashtags have the spelling of the text, each once; a facet that is not in the text is none', async () => {
  const facet = (original: unknown, start: number) => ({ type: 'symbol', indices: [start, start + 5], original });
  const text = 'Buy $KSTL or $KSTL now';
  const facets = [facet('KSTL', 4), facet('KSTL', 13), facet('OTHER', 4), facet(7, 4), facet('', 4)];
  expect((await fxPost({ text, raw_text: { text, facets } })).cashtags).toEqual(['KSTL']);
  expect((await fxPost({})).cashtags).toEqual([]);
});

test('a mention in an article is a link to the profile, if the text has the handle there', async () => {
  const spansAt = async (mentions: unknown) => {
    const content = { blocks: [{ type: 'unstyled', text: 'Ask @Kestrel now', data: { mentions } }], entityMap: [] };
    const [block] = (await articleOf({ content }))?.blocks ?? [];
    return block !== undefined && 'spans' in block ? block.spans : undefined;
  };
  const plain = [{ text: 'Ask @Kestrel now' }];
  expect(await spansAt([{ fromIndex: 4, toIndex: 12, text: 'kestrel' }])).toEqual([
    { text: 'Ask ' },
    { text: '@Kestrel', url: 'https://x.com/kestrel' },
    { text: ' now' },
  ]);
  for (const mention of [
    { fromIndex: 4, toIndex: 12, text: 'another' },
    { fromIndex: 0, toIndex: 12, text: 'kestrel' },
    { fromIndex: 4, toIndex: 12, text: '../admin' },
    { fromIndex: -4, toIndex: 900, text: 'kestrel' },
    7,
  ])
    expect(await spansAt([mention])).toEqual(plain);
});

test.each([
  [{ like_count: 5, impression_count: 0 }, null],
  [{ like_count: 0, impression_count: 0 }, 0],
  [{ like_count: 5, impression_count: 1 }, 1],
])('the views of the official API in %j are %j, because X did not always count them', (public_metrics, views) => {
  const post = createXApiPostMapper({}, 0).post({ id: '20', text: 'x', public_metrics });
  expect(post?.metrics.views).toBe(views);
});
