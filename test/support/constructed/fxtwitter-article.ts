// A constructed response of FxTwitter with an article that has every kind of block.
import type { Json } from '../member-table.ts';

const block = (type: string, text: string, members: Json = {}): Json => ({ type, text, ...members });

const atomic = (key: number | string): Json => block('atomic', ' ', { entityRanges: [{ key, offset: 0, length: 1 }] });

export const article: Json = {
  code: 200,
  status: {
    type: 'status',
    id: '2033845798302647530',
    text: '',
    article: {
      created_at: '2026-03-17T10:00:00.000Z',
      title: 'Why fjords ring',
      preview_text: 'Fjords ring like glasses.',
      cover_media: { media_info: { original_img_url: 'https://pbs.twimg.com/media/COVER.jpg' } },
      content: {
        blocks: [
          block('unstyled', 'Ask @ada about a.co and 🧊 ice, soon.', {
            inlineStyleRanges: [
              { offset: 0, length: 8, style: 'Bold' },
              { offset: 4, length: 8, style: 'Italic' },
              { offset: 24, length: 6, style: 'STRIKETHROUGH' },
              { offset: 31, length: 4, style: 'Underline' },
            ],
            entityRanges: [{ key: 4, offset: 9, length: 12 }],
            data: {
              urls: [{ fromIndex: 15, toIndex: 19, text: 'https://a.co/' }],
              mentions: [{ fromIndex: 4, toIndex: 8, text: 'ada' }],
            },
          }),
          block('unstyled', 'A link at the end', {
            inlineStyleRanges: [
              { offset: 0, length: 6, style: 'Bold' },
              { offset: 2, length: 9, style: 'Bold' },
            ],
            entityRanges: [
              { key: 4, offset: 2, length: 4 },
              { key: 5, offset: 4, length: 13 },
            ],
          }),
          ...['one', 'two', 'three', 'four', 'five', 'six'].map((level) => block(`header-${level}`, `Level ${level}`)),
          block('blockquote', 'The sea is never silent.'),
          block('ordered-list-item', 'Lower it.'),
          block('unordered-list-item', 'Wait.'),
          block('code-block', 'const a = 1;'),
          block('unknown', 'A block of an unknown type'),
          ...[0, '1', 2, 3].map(atomic),
          atomic(6),
        ],
        entityMap: [
          { key: '0', value: { type: 'MEDIA', data: { mediaItems: [{ mediaId: '11' }, { mediaId: 12 }] } } },
          { key: '1', value: { type: 'MARKDOWN', data: { markdown: '```js\nlet b;\n```' } } },
          { key: 2, value: { type: 'TWEET', data: { tweetId: '20' } } },
          { key: '3', value: { type: 'DIVIDER', data: {} } },
          { key: '4', value: { type: 'LINK', data: { url: 'https://link.example/' } } },
          { key: '5', value: { type: 'LINK', data: { url: 'https://second.example/' } } },
        ],
      },
      media_entities: [
        {
          media_id: '11',
          media_info: {
            original_img_url: 'https://pbs.twimg.com/media/I.jpg',
            original_img_width: 1200,
            original_img_height: 800,
          },
        },
        {
          media_id: '12',
          media_info: {
            variants: [
              { url: 'https://video.twimg.com/l.m3u8', content_type: 'application/x-mpegURL', bit_rate: 9e6 },
              { url: 'https://video.twimg.com/a.mp4', content_type: 'video/mp4', bit_rate: 256000 },
              { url: 'https://video.twimg.com/b.mp4', content_type: 'video/mp4', bit_rate: 832000 },
            ],
          },
        },
      ],
    },
  },
};
