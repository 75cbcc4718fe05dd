// Promises what a page needs to embed a post (oEmbed 1.0).
import { EMBED_FORMATS } from '../formats.ts';
import { OF_POSTS, type Read, type ReadWords } from './row.ts';

export const readOembed = {
  ...OF_POSTS,
  lambda: 'oembed',
  path: '/api/v1/oembed',
  alsoAt: ['/oembed'],
  permalinks: {},
  parameters: ['url', 'maxwidth', 'maxheight', 'format'],
  required: ['url'],
  formats: EMBED_FORMATS,
  // oEmbed 1.0, errors: the status of a format that is not implemented is 501.
  formatCode: 'format_not_implemented',
  resource: 'oembed',
  representation: 'json',
  problems: ['post_protected', 'post_not_found', 'withheld_by_operator'],
  summary: 'Read what a page needs to embed a public post (oEmbed 1.0)',
} as const satisfies Read;

export const readOembedWords: ReadWords = {
  description: 'The HTML of an embed with its size, as oEmbed 1.0 defines it. Needs no script.',
  example: { url: 'https://x.com/jack/status/20' },
};
