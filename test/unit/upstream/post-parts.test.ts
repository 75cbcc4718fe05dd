// Tests the parts of posts that FxEmbed's own code converts: articles with parts of every kind, polls whose options the
// provider mixes up, players, and facts that the provider sends with every post. Also the bounds of members.
import { describe, expect, test } from 'vitest';
import type { ArticleBlock, Post } from '../../../shared/model/post.ts';
import type { User } from '../../../shared/model/user.ts';
import { createFxTwitterPostMapper } from '../../../shared/upstream/fxtwitter/map-post.ts';
import { mapUser } from '../../../shared/upstream/fxtwitter/map-user.ts';
import { mapPost as mapSyndicationPost } from '../../../shared/upstream/syndication/map-post.ts';
import { mapUser as mapXApiUser } from '../../../shared/upstream/x-api/map-post.ts';
import { codesIn, foundIn, readRecorded, readStatus } from '../../support/recorded-posts.ts';

const paragraph = (text: string, url?: string): ArticleBlock => ({
  type: 'paragraph',
  spans: [{ text, ...(url !== undefined && { url }) }],
});

interface ArticleParts {
  readonly text: string;
  readonly type?: string;
  /** The positions of the part of the text that stands for the entity. */
  readonly range?: readonly [offset: number, length: number];
  readonly entity?: { readonly type: string; readonly data: object };
  readonly members?: object;
}

/** Reads an article of one block with one entity. */
const readArticle = async ({ text, type = 'unstyled', range: [offset, length] = [0, 1], ...parts }: ArticleParts) => {
  const block = { key: 'a', type, text, data: {}, inlineStyleRanges: [], entityRanges: [{ key: 0, offset, length }] };
  const content = { blocks: [block], entityMap: parts.entity === undefined ? [] : [{ key: '0', value: parts.entity }] };
  const outcome = await readStatus({ article: { title: 'Title', content, ...parts.members } });
  return { ...foundIn(outcome).value.post.article, codes: codesIn(outcome) };
};

describe('an article', () => {
  const LATEX = { type: 'LATEX', data: { entityKey: 'k', latex: 'E = mc^2' } };
  const EMBED = { type: 'EMBED', data: { url: 'https://data.example/chart', caption: 'Depth of the fjord' } };
  const TABLE = {
    caption: 'Depths',
    rows: [
      ['a', 1],
      ['b', 2],
    ],
  };
  const LINK = { type: 'LINK', data: { url: 'https://data.example/' } };
  test.each<readonly [string, ArticleParts, readonly ArticleBlock[]]>([
    [
      'a formula in place of a character',
      { text: 'So \ufffc holds.', range: [3, 1], entity: LATEX },
      [paragraph('So \ufffc holds.'), { type: 'code', language: 'latex', text: 'E = mc^2' }],
    ],
    [
      'a formula that its own words show',
      { text: 'So E = mc^2 holds.', range: [3, 8], entity: LATEX },
      [paragraph('So E = mc^2 holds.')],
    ],
    [
      'an embed with a caption',
      { text: ' ', type: 'atomic', entity: EMBED },
      [paragraph('https://data.example/chart', 'https://data.example/chart'), paragraph('Depth of the fjord')],
    ],
    [
      'a table with a caption',
      { text: ' ', type: 'atomic', entity: { type: 'TABLE', data: TABLE } },
      [{ type: 'code', language: 'table', text: 'Depths\na | 1\nb | 2' }],
    ],
    ['a link without words', { text: ' ', entity: LINK }, [paragraph(LINK.data.url, LINK.data.url)]],
    [
      'a link in code',
      { text: 'a = b', type: 'code-block', entity: LINK },
      [{ type: 'code', text: 'a = b' }, paragraph(LINK.data.url, LINK.data.url)],
    ],
    [
      'a link that is not of the web',
      { text: 'Write', range: [0, 5], entity: { type: 'LINK', data: { url: 'mailto:ada@example.com' } } },
      [paragraph('Write'), { type: 'code', language: 'link', text: 'mailto:ada@example.com' }],
    ],
  ])('shows %s', async (_, parts, blocks) => {
    expect(await readArticle(parts)).toMatchObject({ blocks, codes: [] });
  });

  const nested = (depth: number): unknown => (depth === 0 ? 'deep' : { part: nested(depth - 1) });
  test.each<readonly [string, ArticleParts]>([
    ['an entity without a text', { text: ' ', entity: { type: 'SPACE', data: { spaceId: '1' } } }],
    ['an entity that the response lacks', { text: ' ' }],
    ['a text that is nested deeply', { text: ' ', entity: { type: 'TREE', data: { tree: nested(20) } } }],
    ['a cover of an unknown kind', { text: 'Words', range: [0, 5], members: { cover_media: { media_id: '1' } } }],
  ])('with %s has the warning article_incomplete', async (_, parts) => {
    expect((await readArticle(parts)).codes).toEqual(['article_incomplete']);
  });
});

test.each(['converted_poll_numeric', 'converted_poll_equal'])(
  'the poll %s has the warning poll_uncertain',
  async (name) => {
    expect(codesIn(await readRecorded(`fxtwitter/status/${name}.json`))).toEqual(['poll_uncertain']);
  },
);

describe('[pages 10] a card of YouTube leads to the page of the video', () => {
  const ID = 'aBcDeF12345';
  const facet = (replacement: string) => ({ type: 'url', original: 'https://t.co/a', replacement, indices: [0, 14] });
  const cardFor = async (player: string, link = 'https://fjordsound.example/') =>
    foundIn(
      await readStatus({
        raw_text: { text: 'https://t.co/a', facets: [facet(link)] },
        media: { external: { type: 'video', url: player } },
      }),
    ).value.post.card;

  test.each([
    ['without a link', undefined, `https://www.youtube.com/watch?v=${ID}`],
    ['with the time of the link', `https://youtu.be/${ID}?t=42`, `https://youtu.be/${ID}?t=42`],
    ['that is a short', `https://www.youtube.com/shorts/${ID}`, `https://www.youtube.com/shorts/${ID}`],
    ['whose link is the player, too', `https://www.youtube.com/embed/${ID}`, `https://www.youtube.com/watch?v=${ID}`],
    [
      'whose link is a search',
      `https://www.youtube.com/results?search_query=${ID}`,
      `https://www.youtube.com/watch?v=${ID}`,
    ],
    ['whose link is of another host', `https://a.example/?v=${ID}`, `https://www.youtube.com/watch?v=${ID}`],
  ])('of FxTwitter %s', async (_, link, url) => {
    for (const player of ['www.youtube.com', 'www.youtube-nocookie.com'])
      expect(await cardFor(`https://${player}/embed/${ID}`, link)).toEqual({
        url,
        image_url: `https://img.youtube.com/vi/${ID}/maxresdefault.jpg`,
      });
  });

  test('that names the second, and one of a channel that is live', async () => {
    const urlFor = async (path: string) => (await cardFor(`https://www.youtube.com/embed/${path}`))?.url;
    expect(await urlFor(`${ID}?start=30`)).toBe(`https://www.youtube.com/watch?v=${ID}&t=30`);
    expect(await urlFor('live_stream?channel=UC_-a')).toBe('https://www.youtube.com/channel/UC_-a/live');
    expect(await urlFor('live_stream')).toBe('https://www.youtube.com/embed/live_stream');
  });

  test('of a list of videos', async () => {
    const card = await cardFor('https://www.youtube.com/embed/videoseries?si=a&list=PL0_-a');
    expect(card?.url).toBe('https://www.youtube.com/playlist?list=PL0_-a');
  });

  test('of syndication, and of a card with words', async () => {
    const player = `https://www.youtube.com/embed/${ID}`;
    const text = (string_value: string) => ({ type: 'STRING', string_value });
    const binding_values = { title: text('A film'), player_url: text(player) };
    const syndicated = mapSyndicationPost({ id_str: '20', user: { screen_name: 'a' }, card: { binding_values } }, 0);
    const { card } = foundIn(await readStatus({ card: { url: player, title: 'A film' } })).value.post;
    for (const shown of [syndicated?.card, card])
      expect(shown).toEqual({ url: `https://www.youtube.com/watch?v=${ID}`, title: 'A film' });
  });

  test('while another player stays as it is', async () => {
    for (const player of ['https://player.example/1', 'https://www.youtube.com/embed/short'])
      expect((await cardFor(player))?.url).toBe(player);
  });
});

describe('[bounds] a member that is a line or a caption is cut', () => {
  const LONG = '🧊'.repeat(50_000);

  const lengthsOf = ({ name, location, bio }: User): readonly number[] =>
    [name, location ?? '', bio ?? ''].map((text) => [...text].length);

  test('in accounts of every provider', () => {
    const shared = { name: LONG, location: LONG, description: LONG };
    const users = [
      mapUser({ ...shared, screen_name: 'ada' }),
      mapUser({ ...shared, screen_name: 'ada', raw_description: { text: LONG, facets: [] } }),
      mapXApiUser({ ...shared, username: 'ada' }),
    ];
    for (const user of users) expect(user && lengthsOf(user)).toEqual([200, 200, 2000]);
  });

  test('after the links of a biography are expanded, and a link that does not fit stays short', () => {
    const [first, second] = ['https://a.example/'.padEnd(990, 'a'), 'https://b.example/'.padEnd(960, 'b')];
    const links = ['https://t.co/a', 'https://t.co/b', 'https://t.co/c'];
    const targets = [first, second, first];
    const text = links.join(' ');
    const facets = links.map((original, at) => ({ type: 'url', original, replacement: targets[at] }));
    const urls = links.map((url, at) => ({ url, expanded_url: targets[at] }));
    const users = [
      mapUser({ screen_name: 'ada', raw_description: { text, facets } }),
      mapXApiUser({ username: 'ada', description: text, entities: { description: { urls } } }),
    ];
    for (const user of users) expect(user?.bio).toBe(`${first} ${second} https://t.co/c`);
  });

  test('in posts of FxTwitter and of syndication', () => {
    const raw = {
      id: '20',
      article: { title: LONG, preview_text: LONG },
      media: { all: [{ type: 'photo', url: 'https://pbs.twimg.com/a.jpg', altText: LONG }] },
      poll: { choices: [{ label: LONG }, { label: 'b' }] },
      card: { url: 'https://a.example/', title: LONG, description: LONG },
    };
    const post = createFxTwitterPostMapper(0).post(raw);
    expect(JSON.stringify(post).length).toBeLessThan(50_000);
    expect(post?.article && [...post.article.title]).toHaveLength(1000);
    expect([...(post?.media[0]?.alt_text ?? '')]).toHaveLength(2000);
    const syndicated = mapSyndicationPost(
      { id_str: '20', article: raw.article, user: { screen_name: 'a', name: LONG } },
      0,
    );
    expect(JSON.stringify(syndicated).length).toBeLessThan(50_000);
  });

  test('and a URL that is longer than 4,096 characters is absent', () => {
    const url = (length: number): string => 'https://a.example/'.padEnd(length, 'a');
    const cardOf = (length: number): Post['card'] =>
      createFxTwitterPostMapper(0).post({ id: '20', card: { url: url(length) } })?.card;
    expect(cardOf(4096)).toEqual({ url: url(4096) });
    expect(cardOf(4097)).toBeUndefined();
  });
});
