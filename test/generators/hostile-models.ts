// Fills every field of the models that third parties write, with another text in each field.

import type { Article, ArticleSpan, Post } from '../../shared/model/post.ts';
import type { Conversation } from '../../shared/model/resources.ts';
import { PLACES, type TextPlace } from '../../shared/model/text-places.ts';
import type { User } from '../../shared/model/user.ts';
import { fullUser } from '../support/list-models.ts';
import type { Layout } from '../support/plain-counterpart.ts';
import { conversationOf, postOf, userOf } from '../support/post-models.ts';

export type NextText = (layout: Layout) => string;

/** Links that the provider names, as some hostile texts have them. */
const KNOWN = ['https://known.example/x', 'https://known.example/x_(y)'].map((url) => ({ url }));
/** Places that no text has: they overlap, are out of order, divide characters, and lie outside. */
const forgedPlaces: readonly TextPlace[] = Array.from({ length: 80 }, (_, at) => ({
  type: (['link', 'mention', 'hashtag', 'cashtag'] as const)[at % 4] ?? 'link',
  start: [at, 80 - at, -at, Number.NaN][(at >> 2) % 4] ?? at,
  end: at + (at % 7),
}));

const PICTURE = 'https://pbs.twimg.com/media/a.jpg';

/** @param block layout of texts that can have several lines: it differs between Markdown and HTML */
export const hostileUser = (nextText: NextText, handle: string, block: Layout): User =>
  fullUser({ handle, name: nextText('line'), bio: nextText(block), location: nextText('line') });

/** An article of which the provider knows only the beginning. */
const hostilePreview = (nextText: NextText, block: Layout): Article => ({
  title: nextText('line'),
  preview_text: nextText(block),
  blocks: [],
});

const hostileArticle = (nextText: NextText, block: Layout): Article => {
  const span = (style: Partial<ArticleSpan> = {}): ArticleSpan => ({ ...style, text: nextText('line') });
  return {
    title: nextText('line'),
    blocks: [
      { type: 'paragraph', spans: [{ text: nextText(block) }] },
      { type: 'heading', level: 1, spans: [span()] },
      { type: 'quote', spans: [{ text: nextText(block) }] },
      { type: 'list_item', ordered: false, spans: [span()] },
      { type: 'list_item', ordered: true, spans: [span()] },
      { type: 'code', language: 'js', text: nextText('code') },
    ],
  };
};

/** A post with every text that a document shows. @param hasArticle false: it has only the preview of one */
export const hostilePost = (nextText: NextText, id: string, block: Layout, hasArticle = false): Post =>
  postOf({
    id,
    url: `https://x.com/b_c/status/${id}`,
    author: userOf(nextText('line'), 'b_c'),
    text: nextText(block),
    links: KNOWN,
    translation: { text: nextText(block), source_lang: 'ja', target_lang: 'en', provider: nextText('line') },
    community: { id, name: nextText('line') },
    reposted_by: userOf(nextText('line'), '_x_'),
    media: [
      { type: 'photo', url: PICTURE, alt_text: nextText('line') },
      {
        type: 'video',
        url: 'https://video.twimg.com/a.mp4',
        alt_text: nextText('line'),
        duration_ms: 61_000,
        publisher: userOf(nextText('line'), '_z_'),
      },
    ],
    poll: {
      choices: [
        { label: nextText('line'), votes: 3, percentage: 75 },
        { label: nextText('line'), votes: 1, percentage: 25 },
      ],
      total_votes: 4,
    },
    card: { url: 'https://card.example/_a_?b=(c)&amp;d=*', title: nextText('line'), description: nextText('line') },
    quote: postOf({
      id: '19',
      author: userOf(nextText('line'), '_y_'),
      text: nextText(block),
      [PLACES]: forgedPlaces,
    }),
    community_note: { text: nextText(block) },
    article: hasArticle ? hostileArticle(nextText, block) : hostilePreview(nextText, block),
  });

export const hostileConversation = (nextText: NextText, block: Layout): Conversation =>
  conversationOf(hostilePost(nextText, '20', block, true), {
    thread: [hostilePost(nextText, '22', block)],
    replies: [hostilePost(nextText, '21', block)],
  });
