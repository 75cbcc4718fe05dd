// Compares what an embed shows at each of its widths and heights with a golden file. `npm run update -- golden` writes the file
// again; review its diff.
import { expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { embedHtml } from '../../../../shared/reads/oembed/embed.ts';
import { postOf } from '../../../support/post-models.ts';
import { photo, video } from '../../../support/rich-media.ts';
import { RICH_POSTS } from '../../../support/rich-posts.ts';

const WIDTHS = [1, 100, 220, 325, 550];
const HEIGHTS = Array.from({ length: 90 }, (_, index) => index * 10);

/** The elements and the number of characters, without attributes but the size of pictures. */
const outlineOf = (html: string): string => {
  const tags = html
    .replace(/^<blockquote[^>]*>|<\/blockquote>$/g, '')
    .replaceAll(/<img [^>]*width="(\d+)" height="(\d+)"\/>/g, '[$1x$2]')
    .replaceAll(/<a [^>]*>|<\/a>/g, '')
    .replaceAll(/<(\w+)[^>]*>/g, '<$1>');
  return tags.replaceAll(/[^<>[\]]{25,}/g, (text) => `${text.slice(0, 20)}…${text.length}`);
};

/** A line for each height at which the embed changes. */
const linesAt = (post: Post, width: number): string => {
  const lines: string[] = [];
  let last = '';
  for (const maxHeight of [...HEIGHTS, Number.POSITIVE_INFINITY]) {
    const block = embedHtml(post, { width, height: maxHeight });
    const html = String(block.html);
    if (html !== last) lines.push(`  ${width} x ${maxHeight}: ${block.height} ${outlineOf(html)}`);
    last = html;
  }
  return lines.join('\n');
};

const SENTENCE =
  'The tide rises slowly, 潮が満ちる, and a-very-long-word-that-no-line-of-a-narrow-page-can-hold falls.\n';
const quote = postOf({ id: '21', text: SENTENCE.repeat(8) });

const POSTS: readonly (readonly [name: string, post: Post])[] = [
  ['a long text', postOf({ text: SENTENCE.repeat(3), in_reply_to: { handle: 'bo' }, sensitive: true })],
  [
    'five photos',
    postOf({ media: [photo(), photo({ height: 1600 }), photo({ height: 300 }), photo(), photo({ alt_text: 'e' })] }),
  ],
  [
    'photo, video and a file of another host',
    postOf({ media: [photo(), video(), photo({ url: 'https://a.example/a.jpg', alt_text: 'b' })] }),
  ],
  [
    'a quote, a note, a card and a poll',
    postOf({
      quote,
      community_note: { text: SENTENCE },
      card: { url: 'https://tide.example/', title: SENTENCE.trim() },
      poll: {
        choices: [
          { label: 'Yes', votes: 1, percentage: 50 },
          { label: SENTENCE, votes: 1, percentage: 50 },
        ],
        total_votes: 2,
      },
    }),
  ],
  ['an article', RICH_POSTS.get('an article') ?? quote],
  ['a quote that is gone', postOf({ quote: { id: '21', unavailable: true, reason: 'withheld' } })],
  ['a quote that is only linked', postOf({ quote: { id: '21', url: 'https://x.com/bo/status/21' } })],
  ['nothing', RICH_POSTS.get('nothing') ?? quote],
];

test('an embed shows at each size what the golden file has', async () => {
  const text = POSTS.map(([name, post]) => `${name}\n${WIDTHS.map((width) => linesAt(post, width)).join('\n')}\n`).join(
    '\n',
  );
  await expect(text).toMatchFileSnapshot('../../../golden/embeds/sizes.txt');
});
