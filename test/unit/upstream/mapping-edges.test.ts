// Tests members of provider answers that decide whether a part is mapped at all.
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/conversation.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { bodyOf, exchangeOf, readRecorded } from '../../support/recorded-posts.ts';

type Json = Record<string, unknown>;

const postIn = (outcome: Outcome<Conversation>) => {
  if (outcome.kind !== 'found') throw new Error(outcome.kind);
  return outcome.value.post;
};

const FX = 'fxtwitter/status/text_plain.json';

const articleOf = async (article: Json) => {
  const body: { readonly status: Json } = JSON.parse(bodyOf(exchangeOf(FX)));
  const outcome = await readRecorded(FX, {
    ...body,
    status: { ...body.status, article: { title: 'Title', ...article } },
  });
  return postIn(outcome).article;
};

test('a poll of syndication has the choices and votes of its card', async () => {
  const post = postIn(await readRecorded('syndication/poll_ended_two.json'));
  expect(post.poll?.choices.map(({ label }) => label)).toHaveLength(2);
  expect(post.poll?.choices.every(({ votes }) => votes !== null)).toBe(true);
  expect(post.poll?.closed).toBe(true);
  expect(post.card).toBeUndefined();
});

describe('a video in an article', () => {
  const withVariants = (variants: readonly Json[]) =>
    articleOf({
      content: {
        blocks: [{ type: 'atomic', text: ' ', entityRanges: [{ key: 0, offset: 0, length: 1 }] }],
        entityMap: [{ key: '0', value: { type: 'MEDIA', data: { mediaItems: [{ mediaId: '1' }] } } }],
      },
      media_entities: [{ media_id: '1', media_info: { __typename: 'ApiVideo', variants } }],
    });

  const mp4 = (name: string, rate?: number): Json => ({
    url: `https://video.twimg.com/${name}.mp4`,
    content_type: 'video/mp4',
    ...(rate !== undefined && { bit_rate: rate }),
  });

  test('is the MP4 file with the highest rate', async () => {
    const playlist = { url: 'https://video.twimg.com/a.m3u8', content_type: 'application/x-mpegURL' };
    const article = await withVariants([playlist, mp4('unknown'), mp4('low', 100), mp4('high', 900), mp4('mid', 500)]);
    expect(article?.blocks).toEqual([
      { type: 'media', media: { type: 'video', url: 'https://video.twimg.com/high.mp4' } },
    ]);
  });

  test('is left out if no file is MP4', async () => {
    const article = await withVariants([{ url: 'https://video.twimg.com/a.mp4', content_type: 'video/webm' }]);
    expect(article?.blocks).toEqual([]);
  });
});
