// Tests the parts of a post beside its text: community, client, cashtags, translation, broadcast, publisher, badge, domain
// of a card and publication of an article. Each provider has some of them, and a value that is none is absent.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { createXApi } from '../../../shared/upstream/x-api/provider.ts';
import { bodyOf, exchangeOf, RECORDED_AT, readRecorded, recordedConversation } from '../../support/recorded-posts.ts';

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const recorded = async (file: string): Promise<Post> => (await recordedConversation(file)).post;

const postIn = (outcome: Outcome<{ readonly post: Post }> | undefined): Post => {
  if (outcome?.kind !== 'found') throw new Error(outcome?.kind);
  return outcome.value.post;
};

const FX = 'fxtwitter/status/text_plain.json';

const fxPost = async (members: Json): Promise<Post> => {
  const body: Json = JSON.parse(bodyOf(exchangeOf(FX)));
  const status = isRecord(body['status']) ? body['status'] : {};
  return postIn(await readRecorded(FX, { ...body, status: { ...status, ...members } }));
};

const SYNDICATION = 'syndication/text_plain.json';

const syndicationPost = async (members: Json): Promise<Post> =>
  postIn(await readRecorded(SYNDICATION, { ...JSON.parse(bodyOf(exchangeOf(SYNDICATION))), ...members }));

const xApiPost = async (data: Json, includes: Json = {}): Promise<Post> => {
  const json = { data: { id: '20', text: 'x', ...data }, includes };
  const provider = createXApi({
    baseUrl: 'http://127.0.0.1:1',
    source: 'x_api',
    clock: () => RECORDED_AT,
    http: { get: async () => ({ kind: 'response', status: 200, json, isHtml: false }) },
  });
  const request = { id: '20', thread: 'off', replies: 'off' } as const;
  return postIn(await provider.readPost?.(request, { deadline: RECORDED_AT, retries: 0 }));
};

/** Values of a wrong type, and texts without visible characters. */
const NOT_TEXT = [7, null, [], {}, '', ' ', '\u200b'];

describe('a post of FxTwitter', () => {
  test('[threads 4] a post in a community has the id and the name of the community', async () => {
    expect((await recorded('fxtwitter/status/community_post.json')).community).toMatchObject({
      id: '1500000000000000123',
      name: 'Slow Cyclists & Friends',
    });
  });

  test.each([7, null, 'x', {}, { id: 'x', name: 'Name' }, { name: 'Name' }])(
    'the community %j is absent',
    async (community) => {
      expect((await fxPost({ community })).community).toBeUndefined();
    },
  );

  test.each(NOT_TEXT)('a community with the name %j has only its id', async (name) => {
    expect((await fxPost({ community: { id: '15', name } })).community).toEqual({ id: '15' });
  });

  test('[threads 4] the client is the name of the app, on one line', async () => {
    expect((await recorded(FX)).client).toBe('Twitter Web App');
    expect((await fxPost({ source: 'My\n <b>App</b>\u202e' })).client).toBe('My <b>App</b>');
  });

  test.each(NOT_TEXT)('the client %j is absent', async (source) => {
    expect((await fxPost({ source })).client).toBeUndefined();
  });

  test('[threads 4] cashtags have the spelling of the text, each once; a facet that is not in the text is none', async () => {
    const facet = (original: unknown, start: number) => ({ type: 'symbol', indices: [start, start + 5], original });
    const text = 'Buy $KSTL or $KSTL now';
    const facets = [facet('KSTL', 4), facet('KSTL', 13), facet('OTHER', 4), facet(7, 4), facet('', 4)];
    expect((await fxPost({ text, raw_text: { text, facets } })).cashtags).toEqual(['KSTL']);
    expect((await recorded(FX)).cashtags).toEqual([]);
  });

  test('[threads 4] a translation has its text, its languages and its provider', async () => {
    expect((await recorded('fxtwitter/status/generated_translation_present.json')).translation).toEqual({
      text: 'The sea is quiet today.',
      source_lang: 'ja',
      target_lang: 'en',
      provider: 'grok',
    });
  });

  test('an empty translation is absent', async () => {
    expect((await recorded('fxtwitter/status/lang_es_no_translation.json')).translation).toBeUndefined();
    for (const text of NOT_TEXT.filter((value) => value !== '\u200b'))
      expect((await fxPost({ translation: { text } })).translation).toBeUndefined();
  });

  test('a language that is none and a provider that is none are absent in a translation', async () => {
    const translation = { text: 'Hi', source_lang: 'und', target_lang: '<b>', provider: 7 };
    expect((await fxPost({ translation })).translation).toEqual({ text: 'Hi' });
  });

  test('[threads 4] a broadcast has its state, URL and picture, and its title is that of the card', async () => {
    const { broadcast, card } = await recorded('fxtwitter/status/generated_broadcast.json');
    expect(broadcast).toEqual({
      url: 'https://x.com/i/broadcasts/1abc',
      state: 'live',
      thumbnail_url: 'https://pbs.twimg.com/b/o.jpg',
    });
    expect(card).toMatchObject({ url: broadcast?.url, title: 'Harbour & lights — live' });
  });

  test.each([
    ['ENDED', 'ended'],
    ['NOT_STARTED', undefined],
    ['constructor', undefined],
    [7, undefined],
  ])('the state %j of a broadcast is %j', async (state, expected) => {
    const media = { broadcast: { url: 'https://x.com/i/broadcasts/1', state } };
    expect((await fxPost({ media })).broadcast?.state).toBe(expected);
  });

  test('a broadcast without a web URL is absent', async () => {
    expect((await fxPost({ media: { broadcast: { url: 'javascript:1', state: 'LIVE' } } })).broadcast).toBeUndefined();
  });

  test('[threads 4] a video by another account has its publisher', async () => {
    const [video] = (await recorded('fxtwitter/status/video_vertical_publisher.json')).media;
    expect(video?.publisher).toMatchObject({ handle: 'slowtv_live', name: 'Slow TV Live', metrics: { posts: 4567 } });
    const [own] = (await recorded('fxtwitter/status/video.json')).media;
    expect(own?.publisher).toBeUndefined();
  });

  test.each([
    [{ verified: true, type: 'individual' }, 'individual'],
    [{ verified: true, type: 'organization' }, 'organization'],
    [{ verified: true, type: 'government' }, 'government'],
    [{ verified: true, type: 'gold' }, undefined],
    [{ verified: false, type: null }, undefined],
    ['yes', undefined],
  ])('[threads 4] the verification %j has the type %j', async (verification, expected) => {
    const { author } = await fxPost({ author: { screen_name: 'ada', name: 'Ada', verification } });
    expect(author?.verified_type).toBe(expected);
  });

  test('[threads 4] a card has the domain that X shows', async () => {
    expect((await recorded('fxtwitter/status/card_link.json')).card?.domain).toBe('longreads.example');
  });

  test.each(['longreads', 'a b.example', 'a.example/x', '<b>.example', `${'a'.repeat(300)}.example`, 7])(
    'the domain %j of a card is absent',
    async (domain) => {
      const { card } = await fxPost({ card: { url: 'https://a.example/', domain } });
      expect(card).toEqual({ url: 'https://a.example/' });
    },
  );

  test('[threads 4] an article has the time of its publication', async () => {
    expect((await recorded('fxtwitter/status/article.json')).article?.published_at).toBe('2026-03-17T10:00:00Z');
    expect((await fxPost({ article: { title: 'x', created_at: 'soon' } })).article).not.toHaveProperty('published_at');
  });

  test('a mention in an article is a link to the profile, if the text has the handle there', async () => {
    const spansAt = async (mentions: unknown) => {
      const content = { blocks: [{ type: 'unstyled', text: 'Ask @Kestrel now', data: { mentions } }], entityMap: [] };
      const [block] = (await fxPost({ article: { title: 'x', content } })).article?.blocks ?? [];
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
});

describe('a post of the official API', () => {
  test('[threads 4] a post has client and cashtags, and the id of its community', async () => {
    const post = await xApiPost({
      text: 'Buy $KSTL now',
      source: 'Twitter for iPhone',
      community_id: '1500000000000000123',
      entities: {
        cashtags: [
          { start: 4, end: 9, tag: 'KSTL' },
          { start: 4, end: 9, tag: 'OTHER' },
        ],
      },
    });
    expect(post).toMatchObject({
      client: 'Twitter for iPhone',
      cashtags: ['KSTL'],
      community: { id: '1500000000000000123' },
    });
  });

  test.each([7, 'x', '', {}])('the community %j is absent', async (community_id) => {
    expect((await xApiPost({ community_id })).community).toBeUndefined();
  });

  test.each([
    ['blue', 'individual'],
    ['business', 'organization'],
    ['government', 'government'],
    ['none', undefined],
    ['constructor', undefined],
  ])('the badge %s is for: %s', async (verified_type, expected) => {
    const users = [{ id: '1', username: 'ada', name: 'Ada', verified: true, verified_type }];
    expect((await xApiPost({ author_id: '1' }, { users })).author?.verified_type).toBe(expected);
  });

  test.each([
    [{ like_count: 5, impression_count: 0 }, null],
    [{ like_count: 0, impression_count: 0 }, 0],
    [{ like_count: 5, impression_count: 1 }, 1],
  ])('the views in %j are %j, because X did not always count them', async (public_metrics, views) => {
    expect((await xApiPost({ public_metrics })).metrics.views).toBe(views);
  });
});

describe('a post of the syndication CDN', () => {
  test('[threads 4] a post has its cashtags', async () => {
    const entities = {
      symbols: [
        { indices: [4, 9], text: 'KSTL' },
        { indices: [0, 2], text: 'NO' },
      ],
    };
    expect((await syndicationPost({ text: 'Buy $KSTL', entities })).cashtags).toEqual(['KSTL']);
  });

  test('[threads 4] a card has its domain', async () => {
    expect((await recorded('syndication/card_link.json')).card?.domain).toBe('longreads.example');
    const binding_values = { title: { string_value: 'x' }, vanity_url: { string_value: 'a.example' } };
    const card = { name: 'summary', url: 'https://t.co/abcdefghij', binding_values };
    expect((await syndicationPost({ card })).card?.domain).toBe('a.example');
  });

  test.each([
    [{ is_blue_verified: true }, 'individual'],
    [{ is_blue_verified: true, verified_type: 'Business' }, 'organization'],
    [{ verified_type: 'Government' }, 'government'],
    [{ verified: true }, undefined],
    [{}, undefined],
  ])('the badge of the user %j is for: %s', async (members, expected) => {
    const { author } = await syndicationPost({ user: { screen_name: 'ada', name: 'Ada', ...members } });
    expect(author?.verified_type).toBe(expected);
  });
});
