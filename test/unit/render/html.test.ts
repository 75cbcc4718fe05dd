// The page for people: whatever authors write is text, never a tag and never more of an attribute.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/conversation.ts';
import { conversationHtml } from '../../../shared/render/html.ts';
import { escapeHtml } from '../../../shared/render/page.ts';
import { hostileFragments, hostileText } from '../../support/hostile.ts';
import { conversationOf, postOf, userOf } from '../../support/posts.ts';
import { expectTextOnly, tagsOf } from './tags.ts';

const saying = (words: string): Conversation =>
  conversationOf(
    postOf({
      text: words,
      lang: words,
      author: userOf(words),
      media: [
        { type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg', alt_text: words },
        { type: 'video', url: 'https://video.twimg.com/a.mp4', alt_text: words },
      ],
      poll: { choices: [{ label: words, votes: 1, percentage: 100 }], total_votes: 1 },
      card: { url: 'https://card.example/?a="b"&c', title: words },
      quote: postOf({ author: userOf(words), text: words }),
      community_note: { text: words },
      article: { title: words, preview_text: words, blocks: [] },
    }),
    { replies: [postOf({ text: words, author: userOf(words) })] },
  );

const page = (words: string): string => conversationHtml(saying(words), 'https://postern.example');

test('[M5][M10] each nasty fragment is text on the page', () => {
  for (const fragment of hostileFragments) expectTextOnly(page, `a${fragment}`);
});

test('[M5][M10] hostile texts are text on the page', () => {
  fc.assert(
    fc.property(
      hostileText.map((words) => `a${words}`),
      (words) => expectTextOnly(page, words),
    ),
    { numRuns: 3000 },
  );
});

test('[M5] markup is shown, not obeyed', () => {
  expect(escapeHtml(`<b title="x" class='y'>&amp;</b>`)).toBe(
    '&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;amp;&lt;/b&gt;',
  );
});

test('[M7] invisible characters do not reach the page', () => {
  expect(escapeHtml('a\u202eb\u{e0041}\u0000c')).toBe('abc');
});

test('[M4] the page loads pictures from hosts of X alone', () => {
  const page = (url: string): string =>
    conversationHtml(
      conversationOf(postOf({ media: [{ type: 'photo', url, alt_text: 'A fjord' }] })),
      'https://postern.example',
    );
  expect(page('https://pbs.twimg.com/media/a.jpg')).toContain(
    '<img src="https://pbs.twimg.com/media/a.jpg" alt="A fjord"',
  );
  for (const elsewhere of [
    'https://tracker.example/a.jpg',
    'https://pbs.twimg.com.evil.example/a.jpg',
    'http://pbs.twimg.com/a.jpg',
  ]) {
    expect(page(elsewhere)).not.toContain('<img');
    expect(page(elsewhere)).not.toContain('og:image');
  }
});

test('a post without an author, a text or a picture is a page as well', () => {
  const { author: _, ...anonymous } = postOf({ text: '' });
  expect(tagsOf(conversationHtml(conversationOf(anonymous), ''))).toContain('article');
});

test('every link of a page tells crawlers not to follow it and the browser not to hand itself over', () => {
  const html = conversationHtml(
    conversationOf(
      postOf({
        links: [{ url: 'https://a.example/' }],
        text: 'See https://a.example/',
        media: [{ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' }],
        article: {
          title: 'Essay',
          blocks: [
            { type: 'paragraph', spans: [{ text: 'here', url: 'https://b.example/' }] },
            { type: 'post', id: '20', url: 'https://x.com/i/status/20' },
            { type: 'media', media: { type: 'photo', url: 'https://pbs.twimg.com/media/b.jpg' } },
          ],
        },
      }),
    ),
    'https://postern.example',
  );
  const anchors = html.match(/<a [^>]*>/g) ?? [];
  expect(anchors).toHaveLength(6);
  for (const anchor of anchors) expect(anchor).toMatch(/^<a href="https:[^"]+" rel="nofollow noopener">$/);
  const images = html.match(/<img [^>]*>/g) ?? [];
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/ loading="lazy">$/);
});
