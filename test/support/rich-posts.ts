// Provides constructed posts for golden files, with what recorded answers have rarely or not at all.
import { postUrl } from '../../shared/model/handle.ts';
import type { Post } from '../../shared/model/post.ts';
import { postOf } from './post-models.ts';
import { articlePost } from './rich-articles.ts';
import { ada, at, bo, MEDIA, photo, video } from './rich-media.ts';

const NAMED_POSTS: readonly (readonly [name: string, post: Post])[] = [
  ...MEDIA.map(([name, media]): [string, Post] => [
    name,
    postOf({ text: name, lang: 'en', author: ada, media: [...media] }),
  ]),
  ['sensitive photos', postOf({ text: 'Look', sensitive: true, media: [photo(), photo({ alt_text: 'B' })] })],
  ['a sensitive video', postOf({ text: 'Look', sensitive: true, media: [video()] })],
  ['sensitive photo and video', postOf({ text: 'Look', sensitive: true, media: [photo(), video()] })],
  ['a sensitive text', postOf({ text: 'Look', sensitive: true })],
  [
    'an open poll',
    postOf({
      poll: {
        choices: [
          { label: 'Yes & no', votes: 1, percentage: 33.333 },
          { label: 'No', votes: 2, percentage: 66.667 },
          { label: 'Unknown share', votes: 1234, percentage: null },
          { label: 'Unknown', votes: null, percentage: null },
          { label: 'Zero', votes: 0, percentage: 0 },
        ],
        total_votes: 3,
        closed: false,
        ends_at: at(9),
      },
    }),
  ],
  ['an open poll without an end', postOf({ poll: { choices: [], total_votes: 1, closed: false } })],
  [
    'a closed poll',
    postOf({ poll: { choices: [{ label: 'A', votes: 1, percentage: 100 }], total_votes: null, closed: true } }),
  ],
  [
    'a poll of unknown state',
    postOf({ poll: { choices: [{ label: 'A', votes: null, percentage: 50 }], total_votes: null } }),
  ],
  [
    'a card',
    postOf({
      card: {
        url: 'https://www.tide.example/a?b=1&c=2',
        title: 'Tide',
        description: 'Tables',
        domain: 'other.example',
        image_url: 'https://pbs.twimg.com/card_img/1/x?format=jpg&name=orig',
      },
    }),
  ],
  [
    'a card behind a short link',
    postOf({ card: { url: 'https://t.co/x', domain: 'tide.example', image_url: 'https://elsewhere.example/a.jpg' } }),
  ],
  [
    'a broadcast',
    postOf({
      broadcast: {
        url: 'https://x.com/i/broadcasts/1',
        state: 'live',
        thumbnail_url: 'https://pbs.twimg.com/media/L.jpg',
      },
    }),
  ],
  [
    'a broadcast with its card',
    postOf({
      broadcast: { url: 'https://x.com/i/broadcasts/1', state: 'ended' },
      card: { url: 'https://x.com/i/broadcasts/1', title: 'Evening tide' },
    }),
  ],
  [
    'a quote',
    postOf({
      text: 'See https://x.com/bo/status/21',
      links: [{ url: 'https://x.com/bo/status/21' }],
      quote: postOf({
        id: '21',
        url: 'https://x.com/bo/status/21',
        text: 'Quoted',
        author: bo,
        lang: 'fr',
        media: [photo()],
      }),
    }),
  ],
  ['a quote without an author', postOf({ quote: postOf({ id: '21', author: undefined, created_at: undefined }) })],
  ['a quote that is only linked', postOf({ quote: { id: '21', url: 'https://x.com/bo/status/21' } })],
  ...(['deleted', 'protected', 'suspended', 'withheld', 'unknown'] as const).map((reason): [string, Post] => [
    `a quote that is ${reason}`,
    postOf({ quote: { unavailable: true, reason } }),
  ]),
  [
    'a note, a translation, a community and an app',
    postOf({
      text: 'Flut',
      lang: 'de',
      author: ada,
      community: { id: '7', name: 'Tides & co' },
      client: 'Web App',
      translation: { text: 'High tide', source_lang: 'de', target_lang: 'en', provider: 'grok' },
      community_note: { text: 'It ebbs: https://tide.example/a.' },
    }),
  ],
  [
    'a translation and a community without names',
    postOf({
      lang: 'xx-invalid-',
      community: { id: '7' },
      translation: { text: 'High tide' },
    }),
  ],
  [
    'a repost of a reply',
    postOf({ reposted_by: bo, in_reply_to: { handle: 'cy', id: '19' }, text: '@cy Hello', mentions: ['cy'] }),
  ],
  ['a reply to a post', postOf({ in_reply_to: { id: '19' } })],
  ['a reply to an account', postOf({ in_reply_to: { handle: 'cy' } })],
  [
    'photos, videos and GIFs without a text',
    postOf({ text: ' ', media: [video(), photo(), photo(), video(), video({ type: 'gif' })] }),
  ],
  [
    'a poll and a card without a text',
    postOf({
      text: '',
      poll: {
        choices: [
          { label: 'Yes', votes: 1, percentage: 50 },
          { label: 'No', votes: 1, percentage: 50 },
        ],
        total_votes: 2,
      },
      card: { url: 'https://tide.example/', title: 'Tide tables' },
    }),
  ],
  ['an article without a title', articlePost({ title: ' ', blocks: [] })],
  ['an article without a title and a text', { ...articlePost({ title: '' }), text: '' }],
  ['an article without a text', { ...articlePost(), text: '' }],
  [
    'tags of all kinds',
    postOf({ hashtags: ['tide', '2026', 'a b', 'a\u200bb', 'Ebb-Flut', 'tide'], text: '#tide #2026 #Ebb-Flut' }),
  ],
  [
    'links, mentions and tags',
    postOf({
      text: '@bo see https://tide.example/a #tide $TIDE, #tidetable &\n\n> quoted <b>\n# no heading',
      mentions: ['bo'],
      hashtags: ['tide'],
      cashtags: ['TIDE'],
      links: [{ url: 'https://tide.example/a', display_url: 'tide.example/a' }],
    }),
  ],
  [
    'bold and italic',
    postOf({
      text: 'Bold and italic text',
      styles: [
        { type: 'bold', start: 0, end: 8 },
        { type: 'italic', start: 5, end: 15 },
      ],
    }),
  ],
  ['an article', articlePost()],
  [
    'an article of the same day',
    articlePost({ published_at: at(2, 12), cover_url: 'https://elsewhere.example/a.jpg' }),
  ],
  ['the preview of an article', articlePost({ blocks: [], cover_url: undefined })],
  [
    'an article of empty blocks',
    articlePost({
      blocks: [
        { type: 'heading', level: 1, spans: [] },
        { type: 'heading', level: 0, spans: [{ text: 'Level 0' }] },
        { type: 'quote', spans: [{ text: ' ' }] },
        { type: 'list_item', ordered: true, spans: [] },
        { type: 'list_item', ordered: true, spans: [{ text: 'first\n\nline' }] },
        { type: 'paragraph', spans: [{ text: '' }] },
      ],
    }),
  ],
  ['the title of an article', articlePost({ blocks: [], preview_text: undefined, published_at: undefined })],
  [
    'nothing',
    postOf({
      text: '',
      author: undefined,
      created_at: undefined,
      metrics: {
        likes: null,
        reposts: null,
        replies: null,
        quotes: null,
        bookmarks: null,
        views: null,
      },
    }),
  ],
];

/** Posts with one feature each, by its name. */
export const RICH_POSTS: ReadonlyMap<string, Post> = new Map(
  NAMED_POSTS.map(([name, post], index) => {
    const id = String(100 + index);
    return [name, { ...post, id, url: postUrl(id, post.author?.handle) }];
  }),
);
