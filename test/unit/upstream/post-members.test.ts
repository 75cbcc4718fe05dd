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

describe('a post of FxTwitter', () => {
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

test.each([
  [{ like_count: 5, impression_count: 0 }, null],
  [{ like_count: 0, impression_count: 0 }, 0],
  [{ like_count: 5, impression_count: 1 }, 1],
])('the views of the official API in %j are %j, because X did not always count them', async (public_metrics, views) => {
  expect((await xApiPost({ public_metrics })).metrics.views).toBe(views);
});
