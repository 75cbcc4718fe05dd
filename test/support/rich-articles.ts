// Provides a constructed article for golden files.
import type { ArticleBlock, Post } from '../../shared/model/post.ts';
import { postOf } from './post-models.ts';
import { ada, at, photo, video } from './rich-media.ts';

const spans = (text: string): { text: string }[] => [{ text }];

export const BLOCKS: ArticleBlock[] = [
  { type: 'heading', level: 1, spans: spans('Low & high') },
  {
    type: 'paragraph',
    spans: [
      { text: 'Bold', bold: true },
      { text: ' italic', italic: true },
      { text: ' gone ', strikethrough: true },
      { text: 'all', bold: true, italic: true, strikethrough: true, url: 'https://tide.example/?a=1&b=2' },
      { text: ' post', url: 'https://x.com/bo/status/21' },
      { text: ' other', url: 'ftp://tide.example' },
    ],
  },
  { type: 'paragraph', spans: [] },
  { type: 'heading', level: 2, spans: spans('Numbers') },
  { type: 'list_item', ordered: true, spans: spans('one') },
  { type: 'list_item', ordered: true, spans: spans('two') },
  { type: 'list_item', ordered: false, spans: spans('dot') },
  { type: 'quote', spans: spans('Time and tide') },
  { type: 'list_item', ordered: false, spans: spans('alone') },
  { type: 'heading', level: 1, spans: spans('Code') },
  { type: 'code', language: 'python', text: 'print("<tide>")' },
  { type: 'code', text: 'a\nb' },
  { type: 'media', media: photo({ alt_text: 'In the article' }) },
  { type: 'media', media: video() },
  { type: 'divider' },
  { type: 'post', id: '21', url: 'https://x.com/bo/status/21' },
  { type: 'heading', level: 6, spans: spans('Deep') },
];

/** A post with an article of all kinds of blocks. */
export const articlePost = (members: Partial<NonNullable<Post['article']>> = {}): Post =>
  postOf({
    id: '80',
    text: 'Read it',
    lang: 'de',
    author: ada,
    article: {
      title: 'The <tide>',
      preview_text: 'First words of it',
      cover_url: 'https://pbs.twimg.com/media/Cover.jpg',
      published_at: at(1),
      blocks: BLOCKS,
      ...members,
    },
  });
